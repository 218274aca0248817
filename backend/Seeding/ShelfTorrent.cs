using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>Everything currently known about one of the user's torrents. Immutable.</summary>
public sealed record ShelfTorrent
{
    /// <summary>Its stored data: category, tags, limits, turn, and the totals as last written (<see cref="Totals"/> are newer).</summary>
    public required TorrentEntry Entry { get; init; }

    /// <summary>Info-hash: 40 lower-case hexadecimal digits.</summary>
    public string Hash => Entry.Hash;

    /// <summary>Its name: the user's, or else the torrent's. Until that is known, its job's name or its hash.</summary>
    public required string Name { get; init; }

    /// <summary>Its state.</summary>
    public required TorrentState State { get; init; }

    /// <summary>
    /// True if it counts as complete for importers: published, and readable as far as is known. A kept torrent may still be fetching then.
    /// </summary>
    public bool IsReady { get; init; }

    /// <summary>True if its metadata (files and piece hashes) are known.</summary>
    public bool IsDescribed { get; init; }

    /// <summary>True if peers come from its tracker only (BEP 27).</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Who made its .torrent, and what they said about it.</summary>
    public TorrentOrigin Origin { get; init; } = TorrentOrigin.None;

    /// <summary>True if it runs regardless of the limits.</summary>
    public bool IsForced => Entry.IsForced;

    /// <summary>The policy that applies to it.</summary>
    public required SharePolicy Policy { get; init; }

    /// <summary>Its current transfer totals.</summary>
    public TorrentTotals Totals { get; init; }

    /// <summary>
    /// Share ratio: uploaded by downloaded bytes, or by held bytes if less than 1 % of these were downloaded. 0 if nothing is held.
    /// </summary>
    public double Ratio { get; init; }

    /// <summary>Bytes of all files; 0 while the metadata are unknown.</summary>
    public long Size { get; init; }

    /// <summary>Bytes of the files that are not skipped.</summary>
    public long Wanted { get; init; }

    /// <summary>Verified bytes of those files.</summary>
    public long Held { get; init; }

    /// <summary>Progress of the wanted files, 0 … 1. A torrent that is only streamed has 1 once it is ready.</summary>
    public double Progress { get; init; }

    /// <summary>Bytes a second from peers.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes a second to peers.</summary>
    public double UpRate { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Connected peers that do not have everything.</summary>
    public int Leechers { get; init; }

    /// <summary>Seeds in the swarm according to trackers; null: no tracker reported any.</summary>
    public int? KnownSeeds { get; init; }

    /// <summary>Leechers in the swarm according to trackers; null: no tracker reported any.</summary>
    public int? KnownLeechers { get; init; }

    /// <summary>
    /// Distributed copies among connected peers: how many have the rarest piece, plus the share of pieces that more peers have. Below 1: no
    /// whole copy can be fetched from them.
    /// </summary>
    public double Availability { get; init; }

    /// <summary>Estimated time until all wanted files are complete, at the current rate; null: not known.</summary>
    public TimeSpan? Eta { get; init; }

    /// <summary>Bytes of each piece except the last; 0 while the metadata are unknown.</summary>
    public int PieceLength { get; init; }

    /// <summary>Number of pieces; 0 while the metadata are unknown.</summary>
    public int Pieces { get; init; }

    /// <summary>Number of verified pieces that are present.</summary>
    public int PiecesHeld { get; init; }

    /// <summary>Its position among the incomplete torrents, from 1; 0 for a complete one.</summary>
    public int Position { get; init; }

    /// <summary>Names below <c>/content</c>: category and folder, as published; empty: not published.</summary>
    public IReadOnlyList<string> ContentPath { get; init; } = [];

    /// <summary>True if it has a single file, under the torrent's own name; false: it has a folder, or that is not known.</summary>
    public bool IsSingleFile { get; init; }

    /// <summary>
    /// True if a client added it for data that it believes is here (cross-seeding), and it has not been started. That data cannot be used,
    /// so the client is told the bytes really held: if it were told that the torrent is complete, it would start it, and the tracker would
    /// see a download.
    /// </summary>
    public bool ExpectsData => Entry is { SavePath: not null, IsStopped: true, Completed: null };

    /// <summary>The tracker in use, without parts that may be a personal key; null: none.</summary>
    public string? Tracker { get; init; }

    /// <summary>The job that added it, as long as that job exists; else null.</summary>
    public long? JobId { get; init; }

    /// <summary>The collection it was published as, or its first file; null: not published.</summary>
    public long? ItemId { get; init; }

    /// <summary>Why it does not continue; null if nothing is wrong.</summary>
    public string? Reason { get; init; }

    /// <summary>Code of the failure that ended its import, so that nothing was published; null: none.</summary>
    public string? ImportFailure { get; init; }

    /// <summary>True if it is to be kept on disk and seeded, and has not stopped at its limits.</summary>
    public bool IsToSeed => Policy.Keep && !(State == TorrentState.SeedStopped && Policy.IsReached(Ratio, Totals));

    /// <summary>True if it was published and then given up because no whole copy was found in time.</summary>
    public bool IsGivenUp =>
        State == TorrentState.Failed && Entry.Error?.StartsWith(StalledTorrent.GivenUp, StringComparison.Ordinal) == true;
}

/// <summary>State of one of the user's torrents. <see cref="ShelfTorrent.IsForced"/> says whether it is forced to run.</summary>
public enum TorrentState
{
    /// <summary>Peers are asked for its metadata.</summary>
    Metadata,

    /// <summary>Incomplete; waits for its turn.</summary>
    DownloadQueued,

    /// <summary>Wanted pieces are arriving.</summary>
    Downloading,

    /// <summary>Incomplete, and no wanted pieces are arriving: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    DownloadStalled,

    /// <summary>Stopped before it was complete.</summary>
    DownloadStopped,

    /// <summary>Complete; waits for its turn.</summary>
    SeedQueued,

    /// <summary>Complete, and peers are fetching pieces.</summary>
    Seeding,

    /// <summary>Complete; no peer is fetching anything now.</summary>
    SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped,

    /// <summary>Its data on disk are being hashed.</summary>
    Checking,

    /// <summary>Its data on disk are being moved.</summary>
    Moving,

    /// <summary>
    /// Kept files are gone, or their disk cannot be reached: <see cref="ShelfTorrent.Reason"/> says which and why. Nothing is fetched.
    /// </summary>
    Missing,

    /// <summary>It cannot continue: <see cref="ShelfTorrent.Reason"/> says why.</summary>
    Failed,
}

/// <summary>A file of one of the user's torrents. Padding is left out.</summary>
public sealed record ShelfFile
{
    /// <summary>Its index in the torrent, from 0, counting padding files.</summary>
    public required int Index { get; init; }

    /// <summary>Safe path in the torrent, joined with '/'; without the torrent's own name.</summary>
    public required string Path { get; init; }

    /// <summary>
    /// Its path in the tree below the torrent's published folder, joined with '/'. Differs from <see cref="Path"/> if the file was renamed,
    /// or published under a better name. Null: not published there.
    /// </summary>
    public string? TreePath { get; init; }

    /// <summary>Size in bytes.</summary>
    public required long Size { get; init; }

    /// <summary>Verified bytes of the file that are present.</summary>
    public long Held { get; init; }

    /// <summary>Fetch priority.</summary>
    public FilePriority Priority { get; init; } = FilePriority.Normal;

    /// <summary>First and last piece that contain bytes of the file.</summary>
    public (int First, int Last) Pieces { get; init; }

    /// <summary>The file in the tree; null: not published.</summary>
    public long? ItemId { get; init; }
}
