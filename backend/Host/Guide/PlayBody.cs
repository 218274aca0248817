namespace NzbDav.Host.Guide;

/// <summary>How players, mounts and other programs reach this server.</summary>
/// <param name="UrlBase">What all its paths begin with; empty for the root.</param>
/// <param name="DavPath">Of WebDAV, with the URL base.</param>
/// <param name="Username">Of WebDAV; null: no credentials are set, and WebDAV lets nobody in.</param>
/// <param name="MountPath">Where the mount is expected.</param>
/// <param name="Rclone">Lines to paste; <c>PASSWORD</c> stands for that of WebDAV.</param>
/// <param name="SabPath">Of the SABnzbd interface, with the URL base: what other programs call host and URL base.</param>
/// <param name="StrmUrl">What addresses in .strm files begin with; null: there are none.</param>
internal sealed record PlayBody(string UrlBase, string DavPath, string? Username, string MountPath, IReadOnlyList<string> Rclone, string SabPath, string? StrmUrl);
