namespace NzbDav.Archives.Recovery;

/// <summary>Packets that matter here.</summary>
internal enum Par2PacketType
{
    /// <summary>The creator, anything else.</summary>
    Other,

    /// <summary>Slice size and the ids of all files.</summary>
    Main,

    /// <summary>Name, size and hashes of a file.</summary>
    FileDescription,

    /// <summary>Checksums of a file's slices.</summary>
    SliceChecksums,

    /// <summary>A file's name in UTF-16.</summary>
    UnicodeName,

    /// <summary>A slice of recovery data.</summary>
    RecoverySlice,
}
