using NzbDav.Host.Settings;

namespace NzbDav.Host.Changing;

/// <summary>Why settings were not changed.</summary>
/// <param name="Faults">All faults that were found.</param>
internal sealed record FaultsBody(IReadOnlyList<SettingFault> Faults);
