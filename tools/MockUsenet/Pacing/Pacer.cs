namespace NzbDav.MockUsenet;

/// <summary>
/// A line of a given rate: tells when bytes that are handed to it have passed. Pure arithmetic over the caller's clock (ticks of
/// 100 ns); thread-safe, since the line of a whole provider is shared by its connections.
/// </summary>
internal sealed class Pacer(long bytesPerSecond)
{
    /// <summary>Time lost to a late wake-up is made good up to here; a line that stood idle or blocked gains nothing beyond.</summary>
    private const long Grace = 20 * TimeSpan.TicksPerMillisecond;

    /// <summary>Pieces last about this long, which keeps a hundred slow connections below ten thousand wake-ups a second.</summary>
    private const int PiecesPerSecond = 100;

    private readonly Lock _gate = new();
    private long _rate = bytesPerSecond;
    private long _free;

    /// <summary>Bytes per second; 0 = no limit.</summary>
    public long Rate
    {
        get => Volatile.Read(ref _rate);
        set => Volatile.Write(ref _rate, value);
    }

    /// <summary>How many bytes to hand over at once when <paramref name="sent"/> went before: small at first, so that a first byte is not held back.</summary>
    public int Piece(long sent)
    {
        var most = Math.Clamp(Rate / PiecesPerSecond, 2_048, 262_144);
        return (int)Math.Clamp(sent, 2_048, most);
    }

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
