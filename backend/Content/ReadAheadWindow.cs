namespace NzbDav.Content;

/// <summary>
/// How far a reader runs ahead. Opens narrow, so that a seek which reads a little and leaves costs little; widens while the
/// reader takes segments faster than they arrive and the network still has room; keeps a few seconds in stock for a steady one.
/// Not thread-safe: used under its reader's lock. Pure arithmetic, no clock of its own.
/// </summary>
public sealed class ReadAheadWindow
{
    /// <summary>Segments at the start of playback: the one that is waited for and two more, so that the first MiB costs one round trip.</summary>
    public const int InitialSegments = 3;

    /// <summary>Added per segment taken while starved: the window quadruples each round trip until the pipe is full.</summary>
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

    /// <summary>A rate is only believed after this much reading: players begin with a burst.</summary>
    private static readonly TimeSpan BurstTime = TimeSpan.FromSeconds(2);

    private readonly ReadIntent _intent;
    private int _segments;
    private int _count;
    private long _taken;
    private long _stock;

    public ReadAheadWindow(ReadIntent intent)
    {
        _intent = intent;
        _segments = intent switch
        {
            ReadIntent.Probe => 1,
            ReadIntent.Import or ReadIntent.Health => 2,
            _ => InitialSegments,
        };
    }

    /// <summary>Segments wanted in flight or in stock, the one being read included.</summary>
    public int Segments => _segments;

    /// <summary>Bytes wanted in stock whatever <see cref="Segments"/> says.</summary>
    public long Stock => _stock;

    /// <summary>A segment was read to its end.</summary>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="ahead">Segments requested beyond it.</param>
    /// <param name="ready">How many of those are already here.</param>
    /// <param name="lastSent">True when the farthest one is already on the wire: a wider window would be sent for at once.</param>
    /// <param name="elapsed">Time since the reader's first byte.</param>
    public void Taken(int bytes, int ahead, int ready, bool lastSent, TimeSpan elapsed)
    {
        _taken += bytes;
        _count++;
        if (_intent == ReadIntent.Probe)
            return;
        if (_count > Trial && lastSent && ready * 2 <= ahead)
            _segments += Growth;
        if (elapsed >= BurstTime)
            _stock = (long)Math.Min(StockLimit, StockSeconds * _taken / elapsed.TotalSeconds);
    }
}
