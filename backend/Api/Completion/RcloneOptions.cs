namespace NzbDav.Api.Completion;

/// <summary>The remote control of the rclone that mounts the tree's root (<c>rclone mount --rc</c>).</summary>
/// <param name="Url">Address of the remote control, such as <c>http://rclone:5572</c>.</param>
/// <param name="Username">The user of <c>--rc-user</c>; null with <c>--rc-no-auth</c>.</param>
/// <param name="Password">The password of <c>--rc-pass</c>.</param>
public sealed record RcloneOptions(Uri Url, string? Username, string? Password);
