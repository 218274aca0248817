using System.Buffers.Binary;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Rar;

/// <summary>A block of RAR 1.5 to 4.x: HEAD_CRC, HEAD_TYPE, HEAD_FLAGS, HEAD_SIZE, then the fields of the type.</summary>
internal readonly ref struct Rar4Block
{
    public const int PrefixLength = 7;

    public const byte Main = 0x73;
    public const byte File = 0x74;
    public const byte End = 0x7B;

    /// <summary>NEWSUB_HEAD: comments, recovery records and other service data, structured like a file.</summary>
    private const byte Service = 0x7A;

    public byte Type { get; private init; }

    public ushort Flags { get; private init; }

    /// <summary>The bytes of the header after HEAD_SIZE.</summary>
    public ReadOnlySpan<byte> Fields { get; private init; }

    /// <summary>ADD_SIZE: bytes of data after the header.</summary>
    public long DataSize { get; private init; }

    /// <summary>HEAD_SIZE of the header that begins with these bytes; 0 if they are no header.</summary>
    public static int LengthOf(ReadOnlySpan<byte> prefix)
    {
        if (prefix.Length < PrefixLength)
            return 0;
        int size = BinaryPrimitives.ReadUInt16LittleEndian(prefix[5..]);
        return size < PrefixLength ? 0 : size;
    }

    /// <summary>Parses a whole header; false if the checksum is wrong or a field is missing.</summary>
    public static bool TryParse(ReadOnlySpan<byte> header, out Rar4Block block)
    {
        block = default;
        var reader = new ByteReader(header);
        var crc = reader.U16();
        var type = reader.U8();
        var flags = reader.U16();
        reader.U16();
        if (reader.Failed || !(HasChecksum(type, flags) ? (ushort)Crc32.Append(0, header[2..]) == crc : type is >= 0x72 and <= 0x7F))
            return false;
        var fields = reader.Rest;

        // "ADD_SIZE - optional field - added block size", present if 0x8000 is set. In files it is PACK_SIZE, with 32 more bits if 0x100 is
        // set.
        long size = 0;
        if ((flags & 0x8000) != 0)
        {
            size = reader.U32();
            if (type is File or Service && (flags & 0x0100) != 0)
            {
                reader.Skip(21);
                size |= (long)reader.U32() << 32;
            }
        }

        if (reader.Failed || size < 0)
            return false;
        block = new Rar4Block { Type = type, Flags = flags, Fields = fields, DataSize = size };
        return true;
    }

    // Old comments are inside the main and file headers, whose checksums then cover only a part of them. The checksums of old service
    // blocks cover other bytes.
    private static bool HasChecksum(byte type, ushort flags) => type switch
    {
        Main => (flags & 0x0002) == 0,
        File => (flags & 0x0008) == 0,
        Service or End => true,
        _ => false,
    };
}
