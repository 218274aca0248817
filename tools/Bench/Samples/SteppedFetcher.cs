using NzbDav.Content;

namespace NzbDav.Bench.Samples;

/// <summary>
/// A network in memory that advances with <see cref="Step"/>: articles arrive in the order of their requests, each in several pieces, the
/// last of which verifies it. The bytes are whatever the buffer contained. Not thread-safe: the reader and <see cref="Step"/> take turns.
/// </summary>
/// <param name="time">The clock, which advances with each piece.</param>
/// <param name="pieces">Number of pieces of an article; 0: it arrives as soon as it is requested.</param>
internal sealed class SteppedFetcher(SteppedTime time, int pieces) : ISegmentFetcher
{
    /// <summary>Time for one piece: a line of about 240 MB/s.</summary>
    private static readonly TimeSpan Piece = TimeSpan.FromMilliseconds(1);

    private readonly Queue<SegmentFlight> _asked = new();
    private PooledBuffer? _buffer;
    private int _shown;

    /// <summary>Zero: nothing is known about this line, as after connecting.</summary>
    public long Burst => 0;

    public void Begin(SegmentFlight flight)
    {
        flight.Sent = true;
        if (pieces > 0)
            _asked.Enqueue(flight);
        else
            Complete(flight, flight.RentBuffer(flight.Key.Size));
    }

    public void Raise(SegmentFlight flight)
    {
    }

    public string? SourceOf(SegmentFlight flight) => null;

    public string? TraceOf(SegmentFlight flight) => null;

    public bool TryDrop(SegmentFlight flight) => false;

    public void Completed(SegmentFlight flight)
    {
    }

    /// <summary>Delivers the next piece of the article requested first.</summary>
    public void Step()
    {
        time.Step(Piece);
        var flight = _asked.Peek();
        var buffer = _buffer ??= flight.RentBuffer(flight.Key.Size);
        if (++_shown < pieces)
        {
            flight.Publish(buffer, flight.Key.Size / pieces * _shown, flight.Key.Begin, flight.Key.Size);
            return;
        }

        (_buffer, _shown) = (null, 0);
        _asked.Dequeue();
        Complete(flight, buffer);
    }

    private static void Complete(SegmentFlight flight, PooledBuffer buffer)
    {
        flight.Complete(buffer, flight.Key.Size, flight.Key.Begin, header: null);
        buffer.Release();
    }
}

/// <summary>
/// A manual clock. Between two pieces in memory far less time passes than on a real line, and readers judge the line by that time. Costs
/// an addition: a fake with timers takes a lock at each step, which would be measured too.
/// </summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>Advances the clock.</summary>
    public void Step(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
