using System.Security.Cryptography;
using System.Text;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>Reads the fields of RAR 5.0 headers that matter here. Quoted names are those of the format's description.</summary>
internal static class Rar5Fields
{
    /// <summary>"Main archive header".</summary>
    public static bool ReadMain(in Rar5Block block, RarVolume volume)
    {
        var reader = new ByteReader(block.Fields);
        var flags = reader.Vint();
        volume.IsVolume = (flags & 1) != 0;

        // "Volume number field is present. This flag is present in all volumes except first."
        var number = (flags & 2) != 0 ? reader.Vint() : 0;
        if (reader.Failed || number > int.MaxValue)
            return false;
        volume.Number = (int)number;
        volume.IsFirst = number == 0;
        return true;
    }

    /// <summary>"End of archive header".</summary>
    public static bool ReadEnd(in Rar5Block block, RarVolume volume)
    {
        var reader = new ByteReader(block.Fields);
        volume.Continues = (reader.Vint() & 1) != 0;
        return !reader.Failed;
    }

    /// <summary>"Archive encryption header". Null if a field is missing.</summary>
    public static RarEncryption? ReadArchiveEncryption(in Rar5Block block, out string? unsupported)
    {
        var reader = new ByteReader(block.Fields);
        return ReadEncryption(ref reader, withIV: false, out unsupported);
    }

    /// <summary>"File header and service header". Null if a field is missing.</summary>
    public static RarFile? ReadFile(in Rar5Block block, long dataOffset)
    {
        var reader = new ByteReader(block.Fields);
        var flags = reader.Vint();
        var size = reader.Vint();
        reader.Vint();
        DateTimeOffset? modified = (flags & 2) != 0 ? DateTimeOffset.FromUnixTimeSeconds(reader.U32()) : null;
        uint? crc = (flags & 4) != 0 ? reader.U32() : null;
        var compression = reader.Vint();
        reader.Vint();
        var name = reader.Bytes(reader.Vint());
        if (reader.Failed || name.IsEmpty || size > long.MaxValue)
            return null;
        var file = new RarFile
        {
            Path = Encoding.UTF8.GetString(name),
            DataOffset = dataOffset,
            PackedSize = block.DataSize,
            Size = (flags & 8) != 0 ? null : (long)size,
            IsDirectory = (flags & 1) != 0,
            Modified = modified,
            Crc32 = crc,

            // "Lower 6 bits (0x003f mask) contain the version of compression algorithm … 7th bit (0x0040) defines the solid flag …
            // Bits 8 - 10 (0x0380 mask) define the compression method. Currently only values 0 - 5 are used. 0 means no compression."
            Method = (int)((compression >> 7) & 7),
            Solid = (compression & 0x40) != 0,
            SplitBefore = block.SplitBefore,
            SplitAfter = block.SplitAfter,
        };
        return ReadExtra(block.Extra, file);
    }

    // "File and service headers use the following types of extra area records": size, type, data.
    private static RarFile? ReadExtra(ReadOnlySpan<byte> extra, RarFile file)
    {
        var reader = new ByteReader(extra);
        while (!reader.Rest.IsEmpty)
        {
            var size = reader.Vint();
            if (size == 0 && !reader.Failed)
                break;
            var record = new ByteReader(reader.Bytes(size));
            if (reader.Failed)
                return null;
            switch (record.Vint())
            {
                case 0x01:
                    var encryption = ReadEncryption(ref record, withIV: true, out var unsupported);
                    if (encryption is null && unsupported is null)
                        return null;
                    file = file with { Encryption = encryption, Unsupported = unsupported ?? file.Unsupported };
                    break;
                case 0x02 when record.Vint() == 0:
                    file = file with { Blake2 = record.Bytes(32).ToArray() };
                    break;
                case 0x03:
                    file = file with { Modified = ReadModified(ref record) ?? file.Modified };
                    break;
                case 0x05:
                    file = ReadRedirection(ref record, file);
                    break;
            }

            if (record.Failed)
                return null;
        }

        return file;
    }

    // "File encryption record", and the fields of "Archive encryption header", which has no IV.
    private static RarEncryption? ReadEncryption(ref ByteReader reader, bool withIV, out string? unsupported)
    {
        unsupported = null;
        var version = reader.Vint();
        var flags = reader.Vint();
        int rounds = reader.U8();
        var salt = reader.Bytes(16).ToArray();
        var iv = withIV ? reader.Bytes(16).ToArray() : [];
        var check = (flags & 1) != 0 ? reader.Bytes(12) : default;
        if (reader.Failed)
            return null;
        if (version != 0)
        {
            unsupported = $"encryption version {version} is not supported";
            return null;
        }

        // "First 8 bytes are calculated using additional PBKDF2 rounds, 4 last bytes is the additional checksum": a damaged check value is
        // not used (as in unrar).
        var intact = check.Length == 12 && SHA256.HashData(check[..8]).AsSpan(0, 4).SequenceEqual(check[8..]);
        var encryption = new RarEncryption(ArchiveFormat.Rar5, salt, iv, rounds, intact ? check[..8].ToArray() : default, (flags & 2) != 0);
        unsupported = RarKeyring.Unsupported(encryption);
        return unsupported is null ? encryption : null;
    }

    // "File time record": flags, then the times present, then their nanoseconds in the same order.
    private static DateTimeOffset? ReadModified(ref ByteReader reader)
    {
        var flags = reader.Vint();
        if ((flags & 2) == 0)
            return null;
        if ((flags & 1) == 0)
            return FileTime.ToDate(reader.U64());
        var seconds = reader.U32();
        for (var present = flags & (4 | 8); present != 0; present &= present - 1)
            reader.U32();
        var nanoseconds = (flags & 0x10) != 0 ? reader.U32() & 0x3FFFFFFF : 0;
        return DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(nanoseconds / 100);
    }

    // "File system redirection record".
    private static RarFile ReadRedirection(ref ByteReader reader, RarFile file)
    {
        var type = reader.Vint();
        reader.Vint();
        var target = reader.Bytes(reader.Vint());
        return file with { Link = type is 4 or 5 ? RarLink.Same : RarLink.Symbolic, LinkTarget = Encoding.UTF8.GetString(target) };
    }
}
