using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent;

/// <summary>The words for where a torrent stands, in the dialect of 5.0 and later: <c>stoppedUP</c> was <c>pausedUP</c> before. The *arrs read both.</summary>
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
    private static readonly string[] OfDownloads = [Downloading, Metadata, ForcedMetadata, StalledDown, CheckingDown, StoppedDown, QueuedDown, ForcedDown];
    private static readonly string[] OfTransfers = [Downloading, ForcedDown, Metadata, ForcedMetadata, Uploading, ForcedUp, Moving];

    /// <summary>
    /// The word for a torrent. It is one of a complete torrent as soon as the torrent can be imported, though all of it may still be fetched to be kept: whoever imports it need not wait for that.
    /// </summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="isVisible">What it published can be listed in the mount.</param>
    public static string Of(ShelfTorrent torrent, bool isVisible) => torrent.State switch
    {
        TorrentState.Failed => Error,
        TorrentState.Missing => MissingFiles,
        TorrentState.Moving => Moving,
        _ when torrent.IsReady => isVisible ? OfReady(torrent) : Moving,
        TorrentState.Checking => CheckingDown,
        TorrentState.DownloadStopped or TorrentState.SeedStopped => StoppedDown,
        TorrentState.Metadata => torrent.IsForced ? ForcedMetadata : Metadata,
        _ when torrent.IsForced => ForcedDown,
        TorrentState.DownloadQueued or TorrentState.SeedQueued => QueuedDown,
        TorrentState.Downloading => Downloading,
        _ => StalledDown,
    };

    /// <summary>Whether a filter of <c>torrents/info</c> lets a torrent through, in the words of 4.x and 5.x. One that is not known lets all through, as in the original.</summary>
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

    private static string OfReady(ShelfTorrent torrent) => torrent.State switch
    {
        TorrentState.Checking => CheckingUp,
        TorrentState.DownloadStopped or TorrentState.SeedStopped => StoppedUp,
        _ when torrent.IsForced => ForcedUp,

        // One that is only streamed and seeded by no limit is done with: whoever brought it may clean up after the import.
        _ when QbitTorrent.IsDoneWith(torrent) => StoppedUp,
        TorrentState.DownloadQueued or TorrentState.SeedQueued => QueuedUp,
        _ => torrent.UpRate > 0 ? Uploading : StalledUp,
    };

    private static bool IsActive(QbitTorrent torrent) => Is(torrent, OfTransfers) || (torrent.State == StalledDown && torrent.UpSpeed > 0);

    private static bool Is(QbitTorrent torrent, string[] states) => states.Contains(torrent.State, StringComparer.Ordinal);
}
