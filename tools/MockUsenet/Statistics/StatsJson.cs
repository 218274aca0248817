using System.Text.Json.Serialization;

namespace NzbDav.MockUsenet.Statistics;

/// <summary>JSON serialization of the statistics.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsReport))]
internal sealed partial class StatsJson : JsonSerializerContext;
