namespace NzbDav.Host.Settings;

/// <summary>Why settings were not changed.</summary>
/// <param name="Faults">All that is wrong.</param>
internal sealed record FaultsBody(IReadOnlyList<SettingFault> Faults);
