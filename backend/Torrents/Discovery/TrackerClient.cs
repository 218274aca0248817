using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Asks each tracker by its scheme. Thread-safe.</summary>
/// <param name="http">Asks <c>http</c> and <c>https</c>.</param>
/// <param name="udp">Asks <c>udp</c>.</param>
internal sealed class TrackerClient(ITrackerClient http, ITrackerClient udp) : ITrackerClient
{
    /// <inheritdoc/>
    public Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken) =>
        Of(tracker).AnnounceAsync(tracker, request, cancellationToken);

    /// <inheritdoc/>
    public Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken) => Of(tracker).ScrapeAsync(tracker, hash, cancellationToken);

    private ITrackerClient Of(Uri tracker) => tracker.Scheme == "udp" ? udp : http;
}
