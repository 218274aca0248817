namespace NzbDav.Host.Settings;

/// <summary>Settings that belong together.</summary>
/// <param name="Id">What <see cref="SettingBody.Group"/> names.</param>
/// <param name="Title">For people.</param>
internal sealed record SettingGroupBody(string Id, string Title);
