using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of one torrent. The <see cref="PieceStore"/>, which all torrents share, owns the memory and disk space and does the
/// work. Thread-safe. Lock order: <see cref="ResumeGate"/>, <see cref="FileGate"/>, then the store's.
/// </summary>
internal sealed class TorrentPieces : IDisposable
{
    /// <summary>
    /// Bytes at the start and end of each file whose pieces are evicted last: players look there first (headers, cues, moov).
    /// </summary>
    private const long EdgeBytes = 1 << 20;

    private readonly PieceStore _store;
    private readonly BitField _edges;

    /// <param name="store">The store that holds them.</param>
    /// <param name="info">The torrent.</param>
    /// <param name="path">Path of its files in the cache folder, without extensions; null = in memory only.</param>
    /// <param name="cache">See <see cref="Cache"/>.</param>
    /// <param name="events">See <see cref="Events"/>.</param>
    public TorrentPieces(PieceStore store, TorrentInfo info, string? path, CacheDisk? cache, IPieceEvents events)
    {
        _store = store;
        Path = path;
        Cache = cache;
        cache?.Gate = FileGate;
        Info = info;
        Events = events;
        Entries = new PieceEntry?[info.PieceCount];
        Counts[(int)StoredState.Missing] = info.PieceCount;
        Pins = new ushort[info.PieceCount];
        Absent = new BitField(info.PieceCount);
        _edges = Edges(info);
    }

    public TorrentInfo Info { get; }

    /// <summary>The hashing of <see cref="Unverified"/>. Completed when it is done, or if there is nothing to hash.</summary>
    public Task Checking { get; private set; } = Task.CompletedTask;

    /// <summary>
    /// True if its disk lags so far behind, or hangs, that nothing may be fetched for it in the background: memory would run out for
    /// torrents on other disks too.
    /// </summary>
    public bool IsDiskBehind => _store.IsDiskBehind(this);

    /// <summary>Bytes of a verified piece from memory; null if it is not there. The caller disposes the lease.</summary>
    public ContentLease? TryLease(int piece, int offset, int length) => _store.TryLease(this, piece, offset, length);

    /// <summary>True if the piece is held, in memory or on disk.</summary>
    public bool Holds(int piece) => _store.Holds(this, piece);

    /// <summary>The pieces that are held now. Later changes go to <see cref="Events"/>.</summary>
    public BitField ListHeld() => _store.ListHeld(this);

    /// <summary>Reads from disk; 0 if the piece is not there, or cannot be read and is therefore no longer held.</summary>
    public ValueTask<int> ReadAsync(int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken) =>
        _store.ReadAsync(this, piece, offset, destination, cancellationToken);

    /// <summary>Takes over a verified piece, with one reference to its buffer.</summary>
    /// <param name="piece">Index of the piece.</param>
    /// <param name="buffer">Its bytes.</param>
    /// <param name="mustKeep">True: it is written to disk, however far the disk lags behind. False: it may be skipped, because readers do
    /// not wait for the disk.</param>
    public void Add(int piece, PooledBuffer buffer, bool mustKeep) => _store.Add(this, piece, buffer, mustKeep);

    /// <summary>
    /// Call when closing. Completes when everything added before is on disk or has failed to be written, and nothing is being moved.
    /// </summary>
    public async Task WrittenAsync()
    {
        await Checking;
        await _store.WrittenAsync(this);
        await _store.StopMovingAsync(this);
    }

    /// <summary>Adds these pieces to a reader's window.</summary>
    public void Pin(int first, int last) => _store.Pin(this, first, last, 1);

    /// <summary>Removes these pieces from a reader's window.</summary>
    public void Unpin(int first, int last) => _store.Pin(this, first, last, -1);

    /// <summary>
    /// Call when a reader begins to watch a file: its pieces may stay beyond the cache's limit (<see cref="PieceStore.WatchedReserve"/>).
    /// </summary>
    /// <param name="first">Its first piece.</param>
    /// <param name="last">Its last piece.</param>
    /// <returns>Pass it to <see cref="Unwatch"/> afterwards. Null: watched pieces may not exceed the limit.</returns>
    public Watch? Watch(int first, int last) => _store.Watch(this, first, last);

    /// <summary>Call when that reader no longer watches.</summary>
    public void Unwatch(Watch watch) => _store.Unwatch(watch);

    /// <summary>
    /// From now on writes new pieces outside the cache, or into it again; pieces already on disk are moved in the background. Null on
    /// success; otherwise why it is not possible.
    /// </summary>
    public string? Keep(bool keep) => _store.Keep(this, keep);

    /// <summary>Checks whether kept files that were missing are there again. If so, their pieces are held again.</summary>
    /// <param name="check">Then checks the pieces of <see cref="Unverified"/> in the background.</param>
    /// <param name="stopping">Stops that check.</param>
    /// <returns>What is missing; null: nothing.</returns>
    public string? RecheckMissingFiles(IPieceCheck check, CancellationToken stopping)
    {
        var missing = _store.RecheckMissingFiles(this, accept: false);
        if (missing is null && Checking.IsCompleted)
            BeginChecking(check, stopping);
        return missing;
    }

    /// <summary>
    /// Hashes everything on disk, recorded or not. Damaged pieces are dropped; good ones that were not recorded are added. Files that are
    /// lost count as damaged; but while their disk is not mounted or cannot be read, nothing is done.
    /// </summary>
    /// <param name="check">Checks the hashes.</param>
    /// <param name="progress">Receives the number of pieces checked.</param>
    /// <param name="cancellationToken">Stops the check; results so far are kept.</param>
    public Task RecheckAsync(IPieceCheck check, Action<int> progress, CancellationToken cancellationToken) =>
        _store.RecheckAsync(this, check, progress, cancellationToken);

