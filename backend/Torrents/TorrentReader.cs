using System.Runtime.CompilerServices;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents;

/// <summary>
/// Reads a range of a torrent: from the hashed buffers while they are in memory, otherwise from disk. Waits for missing pieces, and is
/// woken when one arrives. Opening it requests the first pieces at once.
/// </summary>
internal sealed class TorrentReader : ContentReader
{
    /// <summary>
    /// Most bytes of a lease: large enough that its cost does not matter, small enough that a slow consumer does not hold a whole piece.
    /// </summary>
    private const int MostLease = 256 << 10;

    /// <summary>Interval at which late blocks are checked during a wait. Not on the data path: the piece itself wakes the reader.</summary>
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Wait after which its cause is recorded: shortly before it is long enough to be reported.</summary>
    private static readonly TimeSpan TraceAfter = ReaderWait.Least - CheckInterval;

    /// <summary>Most pieces ahead counted for <see cref="Observe"/>.</summary>
    private const int MaxPiecesAhead = 256;

    private readonly Swarm _swarm;
    private readonly TorrentPieces _pieces;
    private readonly long _origin;
    private readonly long _end;
    private readonly ReaderWindow? _window;
    private readonly Watch? _watch;
    private readonly TorrentWaiter _waiter = new();
    private readonly long _opened;
    private ITimer? _timer;
    private long _position;
    private long _waitingSince;
    private string? _waitTrace;
    private long _waitTraceAt;
    private ReaderWait? _lastWait;
    private bool _hasReportedFirstByte;
    private bool _disposed;

    /// <param name="swarm">The torrent; described.</param>
    /// <param name="file">The file.</param>
    /// <param name="start">First byte, in the torrent.</param>
    /// <param name="end">One past the last byte, in the torrent.</param>
    /// <param name="intent">The purpose of the reader.</param>
    public TorrentReader(Swarm swarm, TorrentFile file, long start, long end, ReadIntent intent)
    {
        _swarm = swarm;
        _pieces = swarm.Pieces!;
        _origin = file.Offset;
        _position = start;
        _end = end;
        _opened = swarm.Now;
        if (start == end)
            return;
        _window = new ReaderWindow(_pieces.Info, start, end, intent, swarm.Context.Pool.Budget, _opened);
        if (intent == ReadIntent.Playback)
            _watch = _pieces.Watch(_window.PieceOf(file.Offset), _window.PieceOf(file.Offset + file.Length - 1));
        swarm.Readers.Join(_window, _waiter);
    }

    /// <inheritdoc/>
    public override long Position => _position - _origin;

    /// <inheritdoc/>
    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_position == _end)
            return new ValueTask<ContentLease>(ContentLease.Empty);
        _window!.LastReadAt = _swarm.Now;
        if (_window.IsIdle)
            _swarm.Readers.Resume(_window);
        var (piece, offset, length) = Next();
        return _pieces.TryLease(piece, offset, length) is { } lease
            ? new ValueTask<ContentLease>(Lend(lease))
            : SlowAsync(piece, offset, length, cancellationToken);
    }

    /// <inheritdoc/>
    public override ReaderState Observe()
    {
        var at = Volatile.Read(ref _position);
        if (Volatile.Read(ref _disposed) || at >= _end)
            return ReaderState.Unknown;
        var length = _pieces.Info.PieceLength;
        var piece = (int)(at / length);
        var next = piece;
        while (next - piece < MaxPiecesAhead && (long)next * length < _end && _pieces.Holds(next))
            next++;
        var ahead = Math.Max(0, Math.Min(_end, (long)next * length) - at);
        return new(ahead, -1, ahead == 0 ? piece : -1)
        { InFlight = _swarm.Status.Last.InFlight, LastWait = Volatile.Read(ref _lastWait) };
    }

    /// <inheritdoc/>
    public override void SetYieldMode(YieldMode? mode)
    {
        if (_window is not null)
            _swarm.Readers.SetYieldMode(_window, mode);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_disposed)
            return;
        _disposed = true;
        if (_window is not null)
            _swarm.Readers.Remove(_window);
        if (_watch is not null)
            _pieces.Unwatch(_watch);
        if (_timer is not null)
            await _timer.DisposeAsync();
    }

    private (int Piece, int Offset, int Length) Next()
    {
        var info = _pieces.Info;
        var piece = (int)(_position / info.PieceLength);
        var offset = (int)(_position % info.PieceLength);
        return (piece, offset, (int)Math.Min(Math.Min(MostLease, info.SizeOf(piece) - offset), _end - _position));
    }

    private ContentLease Lend(ContentLease lease)
    {
        if (!_hasReportedFirstByte)
        {
            _hasReportedFirstByte = true;
            _swarm.Metrics.FirstByte(_swarm.Now - _opened);
        }

        var before = _position / _pieces.Info.PieceLength;
        _position += lease.Length;
        if (_position / _pieces.Info.PieceLength != before)
            _swarm.Readers.Move(_window!, _position);
        return lease;
    }

    // Pooled, so that waiting for a piece does not allocate.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> SlowAsync(int piece, int offset, int length, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (_pieces.TryLease(piece, offset, length) is { } lease)
                return Lend(lease);
            if (_pieces.Holds(piece))
            {
                if (await ReadFromDiskAsync(piece, offset, length, cancellationToken) is { } read)
                    return Lend(read);
                continue;
            }

            if (await WaitAsync(piece, cancellationToken) is { } reason)
                throw new ContentException(ContentFault.Unavailable, reason);
        }
    }

    private async ValueTask<ContentLease?> ReadFromDiskAsync(int piece, int offset, int length, CancellationToken cancellationToken)
    {
        var pool = _swarm.Context.Pool;
        pool.Budget.Reserve(BufferPool.ClassOf(length));
        var buffer = pool.Rent(length);
        try
        {
            var count = await _pieces.ReadAsync(piece, offset, buffer.Memory[..length], cancellationToken);
            return count > 0 ? ContentLease.Of(buffer, 0, count) : null;
        }
        finally
        {
            buffer.Release();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<string?> WaitAsync(int piece, CancellationToken cancellationToken)
    {
        var woken = _waiter.Arm();
        _waitingSince = _swarm.Now;
        _waitTrace = null;
        if (!_swarm.Readers.Wait(_window!, piece))
        {
            _waiter.Wake();
            return await woken;
        }

        _timer ??= _swarm.Context.Time.CreateTimer(
            static state => ((TorrentReader)state!).CheckWait(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(CheckInterval, CheckInterval);
        try
        {
            await using (cancellationToken.UnsafeRegister(static (state, token) => ((TorrentWaiter)state!).Cancel(token), _waiter))
                return await woken;
        }
        finally
        {
            _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _swarm.Readers.StopWaiting(_window!);
            var waited = _swarm.Now - _waitingSince;
            _swarm.Metrics.Waited(waited);
            if (waited >= ReaderWait.Least.Ticks)
                Volatile.Write(ref _lastWait, new ReaderWait(-1, new TimeSpan(waited), Volatile.Read(ref _waitTrace)));
        }
    }

    private void CheckWait()
    {
        // Record the cause while it can still be seen.
        var now = _swarm.Now;
        var piece = _window!.Waiting;
        if (piece >= 0 && now - _waitingSince >= TraceAfter.Ticks && (_waitTrace is null || now - _waitTraceAt >= ReaderWait.Least.Ticks))
        {
            _waitTraceAt = now;
            Volatile.Write(ref _waitTrace, _swarm.Readers.Describe(piece));
        }

        _swarm.Readers.CheckWait(_window!, _waitingSince);
    }
}
