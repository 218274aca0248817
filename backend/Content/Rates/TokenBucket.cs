namespace NzbDav.Content.Rates;

/// <summary>
/// Bytes that may be transferred. They accrue at a rate, up to a burst. More bytes may be taken than have accrued; the debt is then paid
/// first. The owner passes the time, and decides what a debt delays. Not thread-safe, except for <see cref="Rate"/>. Two limits build on
/// it: <see cref="RateLimit"/> for callers that wait, and the torrents' RequestBucket for callers that try again later.
/// </summary>
public sealed class TokenBucket
{
    private double _rate;
    private double _burst;
    private double _left;
    private long _at;

    /// <summary>Bytes per second; 0 before <see cref="Set"/>.</summary>
    public double Rate => Volatile.Read(ref _rate);

    /// <summary>Bytes that may be taken without debt, as of the last <see cref="Accrue"/>; negative: the debt.</summary>
    public double Left => _left;

    /// <summary>Changes the rate. Accrued bytes remain, up to the new burst, and so does a debt.</summary>
    /// <param name="rate">Bytes per second.</param>
    /// <param name="burst">Most bytes that accrue.</param>
    public void Set(double rate, double burst)
    {
        Volatile.Write(ref _rate, rate);
        _burst = burst;
        _left = Math.Min(_left, burst);
    }

    /// <summary>Adds the bytes that have accrued. Call before the other methods.</summary>
    /// <param name="now">Ticks of 100 ns on a clock that never goes back.</param>
    public void Accrue(long now)
    {
        _left = Math.Min(_burst, _left + ((now - _at) * _rate / TimeSpan.TicksPerSecond));
        _at = now;
    }

    /// <summary>Seconds until this many bytes may be taken without debt; 0: now.</summary>
    /// <param name="bytes">0: until no debt is left.</param>
    public double WaitFor(double bytes) => Math.Max(0, bytes - _left) / _rate;

    /// <summary>Takes bytes, even more than have accrued.</summary>
    public void Take(double bytes) => _left -= bytes;

    /// <summary>Cancels a debt.</summary>
    public void Forgive() => _left = Math.Max(0, _left);
}
