using System.Text.Json.Serialization;

namespace NzbDav.MockSwarm;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ReadyLine))]
internal sealed partial class ReadyJson : JsonSerializerContext;
