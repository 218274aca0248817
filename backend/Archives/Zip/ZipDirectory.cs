using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Zip;

/// <summary>A file in a ZIP's directory.</summary>
/// <param name="Path">Its path in the directory, with '/' between names.</param>
/// <param name="Size">Unpacked bytes.</param>
/// <param name="Disk">The part that contains its header, from 0.</param>
/// <param name="Offset">Offset of its header in that part.</param>
internal sealed record ZipFile(string Path, long Size, long Disk, long Offset)
{
    public bool IsDirectory => Path.EndsWith('/');

    public uint Crc32 { get; init; }

    public DateTimeOffset? Modified { get; init; }

    /// <summary>Why it cannot be served; null if it can.</summary>
    public ArchiveRefusal? Refusal { get; init; }
}

/// <summary>Reads the central directory of a ZIP (APPNOTE.TXT 6.3.10, section 4.3.12).</summary>
internal static class ZipDirectory
{
    private const int EntryLength = 46;
    private const ushort Encrypted = 1 << 0;
    private const ushort MaskedDirectory = 1 << 13;
    private const ushort Unicode = 1 << 11;
    private const int Stored = 0;

    /// <summary>"Encryption method 99": WinZip's AES, with the real method in an extra field.</summary>
    private const int Aes = 99;

    /// <exception cref="ArchiveException">It is damaged.</exception>
    public static List<ZipFile> Parse(ReadOnlySpan<byte> directory, long entries)
    {
        var files = new List<ZipFile>();
        while (directory.Length >= EntryLength && BinaryPrimitives.ReadUInt32LittleEndian(directory) == 0x02014B50 && files.Count < entries)
        {
            var name = BinaryPrimitives.ReadUInt16LittleEndian(directory[28..]);
            var extra = BinaryPrimitives.ReadUInt16LittleEndian(directory[30..]);
            var whole = EntryLength + name + extra + BinaryPrimitives.ReadUInt16LittleEndian(directory[32..]);
            if (whole > directory.Length)
                break;
            files.Add(Read(directory, directory.Slice(EntryLength, name), directory.Slice(EntryLength + name, extra)));
            directory = directory[whole..];
        }

        return files.Count == entries
            ? files
            : throw ArchiveException.Damaged($"ZIP: the directory has {files.Count} files, its end record says {entries}.");
    }

    private static ZipFile Read(ReadOnlySpan<byte> entry, ReadOnlySpan<byte> name, ReadOnlySpan<byte> extra)
    {
        var flags = BinaryPrimitives.ReadUInt16LittleEndian(entry[8..]);
        var method = BinaryPrimitives.ReadUInt16LittleEndian(entry[10..]);
        long packed = BinaryPrimitives.ReadUInt32LittleEndian(entry[20..]);
        long size = BinaryPrimitives.ReadUInt32LittleEndian(entry[24..]);
        long disk = BinaryPrimitives.ReadUInt16LittleEndian(entry[34..]);
        long offset = BinaryPrimitives.ReadUInt32LittleEndian(entry[42..]);
        var large = Large(extra);

        // "The order of the fields is fixed, but the fields MUST only appear if the corresponding field is set to 0xFFFF or 0xFFFFFFFF."
        size = size == uint.MaxValue ? Next(ref large, 8) : size;
        packed = packed == uint.MaxValue ? Next(ref large, 8) : packed;
        offset = offset == uint.MaxValue ? Next(ref large, 8) : offset;
        disk = disk == ushort.MaxValue ? Next(ref large, 4) : disk;
        var text = ((flags & Unicode) != 0 || Utf8.IsValid(name) ? Encoding.UTF8 : Encoding.Latin1).GetString(name).Replace('\\', '/');
        return new ZipFile(text, size, disk, offset)
        {
            Crc32 = BinaryPrimitives.ReadUInt32LittleEndian(entry[16..]),
            Modified = FileTime.FromDos(BinaryPrimitives.ReadUInt32LittleEndian(entry[12..])),
            Refusal = text.EndsWith('/') ? null : Refuse(text, flags, method, size, packed),
        };
    }

    private static ArchiveRefusal? Refuse(string path, ushort flags, int method, long size, long packed)
    {
        if ((flags & (Encrypted | MaskedDirectory)) != 0 || method == Aes)
        {
            return new ArchiveRefusal(
                ArchiveRefusalReason.Encrypted, $"ZIP encrypted: '{path}' cannot be read, as encrypted ZIPs are not supported.");
        }

        if (method != Stored)
            return new ArchiveRefusal(ArchiveRefusalReason.Compressed, $"ZIP compressed, method {NameOf(method)}: not streamable.");
        return size == packed ? null : new ArchiveRefusal(ArchiveRefusalReason.Damaged, $"ZIP: '{path}' has two sizes.");
    }

    // APPNOTE.TXT 4.4.5.
    private static string NameOf(int method) => method switch
    {
        8 => "Deflate",
        9 => "Deflate64",
        12 => "BZIP2",
        14 => "LZMA",
        93 => "Zstandard",
        95 => "XZ",
        98 => "PPMd",
        _ => $"{method}",
    };

    /// <summary>The extra field with sizes and offsets of more than 32 bits (0x0001); empty if there is none.</summary>
    private static ReadOnlySpan<byte> Large(ReadOnlySpan<byte> extra)
    {
        while (extra.Length >= 4)
        {
            var length = BinaryPrimitives.ReadUInt16LittleEndian(extra[2..]);
            if (length > extra.Length - 4)
                break;
            if (BinaryPrimitives.ReadUInt16LittleEndian(extra) == 0x0001)
                return extra.Slice(4, length);
            extra = extra[(4 + length)..];
        }

        return [];
    }

    private static long Next(ref ReadOnlySpan<byte> fields, int length)
    {
        if (fields.Length < length)
            throw ArchiveException.Damaged("ZIP: a size in the directory is missing.");
        var value = length == 8 ? BinaryPrimitives.ReadInt64LittleEndian(fields) : BinaryPrimitives.ReadUInt32LittleEndian(fields);
        fields = fields[length..];
        return value >= 0 ? value : throw ArchiveException.Damaged("ZIP: a number in the directory is too big.");
    }
}
