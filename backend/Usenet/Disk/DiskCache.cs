using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>
/// Verified articles on the disk, for what is watched again: a log of large files, each written once and deleted as a whole. The index is
/// in memory. One thread of its own writes, evicts, loads and deletes. Nobody waits for it, and articles that arrive faster than it writes
/// are not kept. Nothing is flushed to the disk explicitly: a record left half-written by a crash fails its checksum and counts as missing.
/// Thread-safe.
/// </summary>
public sealed partial class DiskCache : IDisposable
{
    /// <summary>Bytes of a file: some 90 articles. 500 GB are then 8,000 files, and one eviction makes room for a minute of film.</summary>
    internal const int UsualSegment = 64 << 20;

    /// <summary>
    /// Most bytes of articles waiting to be written, which take memory from the readers' budget: a quarter of a second at 100 MB/s.
    /// </summary>
    internal const int MostQueued = 24 << 20;

    /// <summary>Time limit for stopping: the whole server has six seconds.</summary>
    private static readonly TimeSpan MostEnding = TimeSpan.FromSeconds(4);

    /// <summary>Shortest interval at which the time of use is stored on the disk.</summary>
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
    /// <param name="meters">Makes the meter; null when nobody listens.</param>
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

    /// <summary>The state now.</summary>
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

    /// <summary>True while articles may be found.</summary>
    internal bool Serves => _serves;

    /// <summary>
    /// Applies other options, without waiting for their effect. A smaller limit deletes the excess at once. Off, or another folder, deletes
    /// the contents of the present one.
    /// </summary>
    public void Apply(DiskCacheOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Limit < 0)
            throw new ArgumentException("The limit is negative.", nameof(options));
        lock (_gate)
        {
            // Off from the start, and no folder of an earlier process: no thread is needed.
            if (options.Limit == 0 && _thread is null && !Directory.Exists(options.Folder))
                return;
        }

        Post(() => Become(options));
    }

    /// <summary>Puts the cache before a network fetcher, which fetches what is not on the disk. The result ends with the cache.</summary>
    /// <param name="network">Asks the providers.</param>
    public ISegmentFetcher Before(ISegmentFetcher network)
    {
        var fetcher = new DiskFetcher(network, this, _time);
        lock (_gate)
            _fetchers.Add(fetcher);
        return fetcher;
    }

    /// <summary>Finishes the file being written, and ends the threads. Articles waiting to be written are not kept.</summary>
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

    /// <summary>Where an article is, if it is there.</summary>
    internal bool TryFind(ulong key, out CachePlace place)
    {
        lock (_gate)
            return _table.TryFind(key, out place) && _segments.ContainsKey(place.Segment);
    }

    /// <summary>
    /// Stores an article unless too many are waiting to be written. Returns at once; the cache owns the lease from here on.
    /// </summary>
    /// <param name="id">Its id.</param>
    /// <param name="key">The id's key.</param>
    /// <param name="header">What its own header says.</param>
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
                // A bug in this program: the article is not kept, and the thread goes on.
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
        "The disk cache in {Folder} takes nothing new: {Reason} Articles come from the providers; it tries again by itself.")]
    private static partial void LogStopped(ILogger logger, string folder, string reason);

    [LoggerMessage(141, LogLevel.Information, "The disk cache in {Folder} has {Articles} articles, {Mebibytes} MiB of at most {Most} MiB.")]
    private static partial void LogLoaded(ILogger logger, string folder, long articles, long mebibytes, long most);

    [LoggerMessage(142, LogLevel.Warning, "The article <{Id}> in {Path} is damaged: it is fetched from a provider.")]
    private static partial void LogDamaged(ILogger logger, string id, string path);

    [LoggerMessage(143, LogLevel.Warning, "{Path} cannot be read ({Reason}): what it holds is fetched from the providers.")]
    private static partial void LogUnreadable(ILogger logger, string path, string reason);

    // Work of the reading threads.

    /// <summary>Reads an article into a buffer of its flight. Blocks for as long as the disk takes.</summary>
    /// <param name="flight">The flight that wants it.</param>
    /// <param name="key">The key of its id.</param>
    /// <param name="place">Where it should be.</param>
    /// <param name="memory">The thread's own memory.</param>
    /// <param name="buffer">Its verified bytes; owned by the caller.</param>
    /// <param name="length">Number of bytes; may differ from <see cref="ArticleHeader.PartSize"/>.</param>
    /// <returns>Null when it cannot be read from here, or is not what its reader expects.</returns>
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
            // A file that was evicted a moment ago is gone: no fault.
            if (Drop(key, place))
                LogUnreadable(_logger, segment.Path, e.Message);
            return null;
        }

        if (CacheRecord.TryReadHead(record, place.Segment, place.Block) is not { } head || head.Place != place)
        {
            Damaged(flight, key, place, segment);
            return null;
        }

        // Another id with the same key, or a copy that is another part of the file than the one wanted.
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
        NoteUse(segment);
        return head.Header;
    }

    private void Damaged(SegmentFlight flight, ulong key, CachePlace place, CacheSegment segment)
    {
        if (!Drop(key, place))
            return;
        Metrics.Damage();
        LogDamaged(_logger, flight.Key.Id, segment.Path);
    }

    /// <summary>Forgets one article.</summary>
    /// <returns>False if it was already forgotten, or its file was evicted.</returns>
    private bool Drop(ulong key, CachePlace place)
    {
        lock (_gate)
        {
            if (!_segments.TryGetValue(place.Segment, out var segment) || !_table.TryFind(key, out var current) || current != place)
                return false;
            segment.Articles--;

            // No such file exists, so this slot is left out when the table is next rebuilt.
            _table.Set(key, new CachePlace(uint.MaxValue, 0, 0));
            return true;
        }
    }

    private void NoteUse(CacheSegment segment)
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
            // Only the order of eviction after a restart is slightly off.
        }
    }
}

/// <summary>Options of the disk cache.</summary>
/// <param name="Folder">Absolute path; created when missing. Nothing else may keep files in it.</param>
/// <param name="Limit">Most bytes of all files together; 0: nothing is kept, and existing files are deleted.</param>
public sealed record DiskCacheOptions(string Folder, long Limit)
{
    /// <summary>Keeps nothing.</summary>
    public static DiskCacheOptions Off { get; } = new("", 0);

    /// <summary>The default folder below the folder of the configuration.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "cache", "articles");
}

/// <summary>Work for the cache's thread: an article to write, or an action to run.</summary>
internal readonly record struct DiskCacheWork(string Id, ulong Key, ArticleHeader? Header, ContentLease? Bytes, Action? Run);
