namespace NzbDav.Host.Changing;

/// <summary>Settings as one file.</summary>
/// <param name="Version">Version of the format: 1.</param>
/// <param name="Settings">The settings that are set, by path.</param>
internal sealed record SettingsExportBody(int Version, IReadOnlyDictionary<string, string> Settings);
