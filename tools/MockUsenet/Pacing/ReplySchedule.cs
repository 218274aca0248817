namespace NzbDav.MockUsenet.Pacing;

/// <summary>
/// Computes when each reply of one connection may start. A command takes one round trip from its own arrival, so commands that are already
/// in the pipe overlap their latency and serial ones each pay it. Replies never overtake each other. Not thread-safe.
/// </summary>
internal sealed class ReplySchedule(ulong seed)
{
    private readonly Random _random = new(unchecked((int)(seed ^ (seed >> 32))));
    private long _last;

    /// <summary>Ticks at which the first byte may go out.</summary>
    /// <param name="arrival">When the command arrived, in ticks.</param>
    /// <param name="latency">Round trip, in ticks.</param>
    /// <param name="jitter">Each round trip varies by up to this many ticks, uniformly in both directions.</param>
    public long Next(long arrival, long latency, long jitter)
    {
        var trip = latency;
        if (jitter > 0)
            trip += _random.NextInt64(-jitter, jitter + 1);
        _last = Math.Max(_last, arrival + Math.Max(0, trip));
        return _last;
    }
}
