namespace NzbDav.MockUsenet.Pacing;

/// <summary>
/// A line with a given rate: computes when bytes have passed it. Pure arithmetic over the caller's clock (ticks of
/// 100 ns). Thread-safe, because the line of a whole provider is shared by its connections.
/// </summary>
/// <param name="bytesPerSecond">Rate; 0 = no limit.</param>
/// <param name="piecesPerSecond">Number of pieces per second: how finely the line is shared.</param>
internal sealed class Pacer(long bytesPerSecond, int piecesPerSecond = Pacer.OwnPieces)
{
    /// <summary>Time lost to a late wake-up is made up for, up to this limit. An idle or blocked line gains no more than this.</summary>
    private const long Grace = 20 * TimeSpan.TicksPerMillisecond;

    /// <summary>
    /// A wake-up costs about 50 µs in total: at this many per second, a hundred slow connections take a quarter of a core.
    /// </summary>
    public const int OwnPieces = 50;

    /// <summary>A shared line carries packets of all connections in turn: at this many pieces per second, each of twenty connections gets
    /// one every 50 ms.</summary>
    public const int SharedPieces = 400;

    /// <summary>Wake-ups are rounded up to multiples of this, so that one wake-up serves the pieces of many connections.
    /// <see cref="Grace"/> makes up for the delay.</summary>
    private const long Beat = 4 * TimeSpan.TicksPerMillisecond;

    /// <summary>The first piece of a body, small so that its first byte is not held back: 4 KiB take 0.8 ms at 5 MB/s.</summary>
    private const int FirstPiece = 4_096;

    private readonly Lock _gate = new();
    private long _rate = bytesPerSecond;
    private long _free;

    /// <summary>Bytes per second; 0 = no limit.</summary>
    public long Rate
    {
        get => Volatile.Read(ref _rate);
        set => Volatile.Write(ref _rate, value);
    }

    /// <summary>How many bytes to send at once after <paramref name="sent"/> bytes.</summary>
    public int Piece(long sent) => sent == 0 ? FirstPiece : (int)Math.Clamp(Rate / piecesPerSecond, FirstPiece, 262_144);

    /// <summary>
    /// When to wake up for a piece that has passed at <paramref name="due"/>. The first piece of a body does not wait for others.
    /// </summary>
    public static long WakeUp(long due, long sent) => sent == 0 ? due : (due + Beat - 1) / Beat * Beat;

    /// <summary>Ticks at which the last of <paramref name="bytes"/> has passed.</summary>
    /// <param name="bytes">The piece.</param>
    /// <param name="ready">When the piece could have started, had the line been free.</param>
    /// <param name="now">The time.</param>
    public long Pass(int bytes, long ready, long now)
    {
        var rate = Rate;
        if (rate <= 0)
            return ready;
        lock (_gate)
        {
            var start = Math.Max(Math.Max(_free, ready), now - Grace);
            _free = start + (long)Math.Ceiling(bytes * (double)TimeSpan.TicksPerSecond / rate);
            return _free;
        }
    }
}

/// <summary>A household's line, shared by all providers: each gets the bandwidth that the others leave. Thread-safe.</summary>
/// <param name="bytesPerSecond">Body bytes per second; more than 0.</param>
public sealed class MockLine(long bytesPerSecond)
{
    private readonly Pacer _pacer = new(bytesPerSecond, Pacer.SharedPieces);

    /// <summary>How many bytes to send at once after <paramref name="sent"/> bytes.</summary>
    internal int Piece(long sent) => _pacer.Piece(sent);

    /// <summary>
    /// Ticks at which bytes sent now have passed. Call it only for bytes that can be sent now: others would block the line in the meantime.
    /// </summary>
    internal long Pass(int bytes, long now) => _pacer.Pass(bytes, ready: 0, now);
}
