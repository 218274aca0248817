using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// The verified pieces of all torrents, in bounded memory and on bounded disk. Memory gives way when the budget is short: first what is on disk and
/// in no reader's window. Each piece is written once, by the background workers. A piece leaves the disk by last use, outside all windows, the edges of files last.
/// Order that a crash cannot turn round: data is synced before it is claimed; a claim is withdrawn before its data goes. Thread-safe.
/// </summary>
internal sealed partial class PieceStore : IBudgetReclaimer, IDisposable
{
    /// <summary>What a crash may cost: pieces written since are fetched again.</summary>
    private static readonly TimeSpan CheckpointTime = TimeSpan.FromSeconds(10);

    /// <summary>Entries kept for later; many pieces leave the disk at once.</summary>
    private const int MostUnused = 256;

    private readonly Lock _gate = new();
    private readonly BackgroundWorkers _workers;
    private readonly TorrentMetrics _metrics;
    private readonly TimeProvider _time;
    private readonly string? _folder;
    private readonly ITimer _timer;
    private readonly LinkedList<PieceEntry> _memory = [];
    private readonly LinkedList<PieceEntry> _disk = [];
    private readonly HashSet<TorrentPieces> _torrents = [];
    private readonly Stack<PieceEntry> _unused = [];
    private readonly RestingPieces? _resting;
    private long _diskLimit;
    private long _diskBytes;
    private long _writing;

    /// <param name="workers">Do the writing.</param>
    /// <param name="folder">Where pieces are kept; null = in memory only.</param>
    /// <param name="diskLimit">Bytes on disk in all; 0: what an earlier run left is removed.</param>
    /// <param name="time">Drives the checkpoints and measures.</param>
    /// <param name="metrics">Told what writing costs.</param>
    public PieceStore(BackgroundWorkers workers, string? folder, long diskLimit, TimeProvider time, TorrentMetrics metrics)
    {
        _workers = workers;
        _metrics = metrics;
        _time = time;
        _folder = folder;
        _diskLimit = diskLimit;
        if (_folder is not null)
        {
            _resting = new RestingPieces(_folder, time);
            _diskBytes = _resting.Scan();
            if (_diskBytes > diskLimit)
                workers.Add(new TrimJob(this), BackgroundWorkers.Write);
        }

        _timer = time.CreateTimer(
            static state => ((PieceStore)state!)._workers.Add(new CheckpointJob((PieceStore)state), BackgroundWorkers.Write), this, CheckpointTime, CheckpointTime);
    }

    /// <summary>Bound of the bytes on disk. What is over a lower one goes in the background, but for what readers are at: that goes when they have passed.</summary>
    public long DiskLimit
    {
        get => Interlocked.Read(ref _diskLimit);
        set
        {
            Interlocked.Exchange(ref _diskLimit, value);
            if (DiskBytes > value)
                _workers.Add(new TrimJob(this), BackgroundWorkers.Write);
        }
    }

    private bool KeepsOnDisk => _folder is not null && DiskLimit > 0;

    /// <summary>Bytes on disk.</summary>
    public long DiskBytes => Interlocked.Read(ref _diskBytes);

    /// <summary>Bytes that wait to be written.</summary>
    public long Writing => Interlocked.Read(ref _writing);

    /// <summary>Opens a torrent's pieces.</summary>
    /// <param name="info">The torrent.</param>
    /// <param name="news">See <see cref="TorrentPieces.News"/>.</param>
    /// <param name="held">Pieces that an earlier run left on disk.</param>
    public TorrentPieces Open(TorrentInfo info, IStorageNews news, out BitField held)
    {
        var pieces = new TorrentPieces(this, info, _folder is null ? null : Path.Combine(_folder, info.Hash.ToString()), news);
        lock (_gate)
            _diskBytes -= _resting?.Take(info.Hash) ?? 0;
        held = pieces.Load() ?? new BitField(info.PieceCount);
        lock (_gate)
        {
            _torrents.Add(pieces);
            for (var piece = 0; piece < info.PieceCount; piece++)
            {
                if (!held[piece])
                    continue;
                _disk.AddFirst(NewEntry(pieces, piece).OnDisk);
                pieces.Synced.Set(piece);
                _diskBytes += info.SizeOf(piece);
            }
        }

        return pieces;
    }

