namespace NzbDav.Host.Changing;

/// <summary>Settings that replace the stored ones.</summary>
/// <param name="Version">Version of the format: 1.</param>
/// <param name="Settings">The settings that are set, by path.</param>
/// <param name="Confirm">Needed if the file changes the address of a saved secret without containing the secret.</param>
internal sealed record SettingsImportBody(int Version, IReadOnlyDictionary<string, string> Settings, ConfirmBody? Confirm = null);
