namespace NzbDav.Content;

/// <summary>
/// A clock whose timers report exceptions of their callbacks. In a system timer such an exception would end the process. A periodic timer
/// continues. Thread-safe.
/// </summary>
/// <param name="time">The clock.</param>
/// <param name="report">Receives an exception of a callback, which is a bug in this program. Must not throw.</param>
public sealed class GuardedTime(TimeProvider time, Action<Exception> report) : TimeProvider
{
    /// <inheritdoc/>
    public override long TimestampFrequency => time.TimestampFrequency;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => time.LocalTimeZone;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => time.GetUtcNow();

    /// <inheritdoc/>
    public override long GetTimestamp() => time.GetTimestamp();

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return time.CreateTimer(Run, state, dueTime, period);

        void Run(object? passed)
        {
            try
            {
                callback(passed);
            }
            catch (Exception e)
            {
                report(e);
            }
        }
    }
}
