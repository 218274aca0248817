using System.Text.Json.Serialization;

namespace NzbDav.MockUsenet.Statistics;

/// <summary>The statistics as the side port prints them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsReport))]
internal sealed partial class StatsJson : JsonSerializerContext;
