namespace NzbDav.Host.Operations;

/// <summary>A setting as the support bundle shows it.</summary>
/// <param name="Name">As it is set: <c>NzbDav__WebDav__Username</c>.</param>
/// <param name="Value"><c>set</c> for a secret.</param>
/// <param name="Source">Where it comes from: <c>environment</c> or <c>stored</c>.</param>
internal sealed record ShownSetting(string Name, string Value, string Source);
