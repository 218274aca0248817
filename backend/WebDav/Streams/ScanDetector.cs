namespace NzbDav.WebDav.Streams;

/// <summary>
/// Detects from a stream's requests and bytes whether a program scans the file. A mistake must not make a film stutter: a stream counts as
/// a scan only while its client has at least <see cref="SafeLead"/> of film that nobody can have watched yet, or jumps again before it has
/// read as much as it skipped. Pure arithmetic on the times passed in. Not thread-safe.
/// </summary>
/// <param name="size">Size of the file in bytes.</param>
internal sealed class ScanDetector(long size)
{
    /// <summary>How far a client must be ahead of a viewer to count as a scan.</summary>
    public static readonly TimeSpan Lead = TimeSpan.FromSeconds(20);

    /// <summary>With less, the client is served like a player at once: well above the lead at which a stutter threatens.</summary>
    public static readonly TimeSpan SafeLead = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long a stream must read that fast. Players fill their buffers at this speed, and then read at the pace of the film.
    /// </summary>
    private const int UsualSeconds = 10;

    /// <summary>The same for a client that has just scanned another file.</summary>
    private const int SeriesSeconds = 3;

    /// <summary>
    /// Factor of the film's pace: twice that of a player that keeps its buffer full, such as ffmpeg on a weak machine that decodes the
    /// whole film.
    /// </summary>
    private const double FastPace = 1.5;

    /// <summary>Factor of the film's pace: a client that reads no faster, without waiting for this server, is watching.</summary>
    private const double WatchingPace = 1;

    /// <summary>The rate of demanding scenes relative to the film's mean rate.</summary>
    private const double Peak = 1.5;

    /// <summary>
    /// Bounds in bytes per second if the film's length is unknown: at most 20 million, as ultra-high-definition discs have 16 million at
    /// most.
    /// </summary>
    private const double LeastPace = 1e6;
    private const double MostPace = 20e6;

    /// <summary>Assumed playing time of a file of unknown length, in seconds: that of an episode.</summary>
    private const double ShortestSeconds = 1_200;

    /// <summary>Seconds over which the pace is measured when a scan is checked again.</summary>
    private const int WatchSeconds = 5;

    /// <summary>Consecutive jumps that make a scan: a person who looks for a scene finds it earlier.</summary>
    private const int Jumps = 8;

    /// <summary>
    /// The same if the file's head was read before each jump: then a program is started for each picture. A player that jumps does not read
    /// the head again.
    /// </summary>
    private const int Starts = 5;

    /// <summary>
    /// A client that has read this many bytes after a jump is watching. Sockets and the buffers of a mount alone take half of that.
    /// </summary>
    private const long ReadsOn = 32 << 20;

    /// <summary>Longest time between two jumps; ffmpeg takes a second or two for each picture.</summary>
    private static readonly TimeSpan MostBetween = TimeSpan.FromSeconds(10);

    /// <summary>Largest distance between the end of one request and the beginning of the next that continues it.</summary>
    private const long NearEnough = 4 << 20;

    private readonly List<(TimeSpan At, long Sent, TimeSpan Waited)> _samples = [];
    private readonly List<long> _gaps = [];
    private TimeSpan _runAt;
    private long _runSent;
    private long _end = -1;
    private long _stepAt = -1;
    private long _stepSent;
    private TimeSpan _stepTime;
    private bool _sawHead;
    private int _starts;

    /// <summary>The detected pattern.</summary>
    public ScanSign Sign { get; private set; }

    /// <summary>Playing time of the film; null: not known.</summary>
    public TimeSpan? Length { get; set; }

    /// <summary>True when the same client has just scanned another file.</summary>
    public bool IsSeries { get; set; }

    /// <summary>Bytes per second that the film needs, including demanding scenes.</summary>
    public double Pace => Length is { TotalSeconds: > 1 } length
        ? Peak * size / length.TotalSeconds : Math.Clamp(size / ShortestSeconds, LeastPace, MostPace);

    /// <summary>Called when a request begins.</summary>
    /// <param name="position">Its first byte.</param>
    /// <param name="now">Time since the stream began.</param>
    /// <param name="sent">Bytes sent so far, for all requests.</param>
    public void Opened(long position, TimeSpan now, long sent)
    {
        var follows = _end >= 0 && position >= _end - NearEnough && position <= _end + NearEnough;
        if (!follows)
        {
            (_runAt, _runSent) = (now, sent);
            _samples.Clear();
            if (Sign == ScanSign.Fast)
                Sign = ScanSign.None;
        }

        // Each picture begins with the file's head and its index.
        var edge = size / 50;
        if (follows || position > size - edge)
            return;
        if (position < edge)
            _sawHead = true;
        else
            NoteStep(position, now, sent);
    }

