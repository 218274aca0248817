namespace NzbDav.MockUsenet.Statistics;

/// <summary>The body of <c>GET /stats</c>.</summary>
internal sealed record StatsReport(IReadOnlyList<ProviderStats> Providers);
