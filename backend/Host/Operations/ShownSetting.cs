namespace NzbDav.Host.Operations;

/// <summary>A setting in the support bundle.</summary>
/// <param name="Name">Its name as a variable: <c>NzbDav__WebDav__Username</c>.</param>
/// <param name="Value">Its value; <c>set</c> for a secret.</param>
/// <param name="Source">Where it comes from: <c>environment</c> or <c>stored</c>.</param>
internal sealed record ShownSetting(string Name, string Value, string Source);
