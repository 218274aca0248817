namespace NzbDav.MockUsenet.Statistics;

/// <summary>What <c>GET /stats</c> answers.</summary>
internal sealed record StatsReport(IReadOnlyList<ProviderStats> Providers);
