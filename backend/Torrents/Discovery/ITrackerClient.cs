using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Sends requests to trackers. A tracker's failure is returned as a value, not thrown. Thread-safe.</summary>
internal interface ITrackerClient
{
    /// <summary>Announces.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken);

    /// <summary>Asks how many peers a tracker knows (BEP 15, 48); null if it does not say.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken);
}
