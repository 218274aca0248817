using NzbDav.Content;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of all torrents, in limited memory and on limited disk space. When the budget runs short, memory is freed: first
/// that of pieces outside all readers' windows, then that of pieces in a window that are also on disk. Each piece is written at most once,
/// by the store's own threads, if <see cref="WriteAdmission"/> permits. Pieces outside all windows are evicted from disk by last use, the
/// edges of files and then watched files last. Thread-safe.
/// </summary>
internal sealed partial class PieceStore : IBudgetReclaimer, IDisposable
{
    /// <summary>Pieces written after the last checkpoint are fetched again after a crash.</summary>
    private static readonly TimeSpan CheckpointTime = TimeSpan.FromSeconds(10);

    /// <summary>Most files of kept torrents that stay open: two hundred seeding torrents have thousands.</summary>
    private const int MostOpenFiles = 128;

    /// <summary>Entries kept for reuse; many pieces leave the disk at once.</summary>
    private const int MostUnused = 256;

    private readonly Lock _gate = new();

    private readonly WriteLanes _lanes;
    private readonly Action<PieceEntry> _write;
    private readonly WriteAdmission _admission;
    private readonly TorrentMetrics _metrics;
    private readonly TimeProvider _time;
    private readonly string? _folder;
    private readonly ITimer _timer;
    private readonly PieceVictims _victims = new();
    private readonly HashSet<HeldPieces> _torrents = [];
    private readonly Stack<PieceEntry> _unused = [];
    private readonly RestingPieces? _resting;
    private readonly string? _keepFolder;
    private readonly bool _hasHoles;
    private readonly KeptRecords _records;
    private readonly ResumeData _resume;
    private readonly OpenFiles _openFiles = new(MostOpenFiles);
    private long _diskLimit;
    private long _diskBytes;
    private long _reserved;

    /// <param name="budget">Budget of the pieces' buffers: limits the data waiting to be written.</param>
    /// <param name="folder">The cache folder; null = pieces are held in memory only.</param>
    /// <param name="diskLimit">Most bytes in the cache folder; 0: data that an earlier run left is removed.</param>
    /// <param name="time">Drives checkpoints and measurements.</param>
    /// <param name="metrics">Receives the cost of writing.</param>
    /// <param name="keepFolder">Folder of torrents that are kept whole, outside that limit; null = none. Their records and claims are in
    /// <paramref name="folder"/>.</param>
    /// <param name="hasHoles">Whether files in a folder can have holes; null: tries it out.</param>
    /// <param name="free">Free bytes on the disk of a folder; null: asks the system.</param>
    /// <param name="diskOf">The disk that a folder is on; null: asks the system.</param>
    public PieceStore(
        BufferBudget budget,
        string? folder,
        long diskLimit,
        TimeProvider time,
        TorrentMetrics metrics,
        string? keepFolder = null,
        Func<string, bool>? hasHoles = null,
        Func<string, long?>? free = null,
        Func<string, string>? diskOf = null)
    {
        _lanes = new WriteLanes(budget, folder, diskOf);
        _write = Write;
        _free = free ?? FreeOf;
        _keepFolder = keepFolder;
        _admission = new WriteAdmission(budget, time);
        _metrics = metrics;
        _resume = new ResumeData(_gate, metrics, DropUnsynced);
        _records = new KeptRecords(folder);
        _time = time;
        _folder = folder;
        _diskLimit = diskLimit;
        if (_folder is not null)
        {
            _hasHoles = (hasHoles ?? SparseFile.CanPunch)(_folder);
            _resting = new RestingPieces(_folder, _hasHoles);
            _diskBytes = _resting.Scan();
            if (_diskBytes > diskLimit)
                _lanes.Cache.Add(new ActionJob<PieceStore>(static store => store.Trim(), this));
        }

        _timer = time.CreateTimer(
            static state => ((PieceStore)state!).QueueCheckpoint(), this, CheckpointTime, CheckpointTime);
    }

    /// <summary>Limit of <see cref="DiskBytes"/>. When it is lowered, pieces are evicted in the background, those in readers' windows only
    /// after the readers have moved on.</summary>
    public long DiskLimit
    {
        get => Interlocked.Read(ref _diskLimit);
        set
        {
            Interlocked.Exchange(ref _diskLimit, value);
            if (DiskBytes > value)
                _lanes.Cache.Add(new ActionJob<PieceStore>(static store => store.Trim(), this));
        }
    }

    private bool KeepsOnDisk => _folder is not null && DiskLimit > 0;

    /// <summary>Bytes on disk, not counting kept files.</summary>
    public long DiskBytes => Interlocked.Read(ref _diskBytes);

    /// <summary>Bytes of pieces being written, for which room has been reserved.</summary>
    internal long ReservedBytes => Interlocked.Read(ref _reserved);

