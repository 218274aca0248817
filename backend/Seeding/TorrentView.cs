using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Seeding;

/// <summary>
/// Everything currently known about one of the user's torrents, as both interfaces show it: the stored data (<see cref="TorrentEntry"/>),
/// its live state (<see cref="TorrentStatus"/>), and what follows from both. Immutable.
/// </summary>
public sealed record TorrentView
{
    /// <summary>Beginning of the error of a torrent whose kept files are gone or cannot be reached.</summary>
    internal const string FilesMissing = "Kept files are missing";

    /// <summary>Beginning of the error of a torrent that waits for disk space.</summary>
    internal const string DiskFull = "The disk is full";

    /// <summary>
    /// Its stored data: category, tags, limits, queue position, and the totals as last written (<see cref="Totals"/> is newer).
    /// </summary>
    public required TorrentEntry Entry { get; init; }

    /// <summary>Info-hash: 40 lower-case hexadecimal digits.</summary>
    public string Hash => Entry.Hash;

    /// <summary>Its name: the user's, otherwise the torrent's; until that is known, its job's name or its hash.</summary>
    public required string Name { get; init; }

    /// <summary>Its state.</summary>
    public required TorrentState State { get; init; }

    /// <summary>
    /// True if it counts as complete for importers: published, and readable as far as is known. A kept torrent may still be fetching then.
    /// </summary>
    public bool IsReady { get; init; }

    /// <summary>True if its metadata (files and piece hashes) is known.</summary>
    public bool IsDescribed { get; init; }

    /// <summary>True if peers come from its tracker only (BEP 27).</summary>
    public bool IsPrivate { get; init; }

    /// <summary>What its .torrent says about its origin: comment, program and time.</summary>
    public TorrentOrigin Origin { get; init; } = TorrentOrigin.None;

    /// <summary>True if it runs regardless of the limits.</summary>
    public bool IsForced => Entry.IsForced;

    /// <summary>The policy that applies to it.</summary>
    public required SharePolicy Policy { get; init; }

    /// <summary>Its current transfer totals.</summary>
    public TorrentTotals Totals { get; init; }

    /// <summary>
    /// Share ratio: uploaded divided by downloaded bytes, or by held bytes if less than 1 % of these were downloaded. 0 if nothing is held.
    /// </summary>
    public double Ratio { get; init; }

    /// <summary>Bytes of all files; 0 while the metadata is unknown.</summary>
    public long Size { get; init; }

    /// <summary>Bytes of the files that are not skipped.</summary>
    public long Wanted { get; init; }

    /// <summary>Verified bytes of those files.</summary>
    public long Held { get; init; }

    /// <summary>Progress of the wanted files, 0 … 1. A torrent that is only streamed has 1 once it is ready.</summary>
    public double Progress { get; init; }

    /// <summary>Bytes per second from peers.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes per second to peers.</summary>
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
    /// Distributed copies among connected peers: the number of peers that have the rarest piece, plus the share of pieces that more peers
    /// have. Below 1, no whole copy can be fetched from them.
    /// </summary>
    public double Availability { get; init; }

    /// <summary>Estimated time until all wanted files are complete, at the current rate; null: not known.</summary>
    public TimeSpan? Eta { get; init; }

    /// <summary>Bytes of each piece except the last; 0 while the metadata is unknown.</summary>
    public int PieceLength { get; init; }

    /// <summary>Number of pieces; 0 while the metadata is unknown.</summary>
    public int Pieces { get; init; }

    /// <summary>Number of verified pieces that are present.</summary>
    public int PiecesHeld { get; init; }

    /// <summary>Its position among the incomplete torrents, from 1; 0 for a complete one.</summary>
    public int Position { get; init; }

    /// <summary>Its published path below <c>/content</c>: category and folder; empty: not published.</summary>
    public IReadOnlyList<string> ContentPath { get; init; } = [];

    /// <summary>True if it has a single file, under the torrent's own name. False if it has a folder, or if that is not known.</summary>
    public bool IsSingleFile { get; init; }

    /// <summary>
    /// True if a client added it for data that it believes is here (cross-seeding), and it has not been started. That data cannot be used,
    /// so the client is told how many bytes are really held: if told that the torrent is complete, it would start it, and the tracker would
    /// see a download.
    /// </summary>
    public bool ExpectsData => Entry is { SavePath: not null, IsStopped: true, Completed: null };

    /// <summary>The tracker in use, without parts that may be a personal key; null: none.</summary>
    public string? Tracker { get; init; }

    /// <summary>The job that added it, while that job exists; otherwise null.</summary>
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