    /// <summary>Checks in the background which pieces of <see cref="Unverified"/> are on disk and good.</summary>
    /// <param name="check">Checks the hashes.</param>
    /// <param name="stopping">Stops the check; the next run checks the rest.</param>
    public void BeginChecking(IPieceCheck check, CancellationToken stopping)
    {
        if (Unverified.Count > 0)
            Checking = Task.Run(() => _store.CheckUnverifiedAsync(this, check, stopping), CancellationToken.None);
    }

    /// <summary>Queues the pieces that are only in memory for writing again. Call when the disk has room.</summary>
    public void RetryWrites() => _store.RetryWrites(this);

    /// <summary>Number of pieces that are only in memory: not yet written, or impossible to write.</summary>
    public int CountUnwritten() => _store.CountUnwritten(this);

    /// <summary>Receives changes to the pieces.</summary>
    public IPieceEvents Events { get; }

    /// <summary>
    /// Held during a checkpoint, from the sync until the pieces are recorded, and while closing, so that a checkpoint in progress ends
    /// before the torrent closes.
    /// </summary>
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

    /// <summary>
    /// True once closed: the entries are cleared, and the resume data no longer changes. Set once, under all three locks.
    /// </summary>
    public bool IsClosed { get; set; }

    /// <summary>
    /// Pieces to be hashed, because it is not known whether they are on disk and good: a killed process may have written them without
    /// recording them, or something else wrote to their files. Empty once they have been hashed.
    /// </summary>
    public IReadOnlyList<int> Unverified { get; set; } = [];

    // The members below are the store's: used under its lock.

    /// <summary>The pieces; null for those that are Missing. Changed by <see cref="PieceStates"/> only.</summary>
    public PieceEntry?[] Entries { get; }

    /// <summary>Number of pieces in each <see cref="StoredState"/>. Changed by <see cref="PieceStates"/> only.</summary>
    public int[] Counts { get; } = new int[(int)StoredState.Synced + 1];

    /// <summary>Number of readers' windows that hold each piece.</summary>

    public ushort[] Pins { get; }

    /// <summary>The lane of its kept files, as determined last.</summary>
    public (KeptDisk Of, WriteLane Lane)? Lane { get; set; }

    /// <summary>True if the torrent is to be kept: see <see cref="WritesKept"/>.</summary>
    public bool IsKept { get; set; }

    /// <summary>
    /// Why kept files cannot be used: they are gone, or cannot be reached. Null: no such trouble is known. Read without a lock.
    /// </summary>
    public string? Missing { get; set; }

    /// <summary>
    /// Kept pieces that are not held now, because their files are missing. They stay recorded, so that they are held again once the files
    /// are back.
    /// </summary>
    public BitField Absent { get; }

    /// <summary>True if new pieces are written to the kept files instead of the cache.</summary>
    public bool WritesKept => IsKept && Missing is null;

    /// <summary><see cref="Missing"/>, unless the torrent is no longer to be kept.</summary>
    public string? Needed => IsKept || Kept is null ? Missing : null;

    /// <summary>The move of pieces between the cache and the kept files. Completed when nothing is being moved.</summary>
    public Task Moving { get; set; } = Task.CompletedTask;

    /// <summary>True while it is being closed: no further batch is moved.</summary>
    public bool IsClosing { get; set; }

    /// <summary>Write jobs that are queued or running. The last steps of a job come after its piece has left the state Writing.</summary>
    public int WriteJobs { get; set; }

    /// <summary>Completes when <see cref="WriteJobs"/> is 0; null if nothing waits for that.</summary>
    public TaskCompletionSource? Written { get; set; }

    /// <summary>How many syncs have failed since the torrent was opened.</summary>
    public int FailedSyncs { get; set; }

    /// <summary>
    /// Resume data of synced pieces that could not be saved: the next checkpoint tries again. Used under <see cref="ResumeGate"/>, and read
    /// without it.
    /// </summary>
    public (bool Cache, bool Kept) LateClaims { get; set; }

    /// <summary>True if there is something for a checkpoint to do.</summary>
    public bool HasUnclaimed => Count(StoredState.Disk) > 0 || LateClaims != default;

    /// <summary>Files that are being watched.</summary>
    public List<Watch> Watches { get; } = [];

    /// <summary>Number of pieces in a state.</summary>
    public int Count(StoredState state) => Counts[(int)state];

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
        _store.Close(this);
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
    /// <summary>Called when a piece is no longer held.</summary>
    /// <param name="piece">Its number.</param>
    /// <param name="forRoom">True: it was evicted to make room. False: it could not be read.</param>
    void PieceDropped(int piece, bool forRoom);

    /// <summary>Called when a piece that was not held was found on disk and is good.</summary>
    void PieceFound(int piece);

    /// <summary>Grows each time the torrent is told to fetch. Read before a write, for <see cref="WriteFailed"/>.</summary>
    int Attempt { get; }

    /// <summary>Called when a piece could not be written. It stays in memory while there is room.</summary>
    /// <param name="error">The system's error.</param>
    /// <param name="attempt"><see cref="Attempt"/> when the write began: a failure from before the torrent was told to fetch again does not
    /// stop fetching.</param>
    void WriteFailed(Exception error, int attempt);

    /// <summary>Called when kept files are missing: from then on, only what readers need is fetched.</summary>
    /// <param name="reason">What is missing, or why it cannot be reached.</param>
    void FilesMissing(string reason);
}
