namespace NzbDav.Host.Settings;

/// <summary>One allowed value of a setting.</summary>
/// <param name="Value">The value to set.</param>
/// <param name="Title">Its title.</param>
internal sealed record SettingChoiceBody(string Value, string Title);