    /// <summary>Completes all pending writes. Nothing may be added afterwards.</summary>
    public void Drain() => _lanes.Dispose();

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    internal ContentLease? TryLease(HeldPieces pieces, int piece, int offset, int length)
    {
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { Buffer: { } buffer } entry)
                return null;
            _victims.UseInMemory(entry);
            return ContentLease.Of(buffer, offset, length);
        }
    }

    internal bool Holds(HeldPieces pieces, int piece)
    {
        lock (_gate)
            return pieces.Entries[piece] is not null;
    }

    internal void Add(HeldPieces pieces, int piece, PooledBuffer buffer, bool mustKeep)
    {
        PieceEntry entry;
        bool keeps;
        lock (_gate)
        {
            if (!_torrents.Contains(pieces) || pieces.Entries[piece] is not null)
            {
                buffer.Release();
                return;
            }

            var limit = pieces.IsWatched(piece) ? Math.Max(DiskLimit, _watchedLimit) : DiskLimit;
            keeps = pieces.WritesKept
                ? _admission.TryEnter(buffer.Capacity, limit, mustKeep: true)
                : KeepsOnDisk && _admission.TryEnter(buffer.Capacity, limit, mustKeep);
            entry = NewEntry(pieces, piece);
            entry.Buffer = buffer;
            if (keeps)
                BeginWriting(entry);
            _victims.UseInMemory(entry);
        }

        if (keeps)
            entry.Lane!.Add(entry.Job);
        else if (KeepsOnDisk)
            _metrics.Passed();
    }

    internal Task WrittenAsync(HeldPieces pieces)
    {
        lock (_gate)
        {
            if (pieces.Writing == 0)
                return Task.CompletedTask;
            pieces.Written ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return pieces.Written.Task;
        }
    }

    internal void Pin(HeldPieces pieces, int first, int last, int by)
    {
        lock (_gate)
        {
            for (var piece = first; piece <= last; piece++)
            {
                pieces.Pins[piece] = (ushort)(pieces.Pins[piece] + by);
                if (pieces.Entries[piece] is { } entry)
                    _victims.Changed(entry);
            }
        }
    }

    /// <inheritdoc/>
    public void Reclaim(long bytes)
    {
        lock (_gate)
        {
            while (bytes > 0 && (_victims.InMemory ?? _victims.InMemoryPinned) is { } entry)
            {
                bytes -= entry.Buffer!.Capacity;
                ForgetMemory(entry);
                DropIfGone(entry, forRoom: true);
            }
        }
    }

    /// <summary>Marks a piece as waiting to be written. Under the lock; afterwards add its job to its lane.</summary>
    private void BeginWriting(PieceEntry entry)
    {
        var pieces = entry.Owner;
        entry.IsWriting = true;
        entry.Lane = pieces.WritesKept ? _lanes.Of(pieces) : _lanes.Cache;
        entry.Lane.Count(pieces.Info.SizeOf(entry.Piece));
        pieces.Writing++;
    }

    /// <summary>See <see cref="TorrentPieces.IsDiskBehind"/>.</summary>
    internal bool IsDiskBehind(HeldPieces pieces)
    {
        lock (_gate)
            return pieces.WritesKept && _lanes.IsFull(pieces);
    }

    private void QueueCheckpoint()
    {
        foreach (var lane in _lanes.All)
        {
            if (lane.TryBeginCheckpoint())
                lane.Add(new ActionJob<(PieceStore Store, WriteLane Lane)>(static at => at.Store.Checkpoint(at.Lane), (this, lane)));
        }
    }

    private static void ForgetMemory(PieceEntry entry)
    {
        if (entry.Buffer is not { } buffer)
            return;
        entry.Buffer = null;
        PieceVictims.RemoveFromMemory(entry);
        buffer.Release();
    }

    private void ForgetDisk(PieceEntry entry)
    {
        if (!entry.IsOnDisk)
            return;
        _victims.RemoveFromDisk(entry);
        entry.Owner.Synced.Clear(entry.Piece);
        if (!entry.IsInKeep)
            _diskBytes -= entry.Owner.Info.SizeOf(entry.Piece);
        entry.IsInKeep = false;
    }

    private void DropIfGone(PieceEntry entry, bool forRoom)
    {
        if (entry.Buffer is not null || entry.IsOnDisk)
            return;
        entry.Owner.Entries[entry.Piece] = null;
        entry.Owner.Events.PieceDropped(entry.Piece, forRoom);

        // An entry that is being read or written is still referenced, so it is not reused.
        if (entry.IsUnused && _unused.Count < MostUnused)
            _unused.Push(entry);
    }

    private PieceEntry NewEntry(HeldPieces pieces, int piece)
    {
        if (!_unused.TryPop(out var entry))
            entry = new PieceEntry(_write);
        entry.Become(pieces, piece);
        pieces.Entries[piece] = entry;
        return entry;
    }
}
