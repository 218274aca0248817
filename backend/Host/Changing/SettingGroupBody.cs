namespace NzbDav.Host.Changing;

/// <summary>A group of settings.</summary>
/// <param name="Id">Its id, as in <see cref="SettingBody.Group"/>.</param>
/// <param name="Title">Its title.</param>
internal sealed record SettingGroupBody(string Id, string Title);
