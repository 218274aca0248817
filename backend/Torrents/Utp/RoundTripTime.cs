using NzbDav.Content.Rates;

namespace NzbDav.Torrents.Utp;

/// <summary>
/// Estimates a connection's round trip and the wait for an acknowledgement. All times are in microseconds. Not thread-safe.
/// </summary>
internal sealed class RoundTripTime
{
    /// <summary>Shortest wait. BEP 29: "The timeout is never less than 500 milliseconds."</summary>
    public const long LeastTimeout = 500_000;

    /// <summary>Wait before the first measurement: 1,000 ms (BEP 29).</summary>
    private const long FirstTimeout = 1_000_000;

    /// <summary>Longest wait. After an outage of its network, a peer is reached within this time.</summary>
    private const long MostTimeout = 16_000_000;

    private RoundTripAverage _trip;
    private long _timeout = FirstTimeout;
    private int _doublings;

    /// <summary>Smoothed round trip; 0 = not measured yet.</summary>
    public long Smoothed => _trip.Value;

    /// <summary>Current wait for an acknowledgement.</summary>
    public long Timeout => Math.Min(MostTimeout, _timeout << _doublings);

    /// <summary>Adds a sample: the time until a packet that was sent only once was acknowledged.</summary>
    public void Measure(long sample)
    {
        // BEP 29: delta = rtt - packet_rtt; rtt_var += (abs(delta) - rtt_var) / 4; rtt += (packet_rtt - rtt) / 8.
        _trip.Add(sample);

        // timeout = max(rtt + rtt_var * 4, 500)
        _timeout = Math.Max(LeastTimeout, _trip.Timeout);
    }

    /// <summary>Call when something was acknowledged: the wait is no longer doubled.</summary>
    public void Answered() => _doublings = 0;

    /// <summary>Call when nothing was acknowledged in time: the wait doubles.</summary>
    public void Double() => _doublings = Math.Min(_doublings + 1, 6);
}
