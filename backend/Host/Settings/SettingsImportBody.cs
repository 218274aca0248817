namespace NzbDav.Host.Settings;

/// <summary>Settings that take the place of those that are stored.</summary>
/// <param name="Version">Of the format: 1.</param>
/// <param name="Settings">Those that are set, by path.</param>
/// <param name="Confirm">Needed when the file brings another address for a saved secret, and not the secret.</param>
internal sealed record SettingsImportBody(int Version, IReadOnlyDictionary<string, string> Settings, ConfirmBody? Confirm = null);
