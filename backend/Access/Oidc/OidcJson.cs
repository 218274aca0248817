using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access.Oidc;

/// <summary>What a provider sends.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(JsonElement))]
internal sealed partial class OidcJson : JsonSerializerContext;
