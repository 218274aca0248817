namespace NzbDav.Host.Settings;

/// <summary>Settings as one file.</summary>
/// <param name="Version">Of the format: 1.</param>
/// <param name="Settings">Those that are set, by path.</param>
internal sealed record SettingsExportBody(int Version, IReadOnlyDictionary<string, string> Settings);
