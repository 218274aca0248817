namespace NzbDav.FullNzbTester.Dav;

/// <summary>The file that is read over WebDAV.</summary>
/// <param name="Url">Its address.</param>
/// <param name="Authorization">Value of the Authorization header.</param>
/// <param name="Length">Size in bytes, according to the server's listing.</param>
internal sealed record DavTarget(Uri Url, string Authorization, long Length);
