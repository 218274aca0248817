namespace NzbDav.Content;

/// <summary>
/// How far a reader runs ahead. Opens narrow, so that a seek which reads a little and leaves costs little; widens while the
/// reader takes segments faster than they arrive and the network still has room; keeps a few seconds in stock for a steady one, and narrows to
/// that when the reader slows down.
/// Not thread-safe: used under its reader's lock. Pure arithmetic, no clock of its own.
/// </summary>
public sealed class ReadAheadWindow
{
    /// <summary>Segments at the start of playback: the one that is waited for and two more, so that the first MiB costs one round trip.</summary>
    public const int InitialSegments = 3;

    /// <summary>
    /// How long a reader that has taken its first segments and waits for more must stay before it is believed: a player that looks at the first
    /// MiB and jumps on is gone by then.
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(8);

    /// <summary>
    /// Added per segment taken while starved: the window quadruples each round trip until the pipe is full. Where a round comes faster than it is read, one
    /// is added for each (as in TCP's slow start, RFC 5681), until all that was asked for is here.
    /// </summary>
    private const int Growth = 3;

    /// <summary>
    /// Segments taken before it widens: what a client's and our own socket buffers swallow of a player that looks at the first MiB and
    /// jumps on (two to four articles) is no sign of hunger.
    /// </summary>
    private const int Trial = InitialSegments;

    /// <summary>The stock of a steady reader, in seconds of its own rate: rides out a late article or a lost connection.</summary>
    private const double StockSeconds = 4;

    /// <summary>Bound of the stock: at 80 Mbit/s still more than three seconds.</summary>
    private const long StockLimit = 32L << 20;

    /// <summary>
    /// Age at which what was taken counts as hunger. With a provider next door the sockets swallow many articles before a player that leaves is seen
    /// to be gone; a longer way takes longer by itself.
    /// </summary>
    private static readonly TimeSpan TrialTime = TimeSpan.FromMilliseconds(10);

    /// <summary>The rate is measured over this much reading: players begin with a burst.</summary>
    private static readonly TimeSpan RateTime = TimeSpan.FromSeconds(2);

    private readonly ReadIntent _intent;
    private int _segments;
    private int _count;
    private long _taken;
    private long _stock;
    private bool _stayed;
    private bool _isSteady;
    private int _most = int.MaxValue;
    private TimeSpan _measuredAt;
    private long _takenThen;

    /// <param name="intent">What the reader is for.</param>
    /// <param name="certain">Segments that are read for certain, and that the network brings at once; 0 when nothing is certain.</param>
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

    /// <summary>Segments wanted in flight or in stock, the one being read included.</summary>
    public int Segments => _segments;

    /// <summary>Bytes wanted in stock whatever <see cref="Segments"/> says.</summary>
    public long Stock => _stock;

    /// <summary>True while it is of interest whether a starved reader outlasts <see cref="Grace"/>: then <see cref="Stayed"/> is to be called.</summary>
    public bool IsTried => !_stayed && _count >= Trial && _intent is ReadIntent.Playback or ReadIntent.Download;

    /// <summary>The reader took its first segments, waited for more, and is still there: it reads on.</summary>
    /// <param name="burst">Segments that the network brings at once.</param>
    public void Stayed(int burst)
    {
        _stayed = true;
        _segments = Math.Min(Math.Max(_segments, burst), _most);
    }

    /// <summary>A segment was read to its end.</summary>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="ahead">Segments requested beyond it.</param>
    /// <param name="ready">How many of those are already here.</param>
    /// <param name="lastSent">True when the farthest one is already on the wire: a wider window would be sent for at once.</param>
    /// <param name="age">Time since the reader was opened.</param>
    /// <param name="burst">Segments that the network brings at once: what a reader gets when it is first found starved.</param>
    /// <returns>True when less is wanted than before.</returns>
    public bool Taken(int bytes, int ahead, int ready, bool lastSent, TimeSpan age, int burst = 0)
    {
        _taken += bytes;
        _count++;
        if (_intent == ReadIntent.Probe)
            return false;
        if (_count > Trial && age >= TrialTime)
        {
            _isSteady |= ahead > 0 && ready == ahead;
            if (lastSent && ready * 2 <= ahead)
            {
                if (!_stayed)
                    Stayed(burst);
                _segments += Growth;
            }
            else if (lastSent && _stayed && !_isSteady)
            {
                _segments++;
            }

            _segments = Math.Min(_segments, _most);
        }

        return age - _measuredAt >= RateTime && FollowRate(age);
    }

    /// <summary>
    /// Somebody reads again after a pause: it begins narrow, and the pause says nothing of the rate. A slow client whose sockets were full takes megabytes at once and pauses again: for the next
    /// two seconds it gets no more ahead than twice the stock of its rate, pause included. Without that two such clients fetched nine times what they read, each of
    /// them out of the other's room (1.4 and 0.9 MB/s, a line of 110 MB/s, a budget of 120 MiB).
    /// </summary>
    /// <param name="age">Time since the reader was opened.</param>
    public void Resumed(TimeSpan age)
    {
        var rate = age > _measuredAt ? (_taken - _takenThen) / (age - _measuredAt).TotalSeconds : 0;
        _most = Math.Max(2 * InitialSegments, SegmentsOf(2 * StockSeconds * rate));
        (_measuredAt, _takenThen) = (age, _taken);
        _segments = Math.Min(_segments, InitialSegments);
        _stock = 0;
        _stayed = _isSteady = false;
    }

    /// <summary>Sets the stock by what was read since the last time. A window that was opened for a faster reader narrows to the same seconds.</summary>
    private bool FollowRate(TimeSpan age)
    {
        var ahead = StockSeconds * (_taken - _takenThen) / (age - _measuredAt).TotalSeconds;
        (_measuredAt, _takenThen) = (age, _taken);
        _most = int.MaxValue;
        var stock = (long)Math.Min(StockLimit, ahead);
        var most = Math.Max(InitialSegments, SegmentsOf(ahead));
        var isLess = stock < _stock || most < _segments;
        _stock = stock;
        _segments = Math.Min(_segments, most);
        return isLess;
    }

    /// <summary>So many bytes in segments of the size that was read so far.</summary>
    private int SegmentsOf(double bytes) => (int)Math.Min(int.MaxValue, Math.Ceiling(bytes * _count / Math.Max(1, _taken)));
}
