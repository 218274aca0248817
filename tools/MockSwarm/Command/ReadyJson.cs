using System.Text.Json.Serialization;

namespace NzbDav.MockSwarm.Command;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ReadyLine))]
internal sealed partial class ReadyJson : JsonSerializerContext;
