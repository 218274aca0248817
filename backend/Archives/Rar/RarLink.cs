namespace NzbDav.Archives.Rar;

/// <summary>How a header refers to another file instead of holding bytes.</summary>
internal enum RarLink
{
    /// <summary>Not a link.</summary>
    None,

    /// <summary>A symbolic link or junction.</summary>
    Symbolic,

    /// <summary>A hard link or a copy: the same bytes as an earlier entry of the archive.</summary>
    Same,
}
