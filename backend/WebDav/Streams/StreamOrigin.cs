namespace NzbDav.WebDav.Streams;

/// <summary>By which address a file is read.</summary>
public enum StreamOrigin
{
    /// <summary>WebDAV.</summary>
    Dav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,
}
