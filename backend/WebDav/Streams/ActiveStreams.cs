using System.Runtime.InteropServices;
using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.WebDav.Streams;

/// <summary>
/// Tracks active streams. All ranges that one client requests of one file form one stream, kept for <see cref="Memory"/> after the last
/// one. Its lock is taken when a response begins and ends and once a second, never while bytes flow. Thread-safe; bounded.
/// </summary>
public sealed class ActiveStreams : IDisposable
{
    /// <summary>How long a stream is kept after its last response: players that read in short ranges return within a few seconds.</summary>
    public static readonly TimeSpan Memory = TimeSpan.FromSeconds(15);

    /// <summary>How long a client is refused a file whose stream was ended: players retry at once.</summary>
    public static readonly TimeSpan Refusal = TimeSpan.FromSeconds(30);

    /// <summary>How long a client that scanned one file is expected to scan the next.</summary>
    internal static readonly TimeSpan ScanMemory = TimeSpan.FromMinutes(10);

    /// <summary>Most streams kept; a scan of a library opens thousands of files one after the other.</summary>
    internal const int Most = 1_000;

    private static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<Key, ActiveStream> _streams = [];
    private readonly Dictionary<Key, long> _refused = [];
    private readonly Dictionary<(string Address, string? UserAgent), (long File, long At)> _scans = [];
    private readonly IFilmLengths? _lengths;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Timeline? _timeline;
    private long _lastId;
    private bool _recognisesScans = true;
    private bool _isTicking;
    private bool _disposed;

    /// <param name="time">Clock.</param>
    /// <param name="lengths">Provides the playing times of films; null: they are unknown.</param>
    /// <param name="timeline">Records requests and their results; null: nothing is recorded.</param>
    public ActiveStreams(TimeProvider time, IFilmLengths? lengths = null, Timeline? timeline = null)
    {
        _lengths = lengths;
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _timeline = timeline;
        _timer = time.CreateTimer(static self => ((ActiveStreams)self!).OnTick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// Raised once a second while there are streams, and when the last one is gone; on a pool thread; handlers must return quickly.
    /// </summary>
    public event Action? Changed;

    /// <summary>True: streams that look like scans yield to all others.</summary>
    public bool RecognisesScans
    {
        get => Volatile.Read(ref _recognisesScans);
        set => Volatile.Write(ref _recognisesScans, value);
    }

    /// <summary>Number of streams.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _streams.Count;
        }
    }

    /// <summary>The streams, oldest first.</summary>
    public IReadOnlyList<StreamSnapshot> List()
    {
        var now = _time.GetTimestamp();
        lock (_gate)
            return [.. _streams.Values.OrderBy(stream => stream.Number).Select(stream => stream.Snapshot(now))];
    }

    /// <summary>Aborts a stream's responses and refuses its client the file for <see cref="Refusal"/>.</summary>
    /// <returns>False if there is no such stream.</returns>
    public bool End(string id)
    {
        StreamResponse[] open;
        lock (_gate)
        {
            var (key, stream) = _streams.FirstOrDefault(pair => pair.Value.Id == id);
            if (stream is null)
                return false;
            _refused[key] = _time.GetTimestamp();
            _streams.Remove(key);
            open = [.. stream.Open];
        }

        // Outside the lock: ending a response calls back into this class.
        foreach (var response in open)
            response.Abort();
        Changed?.Invoke();
        return true;
    }

    /// <summary>Number of responses that wait for bytes now, including waits that have only just begun.</summary>
    internal int Waiting
    {
        get
        {
            lock (_gate)
                return _streams.Values.Sum(stream => stream.Open.Count(response => response.WaitingSince != 0));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            _disposed = true;
        _timer.Dispose();
    }

    /// <summary>Called when a response begins.</summary>
    /// <param name="source">The client and the file.</param>
    /// <param name="position">The first requested byte.</param>
    /// <param name="end">One past the last requested byte.</param>
    /// <param name="intent">The assumed purpose.</param>
    /// <param name="abort">Aborts the response.</param>
    /// <returns>Null if a person has just ended this stream.</returns>
    internal StreamResponse? Begin(StreamSource source, long position, long end, ReadIntent intent, Action abort)
    {
        var key = new Key(source.Address, source.UserAgent, source.File);
        var now = _time.GetTimestamp();
        lock (_gate)
        {
            if (_refused.TryGetValue(key, out var since))
            {
                if (_time.GetElapsedTime(since, now) < Refusal)
                    return null;
                _refused.Remove(key);
            }

            ref var stream = ref CollectionsMarshal.GetValueRefOrAddDefault(_streams, key, out _);
            if (stream is null)
            {
                stream = new ActiveStream(++_lastId, source, _time.GetUtcNow(), now, _time, _timeline);
                stream.ScanDetector.IsSeries = _scans.TryGetValue((source.Address, source.UserAgent), out var scan)
                    && scan.File != source.File
                    && _time.GetElapsedTime(scan.At, now) < ScanMemory;
            }

            var response = stream.Add(source, position, end, intent, abort);
            if (_streams.Count > Most)
                DropOldestLocked();
            if (!_isTicking && !_disposed)
            {
                _isTicking = true;
                _timer.Change(Tick, Tick);
            }

            return response;
        }
    }

    /// <summary>Called when a response has ended.</summary>
    internal void Close(StreamResponse response)
    {
        var now = _time.GetTimestamp();
        response.NoteEnd(now);
        lock (_gate)
            response.Stream.Remove(response, now);
    }

    private void OnTick()
    {
        var now = _time.GetTimestamp();
        lock (_gate)
        {
            if (_disposed)
                return;
            foreach (var (key, stream) in _streams)
            {
                stream.Sample(now);
                stream.UpdateYieldMode(now, _recognisesScans);
                if (stream.YieldMode is not null)
                    _scans[(key.Address, key.UserAgent)] = (key.File, now);
                if (_lengths is not null && stream.ShouldMeasureOnce())
                    _ = MeasureAsync(stream, key.File);
                if (!stream.IsOpen && _time.GetElapsedTime(stream.LastAt, now) >= Memory)
                    _streams.Remove(key);
            }

            foreach (var (key, since) in _refused)
            {
                if (_time.GetElapsedTime(since, now) >= Refusal)
                    _refused.Remove(key);
            }

            foreach (var (client, scan) in _scans)
            {
                if (_time.GetElapsedTime(scan.At, now) >= ScanMemory)
                    _scans.Remove(client);
            }

            if (_streams.Count == 0 && _refused.Count == 0)
            {
                _isTicking = false;
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
        }

        Changed?.Invoke();
    }

    private async Task MeasureAsync(ActiveStream stream, long file)
    {
        await Task.Yield();
        if (await _lengths!.FindAsync(file) is not { } length)
            return;
        lock (_gate)
            stream.ScanDetector.Length = length;
    }

    private void DropOldestLocked()
    {
        var (key, oldest) = _streams.Where(pair => !pair.Value.IsOpen).MinBy(pair => (pair.Value.LastAt, pair.Value.Number));
        if (oldest is not null)
            _streams.Remove(key);
    }

    private readonly record struct Key(string Address, string? UserAgent, long File);
}

/// <summary>Provides the playing time of films, to detect faster readers.</summary>
public interface IFilmLengths
{
    /// <summary>The playing time of a file; null: not known. Faults are logged and count as not known.</summary>
    /// <param name="file">Its id in the tree.</param>
    ValueTask<TimeSpan?> FindAsync(long file);
}
