using System.Globalization;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;

namespace NzbDav.Import.Queue;

/// <summary>
/// Pauses the whole queue: running jobs continue to their end, and only forced jobs (<see cref="JobPriority.Force"/>) are started.
/// The pause survives a restart and applies to all processes that share the catalog. It does not count as a job's waiting. Thread-safe.
/// </summary>
public sealed class QueueSwitch
{
    private const string Key = "import.paused-until";
    private const string Forever = "forever";

    private readonly JobStore _jobs;
    private readonly SettingStore _settings;
    private readonly TimeProvider _time;

    public QueueSwitch(JobStore jobs, SettingStore settings, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(settings);
        _jobs = jobs;
        _settings = settings;
        _time = time;
        _settings.Changed += key =>
        {
            if (key == Key)
                Changed?.Invoke();
        };
    }

    /// <summary>Raised when the queue is paused or resumed, but not when a pause runs out. Handlers must return quickly.</summary>
    public event Action? Changed;

    /// <summary>True while no jobs are started, except forced ones.</summary>
    public async ValueTask<bool> IsPausedAsync(CancellationToken cancellationToken) =>
        await PausedUntilAsync(cancellationToken) is not null;

    /// <summary>
    /// When the queue resumes; <see cref="DateTimeOffset.MaxValue"/> if it waits for <see cref="ResumeAsync"/>; null when it is not paused.
    /// </summary>
    public async ValueTask<DateTimeOffset?> PausedUntilAsync(CancellationToken cancellationToken)
    {
        var value = await _settings.GetAsync(Key, cancellationToken);
        if (value == Forever)
            return DateTimeOffset.MaxValue;
        return long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var ticks) && ticks > _time.GetUtcNow().UtcTicks
            && ticks <= DateTimeOffset.MaxValue.UtcTicks
            ? new DateTimeOffset(ticks, TimeSpan.Zero)
            : null;
    }

    /// <summary>Pauses the queue for a duration; null: until <see cref="ResumeAsync"/>.</summary>
    public async Task PauseAsync(TimeSpan? duration, CancellationToken cancellationToken)
    {
        // No event reports the end of a pause, so waiting is restarted when it begins too.
        await _jobs.RestartWaitingAsync(cancellationToken);
        await _settings.SetAsync(Key,
            duration is { } time ? (_time.GetUtcNow() + time).UtcTicks.ToString(CultureInfo.InvariantCulture) : Forever, cancellationToken);
    }

    /// <summary>Resumes the queue.</summary>
    public async Task ResumeAsync(CancellationToken cancellationToken)
    {
        await _jobs.RestartWaitingAsync(cancellationToken);
        await _settings.SetAsync(Key, value: null, cancellationToken);
    }
}
