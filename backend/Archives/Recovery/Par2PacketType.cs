namespace NzbDav.Archives.Recovery;

/// <summary>The packet types of the specification ("Packet Types").</summary>
internal enum Par2PacketType
{
    /// <summary>A type that is not in the specification: skipped, as the specification demands.</summary>
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
    Recovery,

    /// <summary>The program that made the set. Not needed for a repair.</summary>
    Creator,

    /// <summary>A comment, in ASCII or UTF-16. Not needed for a repair.</summary>
    Comment,

    /// <summary>A slice of a file of the set, kept beside its recovery data. The file itself is read instead.</summary>
    InputSlice,

    /// <summary>Checksums of the slices of a file with recovery data. Each slice has its own in its header.</summary>
    RecoveryChecksums,

    /// <summary>Replaces <see cref="Main"/> in a set whose slices hold several files or parts of some. No program is known to write it.</summary>
    PackedMain,

    /// <summary>A slice of recovery data of such a set.</summary>
    PackedRecoverySlice,
}
