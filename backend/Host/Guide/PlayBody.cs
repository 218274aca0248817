namespace NzbDav.Host.Guide;

/// <summary>How players, mounts and other programs reach this server.</summary>
/// <param name="UrlBase">The prefix of all its paths; empty for the root.</param>
/// <param name="DavPath">Path of WebDAV, with the URL base.</param>
/// <param name="Username">User name of WebDAV; null: no credentials are set, and WebDAV refuses all requests.</param>
/// <param name="MountPath">Where the mount is expected.</param>
/// <param name="Rclone">Commands to paste; <c>PASSWORD</c> stands for the WebDAV password.</param>
/// <param name="SabPath">Path of the SABnzbd interface, with the URL base: other programs need it as the URL base.</param>
/// <param name="StrmUrl">The beginning of addresses in .strm files; null: there are no .strm files.</param>
internal sealed record PlayBody(string UrlBase, string DavPath, string? Username, string MountPath, IReadOnlyList<string> Rclone, string SabPath, string? StrmUrl);
