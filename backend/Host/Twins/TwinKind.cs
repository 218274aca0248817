namespace NzbDav.Host.Twins;

/// <summary>What a folder contains for each file of its category.</summary>
internal enum TwinKind
{
    /// <summary>A <c>.strm</c> file for each video and each piece of music.</summary>
    Strm,

    /// <summary>A symbolic link for each file.</summary>
    Symlinks,
}
