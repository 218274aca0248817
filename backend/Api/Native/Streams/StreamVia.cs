namespace NzbDav.Api.Native.Streams;


/// <summary>By which address a file is read.</summary>
internal enum StreamVia
{
    /// <summary>WebDAV.</summary>
    Webdav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,
}
