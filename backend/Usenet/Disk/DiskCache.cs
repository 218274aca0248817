using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>
/// Verified articles on the disk, for content that is read again. A log of large files, each written once and deleted as a whole; the index
/// is in memory. One thread of its own writes, evicts, loads and deletes. No caller waits for it: articles that arrive faster than it
/// writes are not stored. Nothing is flushed to the disk explicitly: a record half written at a crash fails its checksum and counts as
/// missing. Thread-safe.
/// </summary>
public sealed partial class DiskCache : IDisposable
{
    /// <summary>
    /// Size of a file in bytes: some 90 articles. 500 GB are then 8,000 files, and one eviction makes space for a minute of film.
    /// </summary>
    internal const int UsualSegment = 64 << 20;

    /// <summary>
    /// Most bytes of articles waiting to be written: a quarter of a second at 100 MB/s. They take memory from the readers' budget.
    /// </summary>
    internal const int MostQueued = 24 << 20;

    /// <summary>Longest wait for the thread at disposal. The whole server has six seconds to stop.</summary>
    private static readonly TimeSpan MostEnding = TimeSpan.FromSeconds(4);

    /// <summary>Shortest time between two updates of a file's time of use on the disk.</summary>
    private static readonly TimeSpan Grain = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<uint, CacheSegment> _segments = [];
    private readonly BlockingCollection<DiskCacheWork> _work = [];
    private readonly List<DiskFetcher> _fetchers = [];
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CacheFiles _files;
    private readonly int _segmentBytes;
    private PlaceTable _table = new(0);
    private DiskCacheOptions _options = DiskCacheOptions.Off;
    private DiskCacheState _state;
    private string? _reason;
    private long _size;
    private long _queued;
    private Thread? _thread;
    private bool _disposed;
    private volatile bool _serves;
    private volatile bool _isAccepting;

    /// <param name="time">Clock.</param>
    /// <param name="logger">Logs faults of the disk.</param>
    /// <param name="meters">Makes the meter; null for none.</param>
    public DiskCache(TimeProvider time, ILogger<DiskCache> logger, IMeterFactory? meters = null)
        : this(time, logger, meters, new CacheFiles(), UsualSegment)
    {
    }

    internal DiskCache(TimeProvider time, ILogger<DiskCache> logger, IMeterFactory? meters, CacheFiles files, int segmentBytes)
    {
        _time = time;
        _logger = logger;
        _files = files;
        _segmentBytes = segmentBytes;
        Metrics = new DiskCacheMetrics(meters, () => Status);
        _retry = time.CreateTimer(
            static self => ((DiskCache)self!).Post(((DiskCache)self).Retry), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The current state.</summary>
    public DiskCacheStatus Status
    {
        get
        {
            lock (_gate)
            {
                return new DiskCacheStatus
                {
                    State = _state,
                    Reason = _reason,
                    Folder = _options.Limit > 0 ? _options.Folder : "",
                    Limit = _options.Limit,
                    Size = _size,
                    Articles = _segments.Values.Sum(static segment => (long)segment.Articles),
                    IndexBytes = _table.Bytes,
                    Hits = Metrics.Hits,
                    Misses = Metrics.Misses,
                    BytesRead = Metrics.BytesRead,
                    BytesWritten = Metrics.BytesWritten,
                    BytesEvicted = Metrics.BytesEvicted,
                    Dropped = Metrics.Dropped,
                    Damaged = Metrics.Damaged,
                    Late = Metrics.Late,
                };
            }
        }
    }

    /// <summary>How the files use the system's page cache: <c>Bypassed</c> (O_DIRECT), <c>Dropped</c> or <c>Kept</c>.</summary>
    public string PageCache => _files.Use.ToString();

    internal DiskCacheMetrics Metrics { get; }

    internal CacheFiles Files => _files;

    /// <summary>True while articles may be found in the cache.</summary>
    internal bool Serves => _serves;

    /// <summary>
    /// Applies other options without waiting for their effect. With a smaller limit, the excess is deleted at once. When the cache is
    /// turned off or moved to another folder, the contents of the current folder are deleted.
    /// </summary>
    public void Apply(DiskCacheOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Limit < 0)
            throw new ArgumentException("The limit is negative.", nameof(options));
        lock (_gate)
        {
            // Turned off at the start, and no folder of an earlier process: no thread is needed.
            if (options.Limit == 0 && _thread is null && !Directory.Exists(options.Folder))
                return;
        }

        Post(() => Become(options));
    }

    /// <summary>
    /// Wraps a network fetcher: articles on the disk are read from there, the others are fetched by it. The cache disposes the result.
    /// </summary>
    /// <param name="network">Fetches from the providers.</param>
    public ISegmentFetcher Before(ISegmentFetcher network)
    {
        var fetcher = new DiskFetcher(network, this, _time);
        lock (_gate)
            _fetchers.Add(fetcher);
        return fetcher;
    }

    /// <summary>Finishes the file being written, and ends the threads. Articles still waiting to be written are not stored.</summary>
    public void Dispose()
    {
        Thread? thread;
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            thread = _thread;
        }

        _isAccepting = _serves = false;
        foreach (var fetcher in _fetchers)
            fetcher.Dispose();
        _retry.Dispose();
        _work.CompleteAdding();

        // A disk that hangs must not block the process: a half-written record is recognised later.
        if (thread is null || thread.Join(MostEnding))
            _work.Dispose();
    }

