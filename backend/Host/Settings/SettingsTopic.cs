using NzbDav.Api.Native.Events;

namespace NzbDav.Host.Settings;

/// <summary>Tells pages that settings changed. Thread-safe.</summary>
internal sealed class SettingsTopic : IEventTopic, IDisposable
{
    private readonly SettingsBook _book;
    private bool _isTold = true;

    public SettingsTopic(SettingsBook book)
    {
        _book = book;
        book.Changed += OnChanged;
    }

    public event Action? Changed;

    public string Name => "settings";

    public Type DataType => typeof(SettingsEventBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(250);

    public ValueTask<object?> TakeAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult<object?>(Interlocked.Exchange(ref _isTold, true) ? null : new SettingsEventBody());

    public void Begin() => Volatile.Write(ref _isTold, true);

    public void Dispose() => _book.Changed -= OnChanged;

    private void OnChanged(NzbDavSettings settings)
    {
        Volatile.Write(ref _isTold, false);
        Changed?.Invoke();
    }
}
