using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Sends requests to trackers. A tracker's failure is returned as a value, not thrown. Thread-safe.</summary>
internal interface ITrackerClient
{
    /// <summary>Sends an announce.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken);

    /// <summary>Asks how many peers a tracker knows (BEP 15, 48); null if it does not tell.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken);
}

/// <summary>Chooses the client by a tracker's scheme. Thread-safe.</summary>
/// <param name="http">Asks <c>http</c> and <c>https</c>.</param>
/// <param name="udp">Asks <c>udp</c>.</param>
internal sealed class TrackerClient(ITrackerClient http, ITrackerClient udp) : ITrackerClient
{
    public Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken) =>
        Of(tracker).AnnounceAsync(tracker, request, cancellationToken);

    public Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken) =>
        Of(tracker).ScrapeAsync(tracker, hash, cancellationToken);

    private ITrackerClient Of(Uri tracker) => tracker.Scheme == "udp" ? udp : http;
}
