using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>
/// Reads articles from the disk cache if it has them, and fetches the others from the network. Offers articles fetched for readers to the
/// cache. Has its own reading threads, so that a disk that hangs delays nothing else: a read that takes longer than
/// <see cref="DiskTimeout"/> is handed over to the network, and a disk that hangs gets no new reads. Thread-safe.
/// </summary>
internal sealed class DiskFetcher : ISegmentFetcher, IDisposable
{
    /// <summary>
    /// Longest wait for the disk. A sleeping disk takes ten seconds to spin up; a busy one answers within a tenth of a second.
    /// </summary>
    public static readonly TimeSpan DiskTimeout = TimeSpan.FromMilliseconds(400);

    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    /// <summary>Reading threads: enough to keep an SSD busy. More would not make a hard disk faster.</summary>
    private const int Threads = 4;

    /// <summary>Most open reads, including those under way. Further ones would wait longer than a provider takes.</summary>
    private const int MostWaiting = 256;

    private readonly Lock _gate = new();
    private readonly ISegmentFetcher _network;
    private readonly DiskCache _cache;
    private readonly TimeProvider _time;
    private readonly PriorityQueue<DiskRead, (FetchPriority, long)> _waiting = new();
    private readonly List<DiskRead> _open = [];
    private readonly SemaphoreSlim _ready = new(0);
    private readonly ITimer _watch;
    private long _order;
    private bool _hasStarted;
    private bool _disposed;

