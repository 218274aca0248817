using System.Buffers.Binary;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// The header of a packet (Parity Volume Set Specification 2.0, "Packet Header"): magic, length, MD5 of all that follows the MD5, set id,
/// type.
/// </summary>
/// <param name="Length">Length in bytes including the header, a multiple of 4.</param>
/// <param name="Type">Type of the body.</param>
internal readonly record struct Par2Packet(long Length, Par2PacketType Type)
{
    public const int HeaderSize = 64;

    /// <summary>Offset of the first byte that the packet's MD5 covers.</summary>
    public const int HashedFrom = 32;

    public static ReadOnlySpan<byte> Magic => "PAR2\0PKT"u8;

    /// <summary>The MD5 in the header.</summary>
    public static ReadOnlySpan<byte> HashOf(ReadOnlySpan<byte> packet) => packet.Slice(16, 16);

    /// <summary>The id of the set that the packet belongs to.</summary>
    public static ReadOnlySpan<byte> SetIdOf(ReadOnlySpan<byte> packet) => packet.Slice(32, 16);

    /// <summary>Parses a header; null if no packet begins here.</summary>
    public static Par2Packet? Parse(ReadOnlySpan<byte> header)
    {
        if (header.Length < HeaderSize || !header.StartsWith(Magic))
            return null;
        var length = BinaryPrimitives.ReadUInt64LittleEndian(header[8..]);
        return length is >= HeaderSize and < long.MaxValue && length % 4 == 0
            ? new Par2Packet((long)length, TypeOf(header.Slice(48, 16))) : null;
    }

    private static Par2PacketType TypeOf(ReadOnlySpan<byte> type) =>
        type.SequenceEqual("PAR 2.0\0Main\0\0\0\0"u8) ? Par2PacketType.Main
        : type.SequenceEqual("PAR 2.0\0FileDesc"u8) ? Par2PacketType.FileDescription
        : type.SequenceEqual("PAR 2.0\0IFSC\0\0\0\0"u8) ? Par2PacketType.SliceChecksums
        : type.SequenceEqual("PAR 2.0\0UniFileN"u8) ? Par2PacketType.UnicodeName
        : type.SequenceEqual("PAR 2.0\0RecvSlic"u8) ? Par2PacketType.Recovery
        : type.SequenceEqual("PAR 2.0\0Creator\0"u8) ? Par2PacketType.Creator
        : type.SequenceEqual("PAR 2.0\0CommASCI"u8) || type.SequenceEqual("PAR 2.0\0CommUni\0"u8) ? Par2PacketType.Comment
        : type.SequenceEqual("PAR 2.0\0FileSlic"u8) ? Par2PacketType.InputSlice
        : type.SequenceEqual("PAR 2.0\0RFSC\0\0\0\0"u8) ? Par2PacketType.RecoveryChecksums
        : type.SequenceEqual("PAR 2.0\0PkdMain\0"u8) ? Par2PacketType.PackedMain
        : type.SequenceEqual("PAR 2.0\0PkdRecvS"u8) ? Par2PacketType.PackedRecoverySlice
        : Par2PacketType.Other;
}

/// <summary>The packet types of the specification ("Packet Types").</summary>
internal enum Par2PacketType
{
    /// <summary>A type that is not in the specification. Skipped, as the specification demands.</summary>
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

    /// <summary>The program that created the set. Not needed for a repair.</summary>
    Creator,

    /// <summary>A comment, in ASCII or UTF-16. Not needed for a repair.</summary>
    Comment,

    /// <summary>A slice of a file of the set, stored with its recovery data. The file itself is read instead.</summary>
    InputSlice,

    /// <summary>Checksums of the slices of a file with recovery data. Not needed, because each slice has its own in its header.</summary>
    RecoveryChecksums,

    /// <summary>
    /// Replaces <see cref="Main"/> in a set whose slices contain several files or parts of them. No program is known to write it.
    /// </summary>
    PackedMain,

    /// <summary>A slice of recovery data of such a set.</summary>
    PackedRecoverySlice,
}
