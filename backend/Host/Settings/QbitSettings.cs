using NzbDav.Api.QBittorrent.Options;

namespace NzbDav.Host.Settings;

/// <summary>The settings for clients of the qBittorrent interface. Secrets are not readable here, and a change cannot send one to another address. Thread-safe.</summary>
internal sealed class QbitSettings(SettingsBook book) : IQbitSettings
{
    /// <inheritdoc/>
    public IReadOnlyDictionary<string, QbitSetting> Read() => book.Entries.ToDictionary(
        static entry => entry.Path,
        static entry => new QbitSetting(entry.Kind == SettingKind.Secret ? null : entry.Value ?? entry.Default, entry.Least ?? 0, entry.Most ?? int.MaxValue),
        StringComparer.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public async Task<string?> ChangeAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken)
    {
        var faults = await book.ChangeAsync(changes, movesSecrets: false, cancellationToken);
        return faults.Count == 0 ? null : string.Join(' ', faults);
    }
}
