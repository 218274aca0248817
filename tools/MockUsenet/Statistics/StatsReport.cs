namespace NzbDav.MockUsenet;

/// <summary>What <c>GET /stats</c> answers.</summary>
internal sealed record StatsReport(IReadOnlyList<ProviderStats> Providers);
