namespace NzbDav.Content;

/// <summary>
/// How far a reader reads ahead. Starts narrow, so that a seek followed by a short read costs little. Widens while the reader takes
/// segments faster than they arrive and the network still has room. Keeps a few seconds of read-ahead for a steady reader, and narrows to
/// that when the reader slows down. Not thread-safe: used under its reader's lock. Pure arithmetic, no clock of its own. <code>
///              all requested has arrived
///      Trial ────────────────────────────▶ Covered        from each: Resumed → Trial
///        │                                    │
///        │ outlasts Grace, or is starved      │ outlasts Grace, or is starved
///        ▼                                    ▼
///     Widening ──────────────────────────▶ Steady         in each: after every two seconds
///              all requested has arrived                  narrows to the reader's rate
/// </code>
/// "Starved" means that at most half of the segments requested ahead of the reader have arrived, and that more would be sent at once. A
/// starved reader's window grows by <see cref="Growth"/> for each segment taken, in <see cref="ReadAheadPhase.Widening"/> and
/// <see cref="ReadAheadPhase.Steady"/> alike. In Widening, the window of a reader that is not starved grows by one per segment, if more
/// would be sent at once.
/// </summary>
public sealed class ReadAheadWindow
{
    /// <summary>
    /// Segments at the start of playback: the one being waited for and two more, so that the first MiB costs one round trip.
    /// </summary>
    public const int InitialSegments = 3;

    /// <summary>
    /// Most segments for a reader that is known to read on but has taken none yet: the first 8 MiB of usual articles. If its client leaves
    /// after all, no more than that is wasted.
    /// </summary>
    public const int ProvenSegments = 12;

    /// <summary>
    /// How long a reader that has taken its first segments and waits for more must stay open before the window widens. A player that reads
    /// the first MiB and jumps elsewhere is gone by then.
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(8);

    /// <summary>
    /// Segments added per segment taken while starved: the window quadruples each round trip until the line is full. When a round trip is
    /// faster than the reader, one is added per segment (as in TCP's slow start, RFC 5681), until everything requested has arrived.
    /// </summary>
    private const int Growth = 3;

    /// <summary>
    /// Segments taken before the window widens. When a player reads the first MiB and jumps elsewhere, the client's socket buffers and
    /// those of this server absorb two to four articles; that is no sign of demand.
    /// </summary>
    private const int Trial = InitialSegments;

    /// <summary>Read-ahead for a steady reader, in seconds at its own rate: covers a late article or a lost connection.</summary>
    private const double StockSeconds = 4;

    /// <summary>Read-ahead limit in bytes: more than three seconds of video at 80 Mbit/s.</summary>
    private const long StockLimit = 32L << 20;

    /// <summary>
    /// Age of the reader from which segments taken count as demand. With a nearby provider the sockets absorb many articles before a client
    /// is seen to have left; with a longer round trip the first segments take longer anyway.
    /// </summary>
    private static readonly TimeSpan TrialTime = TimeSpan.FromMilliseconds(10);

    /// <summary>Shortest period over which the rate is measured: players begin with a burst.</summary>
    private static readonly TimeSpan RateTime = TimeSpan.FromSeconds(2);

    private readonly ReadIntent _intent;
    private int _segments;
    private int _count;
    private bool _isProven;
    private long _bytesRead;
    private long _stock;
    private int _most = int.MaxValue;
    private TimeSpan _measuredAt;
    private long _bytesReadAtMeasurement;

    /// <param name="intent">Why the reader reads.</param>
    /// <param name="certain">Segments that will certainly be read and that the network delivers at once; 0 when nothing is certain.</param>
    public ReadAheadWindow(ReadIntent intent, int certain = 0)
    {
        _intent = intent;
        _segments = intent switch
        {
            ReadIntent.Probe => 1,
            ReadIntent.Import or ReadIntent.Health => 2,
            _ => Math.Max(InitialSegments, certain),
        };
    }

    public ReadAheadPhase Phase { get; private set; }

    /// <summary>Segments wanted in flight or read ahead, including the one being read.</summary>
    public int Segments => _segments;

    /// <summary>Bytes wanted as read-ahead, even if <see cref="Segments"/> are fewer.</summary>
    public long Stock => _stock;

    /// <summary>
    /// True while a starved reader may widen the window by outlasting <see cref="Grace"/>: the owner then calls
    /// <see cref="WidenAfterGrace"/>.
    /// </summary>
    public bool MayWidenAfterGrace =>
        !HasWidened && (_isProven || _count >= Trial) && _intent is ReadIntent.Playback or ReadIntent.Download;

    /// <summary>Declares that the reader will read on, before it has taken a segment: it only has to outlast <see cref="Grace"/>.</summary>
    public void ReadsOn() => _isProven = true;

    private bool HasWidened => Phase is ReadAheadPhase.Widening or ReadAheadPhase.Steady;

