using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Rar;

/// <summary>A block of the RAR 5.0 format: "General archive block format".</summary>
internal readonly ref struct Rar5Block
{
    /// <summary>Bytes needed to know a header's length: CRC-32 and the longest size field.</summary>
    public const int PrefixLength = 7;

    /// <summary>Length of an end header as programs write it: CRC-32, size, type, flags, its own flags.</summary>
    public const int EndLength = 8;

    /// <summary>"Header size … current implementation [allows] 2 MB maximum": the field has at most three bytes.</summary>
    public const int MostLength = PrefixLength + (1 << 21);

    /// <summary>1 main, 2 file, 3 service, 4 encryption, 5 end.</summary>
    public ulong Type { get; private init; }

    public ulong Flags { get; private init; }

    /// <summary>The fields of that type.</summary>
    public ReadOnlySpan<byte> Fields { get; private init; }

    public ReadOnlySpan<byte> Extra { get; private init; }

    /// <summary>Bytes in the data area after the header.</summary>
    public long DataSize { get; private init; }

    /// <summary>"Data area is continuing from the previous volume."</summary>
    public bool SplitBefore => (Flags & 0x08) != 0;

    /// <summary>"Data area is continuing in the next volume."</summary>
    public bool SplitAfter => (Flags & 0x10) != 0;

    /// <summary>Length of the header that begins with these bytes; 0 if they are not a header.</summary>
    /// <param name="prefix">At least <see cref="PrefixLength"/> bytes, unless the volume ends earlier.</param>
    public static int LengthOf(ReadOnlySpan<byte> prefix)
    {
        var size = 0;
        for (var i = 4; i < Math.Min(prefix.Length, PrefixLength); i++)
        {
            size |= (prefix[i] & 0x7F) << (7 * (i - 4));
            if ((prefix[i] & 0x80) == 0)
                return size == 0 ? 0 : i + 1 + size;
        }

        return 0;
    }

    /// <summary>Parses a whole header.</summary>
    /// <param name="header">The header, of the length that <see cref="LengthOf"/> returned.</param>
    /// <param name="block">The parsed header.</param>
    /// <returns>False if the checksum is wrong or a field is missing.</returns>
    public static bool TryParse(ReadOnlySpan<byte> header, out Rar5Block block)
    {
        block = default;
        var reader = new ByteReader(header);
        var crc = reader.U32();
        if (reader.Failed || Crc32.Append(0, reader.Rest) != crc)
            return false;
        reader.Vint();
        var type = reader.Vint();
        var flags = reader.Vint();
        var extraSize = (flags & 1) != 0 ? reader.Vint() : 0;
        var dataSize = (flags & 2) != 0 ? reader.Vint() : 0;
        if (reader.Failed || extraSize > (ulong)reader.Rest.Length || dataSize > long.MaxValue)
            return false;
        var fields = reader.Bytes((ulong)reader.Rest.Length - extraSize);
        block = new Rar5Block { Type = type, Flags = flags, Fields = fields, Extra = reader.Rest, DataSize = (long)dataSize };
        return true;
    }
}
