using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Which of the two pairs of limits holds: looks at the clock on the wall at each full minute while there are times to look for. Thread-safe.</summary>
internal sealed class RateSchedule : IDisposable
{
    private readonly TimeProvider _time;
    private readonly Func<TorrentOptions> _options;
    private readonly Action<TransferRates> _apply;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private bool _isClosed;

    /// <param name="time">Clock, and the zone of the wall's.</param>
    /// <param name="options">The engine's, as they are at the time.</param>
    /// <param name="apply">Makes limits hold. Called under a lock: must take none that others hold while they call this.</param>
    public RateSchedule(TimeProvider time, Func<TorrentOptions> options, Action<TransferRates> apply)
    {
        _time = time;
        _options = options;
        _apply = apply;
        _timer = time.CreateTimer(static state => ((RateSchedule)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The alternative limits hold.</summary>
    public bool IsAlternative { get; private set; }

    /// <summary>It is their time, whether that counts or not.</summary>
    public bool IsTime => _options().AlternativeTimes.Contains(_time.GetLocalNow().DateTime);

    /// <summary>Looks at the clock and at the options.</summary>
    public void Look()
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            var options = _options();
            var now = _time.GetLocalNow().DateTime;
            IsAlternative = options.AlternativeLimits switch
            {
                AlternativeLimits.Always => true,
                AlternativeLimits.Never => false,
                _ => options.AlternativeTimes.Contains(now),
            };
            _apply(IsAlternative ? options.AlternativeRates : options.Rates);

            // The wall's clock may be put forward or back: it is not reckoned when it shows what.
            var next = options.AlternativeTimes.IsEmpty ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(TimeSpan.TicksPerMinute - (now.Ticks % TimeSpan.TicksPerMinute));
            _timer.Change(next, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            _isClosed = true;
        _timer.Dispose();
    }
}
