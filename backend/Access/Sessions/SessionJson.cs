using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access;

/// <summary>How signing in is written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(SessionBody))]
[JsonSerializable(typeof(SetupBody))]
[JsonSerializable(typeof(SignInBody))]
internal sealed partial class SessionJson : JsonSerializerContext;
