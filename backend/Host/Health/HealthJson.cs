using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Health;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(HealthReport))]
[JsonSerializable(typeof(ReadyReport))]
internal sealed partial class HealthJson : JsonSerializerContext;
