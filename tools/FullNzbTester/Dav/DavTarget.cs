namespace NzbDav.FullNzbTester.Dav;

/// <summary>The file that is read over WebDAV.</summary>
/// <param name="Url">Where it is.</param>
/// <param name="Authorization">Value of the header.</param>
/// <param name="Length">Bytes, as the server's listing says.</param>
internal sealed record DavTarget(Uri Url, string Authorization, long Length);