    /// <summary>Place of an article, if it is in the cache.</summary>
    internal bool TryFind(ulong key, out CachePlace place)
    {
        lock (_gate)
            return _table.TryFind(key, out place) && _segments.ContainsKey(place.Segment);
    }

    /// <summary>Stores an article unless too many are waiting to be written. Returns at once; the cache now owns the lease.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="key">The id's key.</param>
    /// <param name="header">The article's own header.</param>
    /// <param name="bytes">Its decoded, verified bytes.</param>
    internal void Offer(string id, ulong key, ArticleHeader header, ContentLease bytes)
    {
        var length = bytes.Length;
        if (!_isAccepting)
        {
            bytes.Dispose();
        }
        else if (Interlocked.Add(ref _queued, length) > MostQueued)
        {
            Metrics.Drop();
            Refuse();
        }
        else if (TryFind(key, out _) || !TryPost(new DiskCacheWork(id, key, header, bytes, Run: null)))
        {
            Refuse();
        }

        void Refuse()
        {
            Interlocked.Add(ref _queued, -length);
            bytes.Dispose();
        }
    }

    /// <summary>True when an article would be accepted.</summary>
    internal bool IsAccepting => _isAccepting;

    /// <summary>Completes when all earlier requests have been handled.</summary>
    internal Task FlushAsync()
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return TryPost(new DiskCacheWork("", 0, null, null, done.SetResult)) ? done.Task : Task.CompletedTask;
    }

    private void Post(Action run) => TryPost(new DiskCacheWork("", 0, null, null, run));

    private bool TryPost(DiskCacheWork work)
    {
        lock (_gate)
        {
            if (_disposed)
                return false;
            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = "disk cache" };
                _thread.Start();
            }

            _work.Add(work);
            return true;
        }
    }

    private void Run()
    {
        foreach (var work in _work.GetConsumingEnumerable())
        {
            try
            {
                if (work.Bytes is null)
                    work.Run!();
                else if (_disposed)
                    work.Bytes.Dispose();
                else
                    Write(work);
            }
            catch (Exception e)
            {
                // A bug in this program: the article is not stored, and the thread continues.
                Fault(e);
            }
        }

        Close();
        _record.Dispose();
        _footer.Dispose();
    }

    /// <summary>Reports an internal error on a thread of the cache.</summary>
    internal void Fault(Exception fault) => LogFault(_logger, fault);

    private void SetState(DiskCacheState state, string? reason)
    {
        lock (_gate)
            (_state, _reason) = (state, reason);
    }

    [LoggerMessage(145, LogLevel.Error, "An internal error in the disk cache. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);

    [LoggerMessage(140, LogLevel.Warning,
        "The disk cache in {Folder} stores no new articles: {Reason} They come from the providers; the cache tries again by itself.")]
    private static partial void LogStopped(ILogger logger, string folder, string reason);

    [LoggerMessage(141, LogLevel.Information, "The disk cache in {Folder} has {Articles} articles, {Mebibytes} MiB of at most {Most} MiB.")]
    private static partial void LogLoaded(ILogger logger, string folder, long articles, long mebibytes, long most);

    [LoggerMessage(142, LogLevel.Warning, "The article <{Id}> in {Path} is damaged: it is fetched from a provider.")]
    private static partial void LogDamaged(ILogger logger, string id, string path);

    [LoggerMessage(143, LogLevel.Warning, "{Path} cannot be read ({Reason}): what it holds is fetched from the providers.")]
    private static partial void LogUnreadable(ILogger logger, string path, string reason);

    // Work of the reading threads.

    /// <summary>Reads an article into a buffer of its flight. Blocks until the disk answers.</summary>
    /// <param name="flight">The flight that needs it.</param>
    /// <param name="key">The key of its id.</param>
    /// <param name="place">Its place.</param>
    /// <param name="memory">Memory of the calling thread.</param>
    /// <param name="buffer">Its verified bytes; owned by the caller.</param>
    /// <param name="length">Number of bytes; may differ from <see cref="ArticleHeader.PartSize"/>.</param>
    /// <returns>Null when it cannot be read from the disk, or is not what its reader expects.</returns>
    internal ArticleHeader? Read(
        SegmentFlight flight, ulong key, CachePlace place, AlignedMemory memory, out PooledBuffer? buffer, out int length)
    {
        (buffer, length) = (null, 0);
        CacheSegment? segment;
        lock (_gate)
        {
            if (!_segments.TryGetValue(place.Segment, out segment))
                return null;
        }

        var record = memory.EnsureSize(place.Blocks * CacheRecord.Block);
        try
        {
            using var file = _files.Open(segment.Path, FileAccess.Read);
            if (_files.Read(file, record, (long)place.Block * CacheRecord.Block) < record.Length)
            {
                Damaged(flight, key, place, segment);
                return null;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // If the file was just evicted, this is no fault.
            if (Drop(key, place))
                LogUnreadable(_logger, segment.Path, e.Message);
            return null;
        }

        if (CacheRecord.TryReadHead(record, place.Segment, place.Block) is not { } head || head.Place != place)
        {
            Damaged(flight, key, place, segment);
            return null;
        }

        // Another id with the same key, or a copy that is another part of the file than the expected one.
        if (head.Id != flight.Key.Id || !flight.Key.Matches(head.Header.Begin, head.Length))
            return null;
        var copy = flight.RentBuffer(head.Length);
        if (!CacheRecord.TryCopy(record, head, copy.Memory.Span))
        {
            copy.Release();
            Damaged(flight, key, place, segment);
            return null;
        }

        (buffer, length) = (copy, head.Length);
        RecordUse(segment);
        return head.Header;
    }

    private void Damaged(SegmentFlight flight, ulong key, CachePlace place, CacheSegment segment)
    {
        if (!Drop(key, place))
            return;
        Metrics.Damage();
        LogDamaged(_logger, flight.Key.Id, segment.Path);
    }

    /// <summary>Removes an article from the index.</summary>
    /// <returns>False if it was no longer in the index, or its file was evicted.</returns>
    private bool Drop(ulong key, CachePlace place)
    {
        lock (_gate)
        {
            if (!_segments.TryGetValue(place.Segment, out var segment) || !_table.TryFind(key, out var current) || current != place)
                return false;
            segment.Articles--;

            // There is no such file, so the next rebuild of the table omits this slot.
            _table.Set(key, new CachePlace(uint.MaxValue, 0, 0));
            return true;
        }
    }

    private void RecordUse(CacheSegment segment)
    {
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            segment.Used = now;
            if (now - segment.Created < CacheSegment.SameEvening)
                return;
            if (segment.IsReused && now - segment.UseStoredAt < Grain)
                return;
            segment.IsReused = true;
            segment.UseStoredAt = now;
        }

        try
        {
            File.SetLastWriteTimeUtc(segment.Path, now.UtcDateTime);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Without it only the order of eviction after a restart is slightly off.
        }
    }
}

/// <summary>Options of the disk cache.</summary>
/// <param name="Folder">Absolute path; created if missing. Nothing else may store files in it.</param>
/// <param name="Limit">Most bytes of all files together; 0: the cache is off, and existing files are deleted.</param>
public sealed record DiskCacheOptions(string Folder, long Limit)
{
    /// <summary>The cache is off.</summary>
    public static DiskCacheOptions Off { get; } = new("", 0);

    /// <summary>The default folder below the folder of the configuration.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "cache", "articles");
}

/// <summary>Work for the cache's thread: an article to write, or an action to run.</summary>
internal readonly record struct DiskCacheWork(string Id, ulong Key, ArticleHeader? Header, ContentLease? Bytes, Action? Run);
