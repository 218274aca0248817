using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Health;

/// <summary>
/// Checks whether the server can do its work: the catalog, its disk, and at least one provider, unless it is used for torrents only. Cheap
/// enough to be called each second. Thread-safe.
/// </summary>
internal sealed class Readiness(UsenetClient usenet, CatalogHealth catalog, IServiceProvider services)
{
    public async ValueTask<ReadyReport> ReportAsync(CancellationToken cancellationToken)
    {
        var providers = usenet.Providers.Select(provider => provider.Status).ToArray();
        var reasons = new List<string>();
        if (await catalog.FindFaultAsync(cancellationToken) is { } fault)
            reasons.Add(fault);
        if (providers.Length > 0 && !Array.Exists(providers, provider => provider.State == ProviderState.Ready))
            reasons.Add("No Usenet provider works yet.");
        if (providers.Length == 0 && services.GetService<TorrentSessions>() is null)
            reasons.Add("No Usenet provider is configured, and torrents are switched off.");
        return new ReadyReport(
            reasons.Count == 0 ? "ready" : "not ready", reasons.Count == 0 ? null : string.Join(' ', reasons), providers);
    }
}

/// <summary>Body of <c>/health/ready</c>.</summary>
/// <param name="Status"><c>ready</c>, <c>not ready</c>, or <c>draining</c> while the server stops.</param>
/// <param name="Reason">Why it is not ready, as text; null if it is ready, and for callers without rights.</param>
/// <param name="Providers">Current state of the accounts; null for callers without rights.</param>
internal sealed record ReadyReport(string Status, string? Reason, ProviderStatus[]? Providers);
