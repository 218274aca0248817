using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.About;

/// <summary>How the program is described.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(AboutBody))]
internal sealed partial class AboutJson : JsonSerializerContext;
