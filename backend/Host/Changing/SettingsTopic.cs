using NzbDav.Api.Native.Events;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Changing;

/// <summary>Notifies pages that settings changed. Thread-safe.</summary>
internal sealed class SettingsTopic : NewsTopic<SettingsEventBody>, IDisposable
{
    private readonly SettingsBook _book;

    public SettingsTopic(SettingsBook book)
        : base("settings", TimeSpan.FromMilliseconds(250))
    {
        _book = book;
        book.Changed += OnChanged;
    }

    public void Dispose() => _book.Changed -= OnChanged;

    protected override SettingsEventBody Look() => new();

    private void OnChanged(NzbDavSettings settings) => Note();
}
