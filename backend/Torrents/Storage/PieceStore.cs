using NzbDav.Content;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of all torrents, in bounded memory and on bounded disk. Memory gives way when the budget is short: first what is on disk and
/// in no reader's window. Each piece is written at most once, by threads of the store's own, if <see cref="WriteAdmission"/> lets it. A piece leaves the disk by last use, outside all
/// windows, the edges of files last. Thread-safe.
/// </summary>
internal sealed partial class PieceStore : IBudgetReclaimer, IDisposable
{
    /// <summary>Pieces written after the last checkpoint are fetched again after a crash.</summary>
    private static readonly TimeSpan CheckpointTime = TimeSpan.FromSeconds(10);

    /// <summary>Files of kept torrents that stay open: two hundred seeding ones have thousands.</summary>
    private const int MostOpenFiles = 128;

    /// <summary>Entries kept for later; many pieces leave the disk at once.</summary>
    private const int MostUnused = 256;

    private readonly Lock _gate = new();

    /// <summary>Two threads: pieces are written while the other waits for a sync.</summary>
    private readonly BackgroundWorkers _writers = new(2, "torrent-writer");

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
    private readonly KeptRecords _records;
    private readonly PieceClaims _claims;
    private readonly OpenFiles _openFiles = new(MostOpenFiles);
    private long _diskLimit;
    private long _diskBytes;
    private long _reserved;
    private bool _isCheckpointing;

    /// <param name="budget">Of the buffers that pieces are in: bounds what waits to be written.</param>
    /// <param name="folder">Where pieces are kept; null = in memory only.</param>
    /// <param name="diskLimit">Bytes on disk in all; 0: what an earlier run left is removed.</param>
    /// <param name="time">Drives the checkpoints and measures.</param>
    /// <param name="metrics">Told what writing costs.</param>
    /// <param name="keepFolder">Where torrents are kept whole, outside that bound; null = nowhere. Records and claims are in <paramref name="folder"/>.</param>
    public PieceStore(BufferBudget budget, string? folder, long diskLimit, TimeProvider time, TorrentMetrics metrics, string? keepFolder = null)
    {
        _write = Write;
        _keepFolder = keepFolder;
        _admission = new WriteAdmission(budget, time);
        _metrics = metrics;
        _claims = new PieceClaims(_gate, metrics);
        _records = new KeptRecords(folder);
        _time = time;
        _folder = folder;
        _diskLimit = diskLimit;
        if (_folder is not null)
        {
            _resting = new RestingPieces(_folder);
            _diskBytes = _resting.Scan();
            if (_diskBytes > diskLimit)
                _writers.Add(new ActionJob<PieceStore>(static store => store.Trim(), this));
        }

        _timer = time.CreateTimer(
            static state => ((PieceStore)state!).QueueCheckpoint(), this, CheckpointTime, CheckpointTime);
    }

    /// <summary>Bound of the bytes on disk. What is over a lower one goes in the background, but for what readers are at: that goes when they have passed.</summary>
    public long DiskLimit
    {
        get => Interlocked.Read(ref _diskLimit);
        set
        {
            Interlocked.Exchange(ref _diskLimit, value);
            if (DiskBytes > value)
                _writers.Add(new ActionJob<PieceStore>(static store => store.Trim(), this));
        }
    }

    private bool KeepsOnDisk => _folder is not null && DiskLimit > 0;

    /// <summary>Bytes on disk.</summary>
    public long DiskBytes => Interlocked.Read(ref _diskBytes);

    /// <summary>Bytes that are being written and have their room.</summary>
    internal long ReservedBytes => Interlocked.Read(ref _reserved);

    /// <summary>Writes what waits to be written. Nothing may be added any more.</summary>
    public void Drain() => _writers.Dispose();

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

            keeps = pieces.IsKept ? _admission.TryEnter(buffer.Capacity, DiskLimit, mustKeep: true) : KeepsOnDisk && _admission.TryEnter(buffer.Capacity, DiskLimit, mustKeep);

            entry = NewEntry(pieces, piece);
            entry.Buffer = buffer;
            entry.IsWriting = keeps;
            if (keeps)
                pieces.Writing++;
            _victims.UseInMemory(entry);
        }

        if (keeps)
            _writers.Add(entry.Job);
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

    private void QueueCheckpoint()
    {
        // One at a time: on a slow disk a sync takes longer than the time between two.
        if (!Interlocked.Exchange(ref _isCheckpointing, true))
            _writers.Add(new ActionJob<PieceStore>(static store => store.Checkpoint(), this));
    }

    private static void ForgetMemory(PieceEntry entry)
    {
        if (entry.Buffer is not { } buffer)
            return;
        entry.Buffer = null;
        PieceVictims.LeaveMemory(entry);
        buffer.Release();
    }

    private void ForgetDisk(PieceEntry entry)
    {
        if (!entry.IsOnDisk)
            return;
        _victims.LeaveDisk(entry);
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
        entry.Owner.News.Dropped(entry.Piece, forRoom);

        // One that is being read or written is still referred to: it is not used again.
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
