using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.FullNzbTester.Content;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ContentRequest))]
[JsonSerializable(typeof(ContentMessage))]
internal sealed partial class TesterJson : JsonSerializerContext;
