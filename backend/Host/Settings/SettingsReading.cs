namespace NzbDav.Host.Settings;

/// <summary>What came of reading a configuration. Immutable.</summary>
/// <param name="Settings">What holds; with faults, the defaults in their place.</param>
/// <param name="Faults">All that is wrong, so that it can be mended at once.</param>
/// <param name="Entries">Every setting that there is, in the order in which they are read; of numbered ones those that are set.</param>
public sealed record SettingsReading(NzbDavSettings Settings, IReadOnlyList<SettingFault> Faults, IReadOnlyList<SettingEntry> Entries);
