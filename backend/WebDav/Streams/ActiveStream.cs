using System.Globalization;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Content.Recording;

namespace NzbDav.WebDav.Streams;

/// <summary>
/// A client that reads a file, with its current responses and the totals of earlier ones. Guarded by its registry's lock, except for the
/// counters of responses.
/// </summary>
internal sealed class ActiveStream(
    long number, StreamSource source, DateTimeOffset begun, long beganAt, TimeProvider time, Timeline? timeline = null)
{
    /// <summary>Seconds over which the rate is measured.</summary>
    private const int RateSeconds = 5;

    /// <summary>A client that takes nothing for this long is idle; shorter pauses are how players fill their buffers.</summary>
    private static readonly TimeSpan IdleAfter = TimeSpan.FromSeconds(2);

    /// <summary>A fast scan yields for at most this long: its client has at least ten seconds of film ahead.</summary>
    private static readonly YieldMode Fast = new(TimeSpan.FromSeconds(1), ReadsOn: true);

    /// <summary>A stepping scan yields for at most this long: a person may be waiting for it.</summary>
    private static readonly YieldMode Steps = new(TimeSpan.FromMilliseconds(250), ReadsOn: false);

    /// <summary>Bytes after which the film's length is determined: reading the head and the index of a film does not count.</summary>
    private const long MeasureAfter = 16 << 20;

    private readonly List<StreamResponse> _open = [];
    private readonly TimelineSource? _recorded = timeline is null
        ? null : new TimelineSource(source.File, source.Size, source.Address, source.UserAgent);
    private readonly RecentRate _rate = NewRate(beganAt, time);
    private StreamSource _source = source;
    private StreamResponse? _last;
    private long _endedSent;
    private TimeSpan _endedWaited;
    private int _endedWaits;
    private long _firstByteAt;
    private StreamWait? _lastWait;
    private ReaderFiller? _endedFiller;
    private bool _isMeasured;
    private bool _recognises = true;

    /// <summary>Increases from stream to stream.</summary>
    public long Number => number;

    public string Id => number.ToString(CultureInfo.InvariantCulture);

    public StreamSource Source => _source;

    public bool IsOpen => _open.Count > 0;

    /// <summary>Clock reading at the end of the last response.</summary>
    public long LastAt { get; private set; }

    public IReadOnlyList<StreamResponse> Open => _open;

    /// <summary>Detects whether it scans.</summary>
    public ScanDetector ScanDetector { get; } = new(source.Size);

    /// <summary>How it yields to others; null: it does not.</summary>
    public YieldMode? YieldMode => !_recognises ? null
        : ScanDetector.Sign switch { ScanSign.Fast => Fast, ScanSign.Steps => Steps, _ => null };

    public StreamResponse Add(StreamSource request, long position, long end, ReadIntent intent, Action abort)
    {
        _source = request;
        ScanDetector.Opened(position, time.GetElapsedTime(beganAt), Sent());
        _last = new StreamResponse(
            this, time, position, abort, _recorded is null ? null : new ResponseTimeline(timeline!, _recorded, number));
        _last.RangeRequested(position, end, intent);
        _open.Add(_last);
        return _last;
    }

    public void Remove(StreamResponse response, long now)
    {
        if (!_open.Remove(response))
            return;
        response.Closed();
        ScanDetector.Ended(response.Position);
        _endedSent += response.Sent;
        _endedWaited += response.Waited;
        _endedWaits += response.Waits;
        _endedFiller = ReaderFiller.Sum(_endedFiller, response.Filler);
        LastAt = now;
    }

    /// <summary>Thread-safe.</summary>
    public void FirstByte(long at) => Interlocked.CompareExchange(ref _firstByteAt, at, 0);

    /// <summary>Records a long wait. Thread-safe.</summary>
    public void Note(TimeSpan waited, ReaderWait? wait) => Volatile.Write(ref _lastWait, new StreamWait(time.GetUtcNow(), waited, wait));

    /// <summary>Takes a sample for the rate. Called once a second.</summary>
    public void Sample(long now)
    {
        _rate.Look(time.GetElapsedTime(0, now), Sent());
        foreach (var response in _open)
            response.NoteDelivery(now);
    }

    /// <summary>Decides whether a program scans the file, and applies that to all responses. Called once a second.</summary>
    /// <param name="now">Clock reading.</param>
    /// <param name="recognises">False: no stream is treated as a scan.</param>
    public void UpdateYieldMode(long now, bool recognises)
    {
        _recognises = recognises;
        if (IsOpen)
            ScanDetector.Tick(time.GetElapsedTime(beganAt, now), Sent(), WaitedAt(now), _last?.Position ?? 0);
        foreach (var response in _open)
            response.SetYieldMode(YieldMode);
    }

    /// <summary>True once, when it has read enough for the film's length to matter.</summary>
    public bool ShouldMeasureOnce()
    {
        if (_isMeasured || Sent() < MeasureAfter)
            return false;
        return _isMeasured = true;
    }

    public StreamSnapshot Snapshot(long now)
    {
        var sent = Sent();
        var waiting = _open.FindLast(response => response.WaitingSince != 0);
        var firstByteAt = Volatile.Read(ref _firstByteAt);
        var waits = _endedWaits + _open.Sum(response => response.Waits);
        var waited = _open.Aggregate(_endedWaited, (sum, response) => sum + response.Waited);
        if (waiting is { WaitingSince: not 0 and var waitingSince } && time.GetElapsedTime(waitingSince, now) is var wait
            && wait >= StreamResponse.LeastWait)
            (waits, waited) = (waits + 1, waited + wait);
        else
            waiting = null;
        return new StreamSnapshot
        {
            Id = Id,
            Source = _source,
            StartedAt = begun,
            Activity = waiting is not null || (IsOpen && firstByteAt == 0) ? StreamActivity.Waiting : _open.TrueForAll(
                response => IsStalled(response, now)) ? StreamActivity.Idle : StreamActivity.Streaming,
            Responses = _open.Count,
            Position = _last?.Position ?? 0,
            Sent = sent,
            Rate = (long)_rate.Until(time.GetElapsedTime(0, now), sent),
            Reader = (waiting ?? _last)?.Observe() ?? ReaderState.Unknown,
            FirstByte = firstByteAt == 0 ? null : time.GetElapsedTime(beganAt, firstByteAt),
            Waits = waits,
            Waited = waited,
            LastWait = Volatile.Read(ref _lastWait),
            Filler = _open.Aggregate(_endedFiller, static (sum, response) => ReaderFiller.Sum(sum, response.Filler)),
            Scan = YieldMode is null ? ScanSign.None : ScanDetector.Sign,
        };
    }

    /// <summary>All waits, including short and current ones.</summary>
    private TimeSpan WaitedAt(long now) => _open.Aggregate(_endedWaited, (sum, response) =>
        sum + response.Waited + (response.WaitingSince is not 0 and var since ? time.GetElapsedTime(since, now) : TimeSpan.Zero));

    private bool IsStalled(StreamResponse response, long now) =>
        response.StalledSince is not 0 and var since && time.GetElapsedTime(since, now) >= IdleAfter;

    private static RecentRate NewRate(long beganAt, TimeProvider time)
    {
        var rate = new RecentRate(RateSeconds);
        rate.Look(time.GetElapsedTime(0, beganAt), 0);
        return rate;
    }

    private long Sent() => _endedSent + _open.Sum(response => response.Sent);
}
