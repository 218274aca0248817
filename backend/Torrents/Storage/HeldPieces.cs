using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The <see cref="PieceStore"/>'s state of the pieces of one torrent. State only: the store does the work. Lock order:
/// <see cref="ResumeGate"/>, <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class HeldPieces : IDisposable
{
    /// <summary>
    /// Bytes at the start and end of each file whose pieces are evicted last: players look there first (headers, cues, moov).
    /// </summary>
    private const long EdgeBytes = 1 << 20;

    private readonly BitField _edges;

    /// <param name="info">The torrent.</param>
    /// <param name="path">Path of its files in the cache folder, without extensions; null = in memory only.</param>
    /// <param name="cache">See <see cref="Cache"/>.</param>
    /// <param name="events">See <see cref="Events"/>.</param>
    public HeldPieces(TorrentInfo info, string? path, CacheDisk? cache, IPieceEvents events)
    {
        Path = path;
        Cache = cache;
        cache?.Gate = FileGate;
        Info = info;
        Events = events;
        Entries = new PieceEntry?[info.PieceCount];
        Pins = new ushort[info.PieceCount];
        Unsynced = [];
        Synced = new BitField(info.PieceCount);
        Absent = new BitField(info.PieceCount);
        _edges = Edges(info);
    }

    public TorrentInfo Info { get; }

    /// <summary>Receives changes to the pieces.</summary>
    public IPieceEvents Events { get; }

    /// <summary>Held during a checkpoint, from the sync until the pieces are claimed, and while closing: a checkpoint in progress ends
    /// before the torrent closes.</summary>
    public Lock ResumeGate { get; } = new();

    /// <summary>Held while writing to the files or removing pieces from them.</summary>
    public Lock FileGate { get; } = new();

    /// <summary>Path of its files in the cache folder, without extensions; null = in memory only.</summary>
    public string? Path { get; }

    /// <summary>Its files in the bounded cache; null = in memory only.</summary>
    public CacheDisk? Cache { get; }

    /// <summary>
    /// Its files outside the cache; null when it is not kept and nothing is left there. Changed under <see cref="FileGate"/> and the
    /// store's lock.
    /// </summary>
    public KeptDisk? Kept
    {
        get;
        set
        {
            field = value;
            value?.Gate = FileGate;
        }
    }

    /// <summary>True once closed: the entries are cleared, and the claims are no longer changed. Set once, under all three locks.</summary>
    public bool IsClosed { get; set; }

    /// <summary>
    /// Pieces to be hashed, because it is not known whether they are on disk and good: a killed process may have written them without
    /// claiming them, or something else wrote to their files. Empty once they have been hashed.
    /// </summary>
    public IReadOnlyList<int> Unverified { get; set; } = [];

    // The members below are used under the store's lock.
    public PieceEntry?[] Entries { get; }

    public ushort[] Pins { get; }

    /// <summary>The lane of its kept files, as last determined.</summary>
    public (KeptDisk Of, WriteLane Lane)? Lane { get; set; }

    /// <summary>True if it is to be kept: see <see cref="WritesKept"/>.</summary>
    public bool IsKept { get; set; }

    /// <summary>Why kept files cannot be used: they are gone, or cannot be reached. Null: there is no such trouble, as far as known. Read
    /// without a lock.</summary>
    public string? Missing { get; set; }

    /// <summary>
    /// Kept pieces that are not held now, because their files are missing. They stay claimed, so that they are held again once the files
    /// are back.
    /// </summary>
    public BitField Absent { get; }

    /// <summary>New pieces are written to the kept files instead of the cache.</summary>
    public bool WritesKept => IsKept && Missing is null;

    /// <summary><see cref="Missing"/>, unless the torrent is no longer to be kept.</summary>
    public string? Needed => IsKept || Kept is null ? Missing : null;

    /// <summary>The move of pieces between the cache and the kept files; completed when nothing is being moved.</summary>
    public Task Moving { get; set; } = Task.CompletedTask;

    /// <summary>True while it is being closed: no further batch is moved.</summary>
    public bool IsClosing { get; set; }

    /// <summary>Pieces that are queued for writing or being written.</summary>
    public int Writing { get; set; }

    /// <summary>Completes when <see cref="Writing"/> is 0; null if nothing waits for that.</summary>
    public TaskCompletionSource? Written { get; set; }

    /// <summary>Pieces written since the last sync.</summary>
    public List<int> Unsynced { get; }

    /// <summary>How many syncs have failed since the torrent was opened.</summary>
    public int FailedSyncs { get; set; }

    /// <summary>Pieces that have been synced to disk.</summary>
    public BitField Synced { get; }

    /// <summary>Files that are being watched.</summary>
    public List<Watch> Watches { get; } = [];

    public bool IsEdge(int piece) => _edges[piece];

    public bool IsWatched(int piece)
    {
        foreach (var watch in Watches)
        {
            if (piece >= watch.First && piece <= watch.Last)
                return true;
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Cache?.Dispose();
        Kept?.Dispose();
    }

    private static BitField Edges(TorrentInfo info)
    {
        var edges = new BitField(info.PieceCount);
        foreach (var file in info.Files)
        {
            if (file.Length == 0 || file.IsPadding)
                continue;
            var edge = Math.Min(file.Length, EdgeBytes);
            Set(file.Offset, file.Offset + edge);
            Set(file.Offset + file.Length - edge, file.Offset + file.Length);
        }

        return edges;

        void Set(long from, long to)
        {
            for (var piece = (int)(from / info.PieceLength); piece <= (int)((to - 1) / info.PieceLength); piece++)
                edges.Set(piece);
        }
    }
}

/// <summary>Pieces of a file that is being watched. Used under the store's lock.</summary>
/// <param name="first">Its first piece.</param>
/// <param name="last">Its last piece.</param>
internal sealed class Watch(int first, int last)
{
    public int First { get; } = first;

    public int Last { get; } = last;

    /// <summary>Number of its readers.</summary>
    public int Readers { get; set; }

    /// <summary>When a reader last left, as a timestamp of the store's clock.</summary>
    public long Since { get; set; }
}

/// <summary>
/// Receives the store's changes to a torrent's pieces. Called on any thread, possibly under locks: implementations may only schedule work.
/// </summary>
internal interface IPieceEvents
{
    /// <summary>A piece is no longer held.</summary>
    /// <param name="piece">Its number.</param>
    /// <param name="forRoom">True: it was evicted to make room. False: it could not be read.</param>
    void PieceDropped(int piece, bool forRoom);

    /// <summary>A piece that was not held was found on disk and is good.</summary>
    void PieceFound(int piece);

    /// <summary>Grows each time the torrent is told to fetch. Read before a write, for <see cref="WriteFailed"/>.</summary>
    int Attempt { get; }

    /// <summary>A piece could not be written. It stays in memory while there is room.</summary>
    /// <param name="error">The system's error.</param>
    /// <param name="attempt"><see cref="Attempt"/> when the write began: a failure from before the torrent was told to fetch again does not
    /// stop it.</param>
    void WriteFailed(Exception error, int attempt);

    /// <summary>Kept files are missing: nothing is fetched any more, except for readers.</summary>
    /// <param name="reason">What is missing, or why it cannot be reached.</param>
    void FilesMissing(string reason);
}
