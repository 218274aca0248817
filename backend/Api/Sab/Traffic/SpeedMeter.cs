using NzbDav.Content.Rates;

namespace NzbDav.Api.Sab.Traffic;

/// <summary>Rate of the providers over the last seconds. Measured when it is read, at most once a second. Thread-safe.</summary>
internal sealed class SpeedMeter(ISabTraffic traffic, TimeProvider time)
{
    private static readonly TimeSpan Least = TimeSpan.FromSeconds(1);

    /// <summary>A measurement older than this says nothing about the current rate.</summary>
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private RecentRate _rate = new(window: 1);
    private long _at;

    /// <summary>Bytes per second.</summary>
    public double Rate
    {
        get
        {
            var bytes = traffic.Servers.Sum(server => server.Bytes);
            lock (_gate)
            {
                var now = Math.Max(1, time.GetTimestamp());
                var passed = time.GetElapsedTime(_at, now);
                if (_at != 0 && passed < Least)
                    return _rate.Value;
                if (passed > Most)
                    _rate = new RecentRate(window: 1);
                _rate.Look(time.GetElapsedTime(0, now), bytes);
                _at = now;
                return _rate.Value;
            }
        }
    }
}
