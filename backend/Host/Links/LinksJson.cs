using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Links;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(LinkBody))]
[JsonSerializable(typeof(LinkAnswer))]
internal sealed partial class LinksJson : JsonSerializerContext;