    /// <summary>Torrents that are not open and of which something is on disk.</summary>
    public IReadOnlyList<InfoHash> ListResting()
    {
        lock (_gate)
            return [.. _resting?.Hashes ?? []];
    }

    /// <summary>Removes what is on disk of a torrent that is not open.</summary>
    public void Delete(InfoHash hash)
    {
        string? gone = null;
        lock (_gate)
        {
            if (_resting?.Take(hash) is { } bytes)
            {
                _diskBytes -= bytes;
                gone = _resting.Forget(hash);
            }
        }

        if (gone is not null)
            RestingPieces.TryDelete(gone);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    internal ContentLease? TryLease(TorrentPieces pieces, int piece, int offset, int length)
    {
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { Buffer: { } buffer } entry)
                return null;
            _memory.Remove(entry.InMemory);
            _memory.AddLast(entry.InMemory);
            return ContentLease.Of(buffer, offset, length);
        }
    }

    internal bool Holds(TorrentPieces pieces, int piece)
    {
        lock (_gate)
            return pieces.Entries[piece] is not null;
    }

    internal void Add(TorrentPieces pieces, int piece, PooledBuffer buffer)
    {
        PieceEntry entry;
        var keeps = KeepsOnDisk;
        lock (_gate)
        {
            if (!_torrents.Contains(pieces) || pieces.Entries[piece] is not null)
            {
                buffer.Release();
                return;
            }

            entry = NewEntry(pieces, piece);
            entry.Buffer = buffer;
            entry.IsWriting = keeps;
            _memory.AddLast(entry.InMemory);
        }

        if (!keeps)
            return;
        Interlocked.Add(ref _writing, buffer.Capacity);
        _workers.Add(entry.Job, BackgroundWorkers.Write);
    }

    internal void Pin(TorrentPieces pieces, int first, int last, int by)
    {
        lock (_gate)
        {
            for (var piece = first; piece <= last; piece++)
                pieces.Pins[piece] = (ushort)(pieces.Pins[piece] + by);
        }
    }

    /// <inheritdoc/>
    public void Reclaim(long bytes)
    {
        lock (_gate)
        {
            bytes -= ReclaimFrom(bytes, pinned: false);
            if (bytes > 0)
                ReclaimFrom(bytes, pinned: true);
        }
    }

    internal void Close(TorrentPieces pieces)
    {
        if (_folder is not null)
            Checkpoint(pieces);
        lock (_gate)
        {
            _torrents.Remove(pieces);
            var before = _diskBytes;
            foreach (var entry in pieces.Entries)
            {
                if (entry is null)
                    continue;
                ForgetMemory(entry);
                ForgetDisk(entry);
            }

            Array.Clear(pieces.Entries);
            _resting?.Add(pieces.Info.Hash, before - _diskBytes);
            _diskBytes = before;
        }
    }

    private long ReclaimFrom(long bytes, bool pinned)
    {
        long freed = 0;
        for (var node = _memory.First; node is not null && freed < bytes;)
        {
            var entry = node.Value;
            node = node.Next;
            var isPinned = entry.Owner.Pins[entry.Piece] > 0;
            if (entry.IsWriting || isPinned != pinned || (pinned && !entry.IsOnDisk))
                continue;
            freed += entry.Buffer!.Capacity;
            ForgetMemory(entry);
            DropIfGone(entry, forRoom: true);
        }

        return freed;
    }

    private void ForgetMemory(PieceEntry entry)
    {
        if (entry.Buffer is not { } buffer)
            return;
        entry.Buffer = null;
        _memory.Remove(entry.InMemory);
        buffer.Release();
    }

    private void ForgetDisk(PieceEntry entry)
    {
        if (!entry.IsOnDisk)
            return;
        _disk.Remove(entry.OnDisk);
        entry.Owner.Synced.Clear(entry.Piece);
        _diskBytes -= entry.Owner.Info.SizeOf(entry.Piece);
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

    private PieceEntry NewEntry(TorrentPieces pieces, int piece)
    {
        if (!_unused.TryPop(out var entry))
            entry = new PieceEntry(this);
        entry.Become(pieces, piece);
        pieces.Entries[piece] = entry;
        return entry;
    }
}
