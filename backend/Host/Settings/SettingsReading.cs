namespace NzbDav.Host.Settings;

/// <summary>The result of reading a configuration. Immutable.</summary>
/// <param name="Settings">The settings; faulty ones are replaced by their defaults.</param>
/// <param name="Faults">All faults, so that they can be corrected together.</param>
/// <param name="Entries">Every existing setting in the order of reading; of numbered ones, those that are set.</param>
public sealed record SettingsReading(NzbDavSettings Settings, IReadOnlyList<SettingFault> Faults, IReadOnlyList<SettingEntry> Entries);
