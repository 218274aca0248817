using NzbDav.Content;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of all torrents, in limited memory and on limited disk space. When the budget runs short, memory is freed: first
/// that of pieces outside all readers' windows, then that of pieces in a window that are also on disk. Each piece is written at most once,
/// by the store's own threads, if <see cref="WriteAdmission"/> permits it. Pieces outside all windows are evicted from disk by last use;
/// the edges of files and then watched files come last. Thread-safe.
/// </summary>
internal sealed partial class PieceStore : IBudgetReclaimer, IDisposable
{
    /// <summary>Interval of checkpoints. Pieces written after the last one are fetched again after a crash.</summary>
    private static readonly TimeSpan CheckpointTime = TimeSpan.FromSeconds(10);

    /// <summary>Most files of kept torrents that stay open: two hundred seeding torrents have thousands.</summary>
    private const int MostOpenFiles = 128;

    private readonly Lock _gate = new();

    private readonly WriteLanes _lanes;
    private readonly WriteAdmission _admission;
    private readonly TorrentMetrics _metrics;
    private readonly TimeProvider _time;
    private readonly string? _folder;
    private readonly ITimer _timer;
    private readonly PieceStates _states;
    private readonly HashSet<TorrentPieces> _torrents = [];
    private readonly RestingPieces? _resting;
    private readonly string? _keepFolder;
    private readonly bool _hasHoles;
    private readonly KeptRecords _records;
    private readonly OpenFiles _openFiles = new(MostOpenFiles);
    private long _diskLimit;
    private long _reserved;

    /// <param name="budget">Budget of the pieces' buffers: limits the data waiting to be written.</param>
    /// <param name="folder">The cache folder; null = pieces are held in memory only.</param>
    /// <param name="diskLimit">Most bytes in the cache folder; 0: data that an earlier run left is removed.</param>
    /// <param name="time">Drives checkpoints and measurements.</param>
    /// <param name="metrics">Receives the cost of writing.</param>
    /// <param name="keepFolder">Folder of torrents that are kept whole, outside that limit; null = none. Their records and resume data are
    /// in <paramref name="folder"/>.</param>
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
        _states = new PieceStates(Write);
        _free = free ?? FreeOf;
        _keepFolder = keepFolder;
        _admission = new WriteAdmission(budget, time);
        _metrics = metrics;
        Resume = new ResumeData(_gate, _states, metrics);
        _records = new KeptRecords(folder);
        _time = time;
        _folder = folder;
        _diskLimit = diskLimit;
        if (_folder is not null)
        {
            _hasHoles = (hasHoles ?? SparseFile.CanPunch)(_folder);
            _resting = new RestingPieces(_folder, _hasHoles);
            _resting.Scan();
            if (DiskBytes > diskLimit)
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

    /// <summary>The resume data of all torrents.</summary>
    internal ResumeData Resume { get; }

    private bool KeepsOnDisk => _folder is not null && DiskLimit > 0;

    /// <summary>Bytes on disk, not counting kept files.</summary>
    public long DiskBytes => _states.CachedBytes + (_resting?.Bytes ?? 0);

    /// <summary>Bytes of pieces being written, for which room has been reserved.</summary>
    internal long ReservedBytes => Interlocked.Read(ref _reserved);

    /// <summary>Completes all pending writes. Nothing may be added afterwards.</summary>
    public void Drain() => _lanes.Dispose();

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    internal ContentLease? TryLease(TorrentPieces pieces, int piece, int offset, int length)
    {
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { Buffer: { } buffer } entry)
                return null;
            PieceStates.Use(entry);
            return ContentLease.Of(buffer, offset, length);
        }
    }

    internal bool Holds(TorrentPieces pieces, int piece)
    {
        lock (_gate)
            return pieces.Entries[piece] is not null;
    }

    internal BitField ListHeld(TorrentPieces pieces)
    {
        var held = new BitField(pieces.Info.PieceCount);
        lock (_gate)
        {
            for (var piece = 0; piece < held.Length; piece++)
            {
                if (pieces.Entries[piece] is not null)
                    held.Set(piece);
            }
        }

        return held;
    }

    internal void Add(TorrentPieces pieces, int piece, PooledBuffer buffer, bool mustKeep)
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
            entry = _states.Receive(pieces, piece, buffer);
            if (keeps)
                BeginWriting(entry);
        }

        if (keeps)
            entry.Lane!.Add(entry.Job);
        else if (KeepsOnDisk)
            _metrics.Passed();
    }

    internal Task WrittenAsync(TorrentPieces pieces)
    {
        lock (_gate)
        {
            if (pieces.WriteJobs == 0)
                return Task.CompletedTask;
            pieces.Written ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return pieces.Written.Task;
        }
    }

    internal void Pin(TorrentPieces pieces, int first, int last, int by)
    {
        lock (_gate)
        {
            for (var piece = first; piece <= last; piece++)
                pieces.Pins[piece] = (ushort)(pieces.Pins[piece] + by);
            _states.Reclassify(pieces, first, last);
        }
    }

    /// <inheritdoc/>
    public void Reclaim(long bytes)
    {
        lock (_gate)
        {
            while (bytes > 0 && (_states.InMemory ?? _states.InMemoryPinned) is { } entry)
            {
                bytes -= entry.Buffer!.Capacity;
                _states.LeaveMemory(entry);
            }
        }
    }

    /// <summary>Memory → Writing. Under the lock. The caller then adds the piece's job to its lane.</summary>
    private void BeginWriting(PieceEntry entry)
    {
        var pieces = entry.Owner;
        _states.BeginWriting(entry);
        entry.Lane = pieces.WritesKept ? _lanes.Of(pieces) : _lanes.Cache;
        entry.Lane.Count(pieces.Info.SizeOf(entry.Piece));
        pieces.WriteJobs++;
    }

    /// <summary>See <see cref="TorrentPieces.IsDiskBehind"/>.</summary>
    internal bool IsDiskBehind(TorrentPieces pieces)
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
}
