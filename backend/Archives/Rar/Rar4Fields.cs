using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>The fields of the RAR 1.5 to 4.x headers that matter here (technote.txt of RAR 3.x).</summary>
internal static class Rar4Fields
{
    /// <summary>"File header". Null if a field is missing or invalid.</summary>
    public static RarFile? ReadFile(in Rar4Block block, long dataOffset)
    {
        var reader = new ByteReader(block.Fields);
        reader.U32(); // PACK_SIZE
        long size = reader.U32();
        reader.U8(); // HOST_OS
        var crc = reader.U32();
        var time = reader.U32();
        var version = reader.U8();
        var method = reader.U8();
        var nameSize = reader.U16();
        reader.U32(); // ATTR
        var large = (block.Flags & 0x0100) != 0;
        var unknown = size == uint.MaxValue && !large;
        if (large)
        {
            reader.U32(); // HIGH_PACK_SIZE
            var high = reader.U32();
            unknown = size == uint.MaxValue && high == uint.MaxValue;
            size |= (long)high << 32;
        }

        var name = reader.Bytes(nameSize);
        var salt = (block.Flags & 0x0400) != 0 ? reader.Bytes(8).ToArray() : [];
        if (reader.Failed || name.IsEmpty || (size < 0 && !unknown))
            return null;
        var modified = FileTime.FromDos(time);
        if ((block.Flags & 0x1000) != 0)
            modified = Rar4Time.Refine(modified, ref reader);

        // "0x04 file encrypted with password". Before RAR 2.9 (UNP_VER 29) the cipher was not AES.
        var encrypted = (block.Flags & 0x0004) != 0;
        return new RarFile
        {
            Path = Rar4Name.Decode(name, (block.Flags & 0x0200) != 0),
            DataOffset = dataOffset,
            PackedSize = block.DataSize,
            Size = unknown ? null : size,
            Crc32 = crc,
            Modified = modified,

            // "0x30 - storing, 0x31 - fastest compression … 0x35 - best compression".
            Method = method - 0x30,
            Solid = (block.Flags & 0x0010) != 0,

            // "Bits 7 6 5 … 1 1 1: file is directory".
            IsDirectory = (block.Flags & 0x00E0) == 0x00E0,
            SplitBefore = (block.Flags & 0x0001) != 0,
            SplitAfter = (block.Flags & 0x0002) != 0,
            Encryption = encrypted && version >= 29
                ? new RarEncryption(ArchiveFormat.Rar4, salt, default, Rounds: 0, default, KeyedChecksums: false) : null,
            Unsupported = encrypted && version < 29
                ? $"encrypted with the method of RAR {version / 10}.{version % 10}, which is not supported" : null,
        };
    }

    /// <summary>
    /// "Archive end": flag 0x0001 says that another volume follows; 0x0002 announces a checksum, 0x0008 the volume's number.
    /// </summary>
    public static void ReadEnd(in Rar4Block block, RarVolume volume)
    {
        volume.Continues = (block.Flags & 0x0001) != 0;
        var reader = new ByteReader(block.Fields);
        if ((block.Flags & 0x0002) != 0)
            reader.U32();
        var number = reader.U16();
        if ((block.Flags & 0x0008) != 0 && !reader.Failed)
            volume.Number = number;
    }
}

/// <summary>Times of RAR 1.5 to 4.x.</summary>
internal static class Rar4Time
{
    /// <summary>
    /// EXT_TIME: 16 bits of flags, four each for mtime (highest), ctime, atime and arctime: 8 = present, 4 = one second more, 0 … 3 =
    /// number of bytes of 100 ns units that follow, the most significant ones of three (unrar's arcread.cpp).
    /// </summary>
    public static DateTimeOffset? Refine(DateTimeOffset? time, ref ByteReader reader)
    {
        var flags = reader.U16() >> 12;
        if (time is null || (flags & 8) == 0)
            return time;
        var ticks = 0;
        var count = flags & 3;
        for (var i = 0; i < count; i++)
            ticks |= reader.U8() << ((i + 3 - count) * 8);
        return time.Value.AddSeconds((flags & 4) != 0 ? 1 : 0).AddTicks(ticks);
    }
}
