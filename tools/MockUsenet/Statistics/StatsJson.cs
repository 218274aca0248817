using System.Text.Json.Serialization;

namespace NzbDav.MockUsenet;

/// <summary>The statistics as the side port and the command print them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsReport))]
[JsonSerializable(typeof(ReadyLine))]
internal sealed partial class StatsJson : JsonSerializerContext;