    /// <summary>Combines everything known about a torrent.</summary>
    /// <param name="slot">The catalog's data.</param>
    /// <param name="options">Policies.</param>
    /// <param name="open">The open torrent; null if it is not in its swarm.</param>
    /// <param name="run">Its current activity.</param>
    internal static TorrentView Of(ShelfSlot slot, SeedingOptions options, Torrent? open, TorrentRun run)
    {
        var (entry, source, facts) = (slot.Entry, slot.Source, slot.Facts);
        var policy = options.PolicyOf(slot);
        var status = open?.LastStatus ?? TorrentStatus.None;
        var counts = open?.Counts ?? SwarmSize.Unknown;
        var isReady = entry.Ready is not null || (!options.WaitForCopy && source.ItemId is not null);
        var isDone = policy.Keep ? entry.Completed is not null : isReady;
        var size = facts?.Size ?? source.Size;
        var wanted = facts is null ? size : facts.Files.Index()
            .Where(file => !file.Item.IsPadding && entry.PriorityOf(file.Index) != FilePriority.Skip).Sum(static file => file.Item.Length);
        var held = isDone && policy.Keep
            ? wanted : Math.Min(run.Held ?? Math.Min(size, (long)status.Have * (facts?.PieceLength ?? 0)), size);
        var progress = isDone ? 1 : wanted == 0 ? 0 : Math.Min(1, (double)Math.Min(held, wanted) / wanted);
        var (state, reason) = StateOf(slot, status, run, isDone);
        return new TorrentView
        {
            Entry = entry,
            Name = entry.Name ?? facts?.Name ?? source.JobName ?? entry.Hash,
            State = state,
            IsReady = isReady,
            IsDescribed = facts is not null,
            IsPrivate = facts is { IsPrivate: true },
            Origin = facts?.Origin ?? TorrentOrigin.None,
            Policy = policy,
            Totals = run.Totals ?? entry.Totals,
            Ratio = RatioOf(run.Totals ?? entry.Totals, held),
            Size = size,
            Wanted = wanted,
            Held = held,
            Progress = progress,
            DownRate = status.DownRate,
            UpRate = status.UpRate,
            Seeds = status.Seeds,
            Leechers = status.Peers - status.Seeds,
            KnownSeeds = counts.Seeds,
            KnownLeechers = counts.Leechers,
            Tracker = counts.Tracker,
            Availability = status.Copies,
            Eta = isDone || status.DownRate < 1
                ? null : TimeSpan.FromSeconds(Math.Ceiling(Math.Max(0, wanted - held) / status.DownRate)),
            PieceLength = facts?.PieceLength ?? 0,
            Pieces = facts?.Pieces ?? 0,
            PiecesHeld = open is not null || facts is null ? status.Have : (int)((held + facts.PieceLength - 1) / facts.PieceLength),
            ContentPath = slot.Path,
            IsSingleFile = facts is not null && facts.Files.Count(static file => !file.IsPadding) == 1,
            JobId = source.JobId,
            ItemId = source.ItemId,
            Reason = reason,
            ImportFailure = source is { Job: JobState.Failed, ItemId: null } ? source.FailureCode : null,
        };
    }

    /// <summary>
    /// Share ratio: uploaded divided by downloaded bytes. If less than 1 % of the held bytes were downloaded, the data came from elsewhere,
    /// and the held bytes count instead.
    /// </summary>
    internal static double RatioOf(TorrentTotals totals, long held)
    {
        var downloaded = totals.Downloaded < held / 100 ? held : totals.Downloaded;
        return downloaded > 0 ? (double)totals.Uploaded / downloaded : 0;
    }

    private static (TorrentState State, string? Reason) StateOf(ShelfSlot slot, TorrentStatus status, TorrentRun run, bool isDone)
    {
        if (slot.Source is { Job: JobState.Failed, ItemId: null, Failure: var failure })
            return (TorrentState.Failed, failure);
        if (run.Phase is TorrentPhase.Checking)
            return (TorrentState.Checking, null);
        if (slot.Entry.Error is { } error)
            return (error.StartsWith(FilesMissing, StringComparison.Ordinal) ? TorrentState.Missing : TorrentState.Failed, error);
        if (slot.Entry.IsStopped)
            return (isDone ? TorrentState.SeedStopped : TorrentState.DownloadStopped, null);
        if (slot.Facts is null)
            return (TorrentState.Metadata, status.Reason ?? slot.Source.Failure);
        if (run.Phase is TorrentPhase.Moving)
            return (TorrentState.Moving, null);
        if (run.WaitsFor is { } room && !isDone)
            return (status.DownRate > 0 ? TorrentState.Downloading : TorrentState.DownloadStalled, room);
        if (run.Phase is TorrentPhase.Queued)
            return (isDone ? TorrentState.SeedQueued : TorrentState.DownloadQueued, null);
        if (isDone)
            return (status.UpRate > 0 ? TorrentState.Seeding : TorrentState.SeedIdle, status.Reason);
        return status.DownRate > 0 ? (TorrentState.Downloading, null) : (TorrentState.DownloadStalled, status.Reason);
    }
}

/// <summary>State of one of the user's torrents. <see cref="TorrentView.IsForced"/> shows whether it is forced to run.</summary>
public enum TorrentState
{
    /// <summary>Its metadata is being requested from peers.</summary>
    Metadata,

    /// <summary>Incomplete; waits for its turn.</summary>
    DownloadQueued,

    /// <summary>Wanted pieces are arriving.</summary>
    Downloading,

    /// <summary>Incomplete, and no wanted pieces are arriving: <see cref="TorrentView.Reason"/> says why.</summary>
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

    /// <summary>Its data on disk is being hashed.</summary>
    Checking,

    /// <summary>Its data on disk is being moved.</summary>
    Moving,

    /// <summary>
    /// Kept files are gone, or their disk cannot be reached: <see cref="TorrentView.Reason"/> says which and why. Nothing is fetched.
    /// </summary>
    Missing,

    /// <summary>It cannot continue: <see cref="TorrentView.Reason"/> says why.</summary>
    Failed,
}

/// <summary>A file of one of the user's torrents. Padding is left out.</summary>
public sealed record ShelfFile
{
    /// <summary>Its index in the torrent, from 0, counting padding files.</summary>
    public required int Index { get; init; }

    /// <summary>Its path in the torrent, safe, joined with '/', without the torrent's own name.</summary>
    public required string Path { get; init; }

    /// <summary>
    /// Its path in the tree below the torrent's published folder, joined with '/'. Differs from <see cref="Path"/> if the file was renamed,
    /// or was published under a better name. Null: not published there.
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