    /// <summary>Widens the window: the reader took its first segments or is known to read on, and it waited for more.</summary>
    /// <param name="burst">Segments that the network delivers at once.</param>
    public void WidenAfterGrace(int burst)
    {
        Phase = Phase is ReadAheadPhase.Trial or ReadAheadPhase.Widening ? ReadAheadPhase.Widening : ReadAheadPhase.Steady;
        var segments = _count < Trial ? Math.Min(burst, ProvenSegments) : burst;
        _segments = Math.Min(Math.Max(_segments, segments), _most);
    }

    /// <summary>Counts a segment that was read to its end.</summary>
    /// <param name="bytes">Bytes of the segment that were read.</param>
    /// <param name="ahead">Segments requested beyond it.</param>
    /// <param name="ready">How many of those have arrived.</param>
    /// <param name="lastSent">True when the farthest one is on the wire: another request would be sent at once.</param>
    /// <param name="age">Time since the reader was opened.</param>
    /// <param name="burst">Segments that the network delivers at once: the window of a reader that is found starved for the first
    /// time.</param>
    /// <returns>True when less is wanted than before.</returns>
    public bool OnSegmentRead(int bytes, int ahead, int ready, bool lastSent, TimeSpan age, int burst = 0)
    {
        _bytesRead += bytes;
        _count++;
        if (_intent == ReadIntent.Probe)
            return false;
        if (_count > Trial && age >= TrialTime)
        {
            if (ahead > 0 && ready == ahead)
                Phase = HasWidened ? ReadAheadPhase.Steady : ReadAheadPhase.Covered;
            if (lastSent && ready * 2 <= ahead)
            {
                if (!HasWidened)
                    WidenAfterGrace(burst);
                _segments += Growth;
            }
            else if (lastSent && Phase == ReadAheadPhase.Widening)
            {
                _segments++;
            }

            _segments = Math.Min(_segments, _most);
        }

        return age - _measuredAt >= RateTime && FollowRate(age);
    }

    /// <summary>
    /// Continues after a pause: the window starts narrow, and the pause says nothing about the rate. A slow client whose sockets were full
    /// takes megabytes at once and pauses again. For the next two seconds its read-ahead is therefore at most twice the amount for its
    /// rate, pause included. Without this limit two slow clients (1.4 and 0.9 MB/s, a line of 110 MB/s, a budget of 120 MiB) fetched nine
    /// times what they read, each evicting the other's segments.
    /// </summary>
    /// <param name="age">Time since the reader was opened.</param>
    public void Resumed(TimeSpan age)
    {
        var rate = age > _measuredAt ? (_bytesRead - _bytesReadAtMeasurement) / (age - _measuredAt).TotalSeconds : 0;
        _most = Math.Max(2 * InitialSegments, SegmentsOf(2 * StockSeconds * rate));
        (_measuredAt, _bytesReadAtMeasurement) = (age, _bytesRead);
        _segments = Math.Min(_segments, InitialSegments);
        _isProven = false;
        _stock = 0;
        Phase = ReadAheadPhase.Trial;
    }

    /// <summary>
    /// Sets the read-ahead from the rate since the last call. A window opened for a faster reader narrows to the same number of seconds.
    /// True when less is wanted than before.
    /// </summary>
    private bool FollowRate(TimeSpan age)
    {
        var ahead = StockSeconds * (_bytesRead - _bytesReadAtMeasurement) / (age - _measuredAt).TotalSeconds;
        (_measuredAt, _bytesReadAtMeasurement) = (age, _bytesRead);
        _most = int.MaxValue;
        var stock = (long)Math.Min(StockLimit, ahead);
        var most = Math.Max(InitialSegments, SegmentsOf(ahead));
        var isLess = stock < _stock || most < _segments;
        _stock = stock;
        _segments = Math.Min(_segments, most);
        return isLess;
    }

    /// <summary>Converts bytes to a number of segments of the size read so far.</summary>
    private int SegmentsOf(double bytes) => (int)Math.Min(int.MaxValue, Math.Ceiling(bytes * _count / Math.Max(1, _bytesRead)));
}

/// <summary>The states of a <see cref="ReadAheadWindow"/>; its comment shows the transitions.</summary>
public enum ReadAheadPhase
{
    /// <summary>Opened or resumed a moment ago: the window is narrow, as a player may read the first MiB and jump elsewhere.</summary>
    Trial,

    /// <summary>Everything requested has arrived before the reader needed it. The window stays narrow.</summary>
    Covered,

    /// <summary>
    /// The reader has waited for a segment and read on. The window widens with each segment taken, until everything requested has arrived
    /// once.
    /// </summary>
    Widening,

    /// <summary>
    /// Everything requested has arrived once, before or after the window was widened. It widens further only while the reader is starved.
    /// </summary>
    Steady,
}
