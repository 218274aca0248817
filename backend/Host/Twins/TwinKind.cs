namespace NzbDav.Host.Twins;

/// <summary>What stands for a file of the category in a folder that is kept in step.</summary>
internal enum TwinKind
{
    /// <summary>A <c>.strm</c> file for each video and each piece of music.</summary>
    Strm,

    /// <summary>A symbolic link for each file.</summary>
    Symlinks,
}
