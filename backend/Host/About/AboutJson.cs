using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.About;

/// <summary>JSON serialization of the program's description.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(AboutBody))]
internal sealed partial class AboutJson : JsonSerializerContext;
