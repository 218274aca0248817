namespace NzbDav.Host.Guide;

/// <summary>Which steps of setting up a new server are done.</summary>
/// <param name="User">There is a user who can sign in.</param>
/// <param name="Provider">There is a Usenet provider.</param>
/// <param name="Webdav">WebDAV has credentials.</param>
/// <param name="Played">A file has been read.</param>
/// <param name="Arrs">An *arr is configured.</param>
internal sealed record SetupProgressBody(bool User, bool Provider, bool Webdav, bool Played, bool Arrs);