    /// <param name="network">Fetches from the providers.</param>
    /// <param name="cache">The articles on the disk.</param>
    /// <param name="time">Clock.</param>
    public DiskFetcher(ISegmentFetcher network, DiskCache cache, TimeProvider time)
    {
        (_network, _cache, _time) = (network, cache, time);
        _watch = time.CreateTimer(
            static self => ((DiskFetcher)self!).HandOverLate(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public long Burst => _network.Burst;

    public void Begin(SegmentFlight flight)
    {
        // Imports and checks must ask the providers.
        if (!_cache.Serves || flight.Priority >= FetchPriority.Import || !TryQueue(flight))
            _network.Begin(flight);
    }

    public void Raise(SegmentFlight flight) => _network.Raise(flight);

    public string? TraceOf(SegmentFlight flight) => flight.FetcherState is DiskRead ? null : _network.TraceOf(flight);

    public string? SourceOf(SegmentFlight flight) => flight.FetcherState is DiskRead ? "the disk" : _network.SourceOf(flight);

    public bool TryDrop(SegmentFlight flight)
    {
        if (flight.FetcherState is not DiskRead read)
            return _network.TryDrop(flight);
        lock (_gate)
        {
            if (read.IsRunning || read.IsObsolete)
                return false;
            EndLocked(read);
            return true;
        }
    }

    public void Completed(SegmentFlight flight)
    {
        if (!_cache.IsAccepting || flight.FetcherState is DiskRead || flight.Priority > FetchPriority.ReadAhead
            || flight.TryPeek(out var header) is not { } bytes)
            return;
        if (header is ArticleHeader article)
            _cache.Offer(flight.Key.Id, CacheRecord.KeyOf(flight.Key.Id), article, bytes);
        else
            bytes.Dispose();
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            _waiting.Clear();
        }

        _watch.Dispose();
        _ready.Release(Threads);
    }

    private bool TryQueue(SegmentFlight flight)
    {
        var key = CacheRecord.KeyOf(flight.Key.Id);
        if (!_cache.TryFind(key, out var place))
        {
            _cache.Metrics.Miss();
            return false;
        }

        lock (_gate)
        {
            if (_disposed || _open.Count >= MostWaiting || IsHangingLocked())
            {
                _cache.Metrics.CountLate();
                return false;
            }

            var read = new DiskRead(flight, key, place, _time.GetTimestamp());
            flight.FetcherState = read;
            _open.Add(read);
            _waiting.Enqueue(read, (flight.Priority, ++_order));
            if (_open.Count == 1)
                _watch.Change(Tick, Tick);
            if (!_hasStarted)
            {
                _hasStarted = true;
                for (var i = 0; i < Threads; i++)
                    new Thread(Run) { IsBackground = true, Name = "disk cache reader" }.Start();
            }
        }

        flight.Sent = true;
        _ready.Release();
        return true;
    }

    /// <summary>True while a thread waits for the disk longer than <see cref="DiskTimeout"/>.</summary>
    private bool IsHangingLocked() => _open.Exists(read => read.IsRunning && IsLate(read));

    private bool IsLate(DiskRead read) => _time.GetElapsedTime(read.StartedAt) >= DiskTimeout;

    private void Run()
    {
        using var memory = new AlignedMemory();
        while (true)
        {
            _ready.Wait();
            DiskRead? read = null;
            lock (_gate)
            {
                if (_disposed)
                    return;
                while (_waiting.TryDequeue(out read, out _) && read.IsObsolete)
                {
                }

                if (read is null || read.IsObsolete)
                    continue;
                read.IsRunning = true;
            }

            try
            {
                Read(read, memory);
            }
            catch (Exception e)
            {
                // A bug in this program: a provider is asked for the article, and the thread continues.
                _cache.Fault(e);
                HandOverAfterFault(read);
            }
        }
    }

    /// <summary>Hands an article over to the providers after an internal error while it was read.</summary>
    private void HandOverAfterFault(DiskRead read)
    {
        bool wasLate;
        lock (_gate)
        {
            wasLate = read.IsObsolete;
            EndLocked(read);
        }

        if (!wasLate && !read.Flight.IsEnded)
            HandOver(read.Flight);
    }

    private void Read(DiskRead read, AlignedMemory memory)
    {
        var flight = read.Flight;
        var header = _cache.Read(flight, read.Key, read.Place, memory, out var buffer, out var length);
        bool wasLate;
        lock (_gate)
        {
            wasLate = read.IsObsolete;
            EndLocked(read);
        }

        if (header is not null)
        {
            _cache.Metrics.Hit(length);
            flight.Complete(buffer!, length, header.Begin, header);
            buffer!.Release();
            return;
        }

        _cache.Metrics.Miss();
        if (!wasLate)
            HandOver(flight);
    }

    private void HandOverLate()
    {
        List<DiskRead> late = [];
        lock (_gate)
        {
            foreach (var read in _open)
            {
                if (!read.IsObsolete && IsLate(read))
                {
                    read.IsObsolete = true;
                    late.Add(read);
                }
            }

            // Reads under way stay in the list as the sign of a disk that hangs.
            _open.RemoveAll(static read => read is { IsObsolete: true, IsRunning: false });
            if (_open.Count == 0)
                _watch.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        foreach (var read in late)
        {
            _cache.Metrics.CountLate();
            HandOver(read.Flight);
        }
    }

    /// <summary>Hands a read over to the providers.</summary>
    private void HandOver(SegmentFlight flight)
    {
        if (flight.IsEnded)
            return;
        _network.Begin(flight);

        // If the priority was raised meanwhile, the network fetcher was not told.
        _network.Raise(flight);
    }

    private void EndLocked(DiskRead read)
    {
        read.IsObsolete = true;
        _open.Remove(read);
        if (_open.Count == 0)
            _watch.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }
}

/// <summary>A flight that is read from the disk. Guarded by its fetcher's lock.</summary>
internal sealed class DiskRead(SegmentFlight flight, ulong key, CachePlace place, long startedAt)
{
    public SegmentFlight Flight => flight;

    public ulong Key => key;

    public CachePlace Place => place;

    /// <summary>Clock reading when it was requested.</summary>
    public long StartedAt => startedAt;

    /// <summary>True once a thread is reading it.</summary>
    public bool IsRunning { get; set; }

    /// <summary>
    /// True once it has ended, is no longer needed, or was handed over to a provider. A thread that has not startedAt it then skips it.
    /// </summary>
    public bool IsObsolete { get; set; }
}
