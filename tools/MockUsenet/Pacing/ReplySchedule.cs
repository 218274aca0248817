namespace NzbDav.MockUsenet.Pacing;

/// <summary>
/// When each reply of one connection may start. A command pays one round trip from its own arrival, so commands that are already
/// in the pipe overlap their latency and serial ones pay it each; replies never overtake each other. Not thread-safe.
/// </summary>
internal sealed class ReplySchedule(ulong seed)
{
    private readonly Random _random = new(unchecked((int)(seed ^ (seed >> 32))));
    private long _last;

    /// <summary>Ticks at which the first byte may go out.</summary>
    /// <param name="arrival">When the command arrived, in ticks.</param>
    /// <param name="latency">Round trip, in ticks.</param>
    /// <param name="jitter">Each round trip differs by up to this much, in ticks, evenly to both sides.</param>
    public long Next(long arrival, long latency, long jitter)
    {
        var trip = latency;
        if (jitter > 0)
            trip += _random.NextInt64(-jitter, jitter + 1);
        _last = Math.Max(_last, arrival + Math.Max(0, trip));
        return _last;
    }
}
