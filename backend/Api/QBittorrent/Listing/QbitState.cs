using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>The names of torrent states, as of 5.0: <c>stoppedUP</c> was <c>pausedUP</c> before. The *arrs accept both.</summary>
internal static class QbitState
{
    public const string Error = "error";
    public const string MissingFiles = "missingFiles";
    public const string Uploading = "uploading";
    public const string ForcedUp = "forcedUP";
    public const string StoppedUp = "stoppedUP";
    public const string QueuedUp = "queuedUP";
    public const string StalledUp = "stalledUP";
    public const string CheckingUp = "checkingUP";
    public const string Downloading = "downloading";
    public const string ForcedDown = "forcedDL";
    public const string Metadata = "metaDL";
    public const string ForcedMetadata = "forcedMetaDL";
    public const string StoppedDown = "stoppedDL";
    public const string QueuedDown = "queuedDL";
    public const string StalledDown = "stalledDL";
    public const string CheckingDown = "checkingDL";
    public const string Moving = "moving";

    private static readonly string[] OfSeeds = [Uploading, StalledUp, CheckingUp, QueuedUp, ForcedUp];
    private static readonly string[] OfDownloads = [
        Downloading, Metadata, ForcedMetadata, StalledDown, CheckingDown, StoppedDown, QueuedDown, ForcedDown];
    private static readonly string[] OfTransfers = [Downloading, ForcedDown, Metadata, ForcedMetadata, Uploading, ForcedUp, Moving];

    /// <summary>
    /// The state of a torrent. As soon as the torrent can be imported its state is that of a complete torrent, even while it is still being
    /// downloaded to be kept: an import need not wait for that.
    /// </summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="isVisible">True if its published files can be listed in the mount.</param>
    public static string Of(TorrentView torrent, bool isVisible) => torrent.State switch
    {
        TorrentState.Failed => Error,
        TorrentState.Missing => MissingFiles,
        TorrentState.Moving => Moving,
        _ when torrent is { IsReady: true, ExpectsData: false } => isVisible ? OfReady(torrent) : Moving,
        TorrentState.Checking => CheckingDown,
        TorrentState.DownloadStopped or TorrentState.SeedStopped => StoppedDown,
        TorrentState.Metadata => torrent.IsForced ? ForcedMetadata : Metadata,
        _ when torrent.IsForced => ForcedDown,
        TorrentState.DownloadQueued or TorrentState.SeedQueued => QueuedDown,
        TorrentState.Downloading => Downloading,
        _ => StalledDown,
    };

    /// <summary>True if a torrent passes a filter of <c>torrents/info</c>, under its name in 4.x or 5.x. An unknown filter passes all
    /// torrents, as in qBittorrent.</summary>
    public static bool Passes(string? filter, QbitTorrent torrent) => filter switch
    {
        "downloading" => Is(torrent, OfDownloads),
        "seeding" => Is(torrent, OfSeeds),
        "completed" => Is(torrent, OfSeeds) || torrent.State == StoppedUp,
        "stopped" or "paused" => torrent.State is StoppedUp or StoppedDown,
        "running" or "resumed" => torrent.State is not (StoppedUp or StoppedDown),
        "active" => IsActive(torrent),
        "inactive" => !IsActive(torrent),
        "stalled" => torrent.State is StalledUp or StalledDown,
        "stalled_uploading" => torrent.State == StalledUp,
        "stalled_downloading" => torrent.State == StalledDown,
        "checking" => torrent.State is CheckingUp or CheckingDown,
        "moving" => torrent.State == Moving,
        "errored" => torrent.State is Error or MissingFiles,
        _ => true,
    };

    private static string OfReady(TorrentView torrent) => torrent.State switch
    {
        TorrentState.Checking => CheckingUp,
        TorrentState.DownloadStopped or TorrentState.SeedStopped => StoppedUp,
        _ when torrent.IsForced => ForcedUp,

        // Only streamed: there is nothing to wait for, so its client may clean up after the import.
        _ when QbitTorrent.IsDoneWith(torrent) => StoppedUp,
        TorrentState.DownloadQueued or TorrentState.SeedQueued => QueuedUp,
        _ => torrent.UpRate > 0 ? Uploading : StalledUp,
    };

    private static bool IsActive(QbitTorrent torrent) => Is(torrent, OfTransfers) || (torrent.State == StalledDown && torrent.UpSpeed > 0);

    private static bool Is(QbitTorrent torrent, string[] states) => states.Contains(torrent.State, StringComparer.Ordinal);
}
