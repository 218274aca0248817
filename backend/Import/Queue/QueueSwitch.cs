using System.Globalization;
using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>
/// Holds the whole queue back: what runs goes on to its end, nothing new is begun but what is forced (<see cref="JobPriority.Force"/>).
/// Survives a restart, and holds for all processes that share the catalog. Thread-safe.
/// </summary>
public sealed class QueueSwitch
{
    private const string Key = "import.paused-until";
    private const string Forever = "forever";

    private readonly SettingStore _settings;
    private readonly TimeProvider _time;

    public QueueSwitch(SettingStore settings, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(settings);
        _settings = settings;
        _time = time;
        _settings.Changed += key =>
        {
            if (key == Key)
                Changed?.Invoke();
        };
    }

    /// <summary>Raised when the queue was paused or goes on: return quickly. Not when a pause runs out.</summary>
    public event Action? Changed;

    /// <summary>True while nothing new is begun.</summary>
    public async ValueTask<bool> IsPausedAsync(CancellationToken cancellationToken) => await PausedUntilAsync(cancellationToken) is not null;

    /// <summary>When the queue goes on; <see cref="DateTimeOffset.MaxValue"/> when somebody has to say so; null when it is not paused.</summary>
    public async ValueTask<DateTimeOffset?> PausedUntilAsync(CancellationToken cancellationToken)
    {
        var value = await _settings.GetAsync(Key, cancellationToken);
        if (value == Forever)
            return DateTimeOffset.MaxValue;
        return long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var ticks) && ticks > _time.GetUtcNow().UtcTicks && ticks <= DateTimeOffset.MaxValue.UtcTicks
            ? new DateTimeOffset(ticks, TimeSpan.Zero)
            : null;
    }

    /// <summary>Pauses the queue; null: until <see cref="ResumeAsync"/>.</summary>
    public Task PauseAsync(TimeSpan? duration, CancellationToken cancellationToken) => _settings.SetAsync(
        Key, duration is { } time ? (_time.GetUtcNow() + time).UtcTicks.ToString(CultureInfo.InvariantCulture) : Forever, cancellationToken);

    /// <summary>Lets the queue go on.</summary>
    public Task ResumeAsync(CancellationToken cancellationToken) => _settings.SetAsync(Key, value: null, cancellationToken);
}
