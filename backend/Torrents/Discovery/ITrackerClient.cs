using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Asks trackers. What a tracker does wrong is a value, not an exception. Thread-safe.</summary>
internal interface ITrackerClient
{
    /// <summary>Announces.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken);

    /// <summary>How many peers a tracker knows (BEP 15, 48); null if it does not say.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken);
}