    /// <summary>Called once a second.</summary>
    /// <param name="now">Time since the stream began.</param>
    /// <param name="sent">Bytes sent so far, for all requests.</param>
    /// <param name="waited">How long its requests have waited for bytes so far.</param>
    /// <param name="position">Position of its latest request.</param>
    public void Tick(TimeSpan now, long sent, TimeSpan waited, long position)
    {
        _end = position;
        _samples.Add((now, sent, waited));
        if (_samples.Count > UsualSeconds + 1)
            _samples.RemoveAt(0);
        switch (Sign)
        {
            case ScanSign.None when LeadAt(now, sent) >= Lead && IsFast():
                Sign = ScanSign.Fast;
                break;
            case ScanSign.Fast when LeadAt(now, sent) < SafeLead || IsWatching():
                Sign = ScanSign.None;
                break;
            case ScanSign.Steps when now - _stepTime > MostBetween || position - _stepAt > Math.Max(ReadsOn, _gaps[^1]):
                Sign = ScanSign.None;
                _gaps.Clear();
                _starts = 0;
                break;
            default:
                break;
        }
    }

    /// <summary>Called when a request ended at a position; the next may continue there.</summary>
    public void Ended(long position) => _end = position;

    private void NoteStep(long position, TimeSpan now, long sent)
    {
        var gap = position - _stepAt;
        var median = _gaps.Count == 0 ? gap : _gaps.Order().ElementAt(_gaps.Count / 2);
        var isStep = _stepAt >= 0 && gap > 0 && now - _stepTime <= MostBetween && (_sawHead || sent - _stepSent < gap / 2)
            && gap <= 4 * median && gap >= median / 4;
        if (!isStep)
        {
            _gaps.Clear();
            _starts = 0;
        }
        else
        {
            _gaps.Add(gap);
            _starts = _sawHead ? _starts + 1 : 0;
        }

        _sawHead = false;
        (_stepAt, _stepSent, _stepTime) = (position, sent, now);
        if (_gaps.Count > 2 * Jumps)
            _gaps.RemoveAt(0);
        if (_gaps.Count >= Jumps || _starts >= Starts)
            Sign = ScanSign.Steps;
        else if (Sign == ScanSign.Steps)
            Sign = ScanSign.None;
    }

    /// <summary>Playing time that the client is ahead of a viewer who began with the first byte of this run.</summary>
    private TimeSpan LeadAt(TimeSpan now, long sent) => TimeSpan.FromSeconds((sent - _runSent) / Pace) - (now - _runAt);

    /// <summary>
    /// True when it has been fast for long enough, without a second in which the client took no more than the film's pace, unless it waited
    /// for this server.
    /// </summary>
    private bool IsFast()
    {
        var seconds = IsSeries ? SeriesSeconds : UsualSeconds;
        if (_samples.Count <= seconds)
            return false;
        for (var i = _samples.Count - seconds; i < _samples.Count; i++)
        {
            if (RateOf(i - 1, i) <= Pace && !Waits(i - 1, i))
                return false;
        }

        return RateOf(_samples.Count - 1 - seconds, _samples.Count - 1) >= FastPace * Pace;
    }

    /// <summary>True when the client is slow although it does not wait for this server.</summary>
    private bool IsWatching()
    {
        if (_samples.Count <= WatchSeconds)
            return false;
        var (first, last) = (_samples.Count - 1 - WatchSeconds, _samples.Count - 1);
        return RateOf(first, last) <= WatchingPace * Pace && !Waits(first, last);
    }

    /// <summary>True when the client waited for this server.</summary>
    private bool Waits(int from, int to) => _samples[to].Waited - _samples[from].Waited >= 0.3 * (_samples[to].At - _samples[from].At);

    private double RateOf(int from, int to) =>
        (_samples[to].Sent - _samples[from].Sent) / Math.Max(0.001, (_samples[to].At - _samples[from].At).TotalSeconds);
}

/// <summary>The reading pattern of a stream, which distinguishes scanning programs from viewers.</summary>
public enum ScanSign
{
    /// <summary>Consistent with a player.</summary>
    None,

    /// <summary>
    /// Continuous reading, faster than anybody watches, and further ahead than the pace of the film needs: intro detection, key frames for
    /// trickplay, a copy.
    /// </summary>
    Fast,

    /// <summary>Short reads in steps through the file: thumbnails and chapter images.</summary>
    Steps,
}
