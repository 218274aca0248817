using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Chooses which of the two pairs of limits is in force. While a schedule is set, checks the wall clock at each full minute. Thread-safe.
/// </summary>
internal sealed class RateSchedule : IDisposable
{
    private readonly TimeProvider _time;
    private readonly Func<TorrentOptions> _options;
    private readonly Action<TransferRates> _apply;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private bool _isClosed;

    /// <param name="time">Clock and time zone.</param>
    /// <param name="options">Returns the engine's current options.</param>
    /// <param name="apply">Applies limits. Called under a lock: must not take a lock that is held while this class is called.</param>
    public RateSchedule(TimeProvider time, Func<TorrentOptions> options, Action<TransferRates> apply)
    {
        _time = time;
        _options = options;
        _apply = apply;
        _timer = time.CreateTimer(
            static state => ((RateSchedule)state!).Update(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>True while the alternative limits are in force.</summary>
    public bool IsAlternative { get; private set; }

    /// <summary>True during the schedule of the alternative limits, whether they are in force or not.</summary>
    public bool IsTime => _options().AlternativeTimes.Contains(_time.GetLocalNow().DateTime);

    /// <summary>Checks the clock and the options.</summary>
    public void Update()
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

            // Re-armed minute by minute, because the wall clock may be set forward or back.
            var next = options.AlternativeTimes.IsEmpty
                ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(TimeSpan.TicksPerMinute - (now.Ticks % TimeSpan.TicksPerMinute));
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
