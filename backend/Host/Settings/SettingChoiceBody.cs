namespace NzbDav.Host.Settings;

/// <summary>One of the values that a setting may have.</summary>
/// <param name="Value">As it is set.</param>
/// <param name="Title">For people.</param>
internal sealed record SettingChoiceBody(string Value, string Title);
