namespace NzbDav.Host.Guide;

/// <summary>How far a new server is set up.</summary>
/// <param name="User">Somebody can sign in.</param>
/// <param name="Provider">There is a Usenet provider.</param>
/// <param name="Webdav">WebDAV has credentials.</param>
/// <param name="Played">Bytes of a file were sent to somebody.</param>
/// <param name="Arrs">There is a Sonarr or one of its kin.</param>
internal sealed record SetupProgressBody(bool User, bool Provider, bool Webdav, bool Played, bool Arrs);
