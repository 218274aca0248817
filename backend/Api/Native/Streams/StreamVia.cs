namespace NzbDav.Api.Native.Streams;


/// <summary>The interface through which a file is read.</summary>
internal enum StreamVia
{
    /// <summary>WebDAV.</summary>
    Webdav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,
}
