using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Library.Zip;

/// <summary>
/// The records of a .zip (APPNOTE.TXT 6.3.10, section 4.3). Their lengths depend only on names, sizes and offsets, so all offsets are known
/// before any checksum. Pure.
/// </summary>
internal static class ZipRecords
{
    private const int LocalLength = 30;
    private const int CentralLength = 46;
    private const int EndLength = 22;
    private const int LargeEndLength = 56 + 20;

    /// <summary>Length of the extra field with the seconds since 1970.</summary>
    private const int TimeLength = 9;

    /// <summary>Length of the local header's extra field with both sizes.</summary>
    private const int LargeLength = 20;

    // "Bit 3: … the fields crc-32, compressed size and uncompressed size … are put in the data descriptor". "Bit 11: … the filename … MUST
    // be encoded using UTF-8."
    private const ushort DescriptorFlag = 1 << 3;
    private const ushort UnicodeFlag = 1 << 11;

    public static int LocalSize(ZipEntry entry) => LocalLength + entry.NameLength + TimeLength + (entry.IsLarge ? LargeLength : 0);

    public static int DescriptorSize(ZipEntry entry) => !entry.HasDescriptor ? 0 : entry.IsLarge ? 24 : 16;

    /// <param name="entry">The entry.</param>
    /// <param name="offset">Offset of its local header.</param>
    public static int CentralSize(ZipEntry entry, long offset) =>
        CentralLength + entry.NameLength + TimeLength + LargeFields(entry, offset);

    /// <param name="entries">Number of entries.</param>
    /// <param name="start">Offset of the central directory.</param>
    /// <param name="length">Length of the central directory in bytes.</param>
    public static int EndSize(int entries, long start, long length) => EndLength + (IsLarge(entries, start, length) ? LargeEndLength : 0);

    /// <summary>
    /// The local header before a file's data. It has the sizes although they follow the data too: a program that reads the archive as a
    /// stream then knows where the entry ends.
    /// </summary>
    public static byte[] Local(ZipEntry entry)
    {
        var bytes = new byte[LocalSize(entry)];
        var writer = new Writer(bytes);
        writer.U32(0x04034B50);
        Common(ref writer, entry, checksum: 0);
        writer.U16((ushort)entry.NameLength);
        writer.U16((ushort)(TimeLength + (entry.IsLarge ? LargeLength : 0)));
        writer.Text(entry.Path);
        Time(ref writer, entry);
        if (entry.IsLarge)
        {
            // "The order of the fields in the zip64 extended information record is fixed": original size, compressed size.
            writer.U16(0x0001);
            writer.U16(16);
            writer.U64((ulong)entry.Size);
            writer.U64((ulong)entry.Size);
        }

        return bytes;
    }

    /// <summary>The data descriptor after a file's data.</summary>
    public static byte[] Descriptor(ZipEntry entry, uint checksum)
    {
        var bytes = new byte[DescriptorSize(entry)];
        var writer = new Writer(bytes);
        writer.U32(0x08074B50);
        writer.U32(checksum);
        for (var i = 0; i < 2; i++)
        {
            if (entry.IsLarge)
                writer.U64((ulong)entry.Size);
            else
                writer.U32((uint)entry.Size);
        }

        return bytes;
    }

    /// <summary>An entry of the central directory.</summary>
    public static byte[] Central(ZipEntry entry, long offset, uint checksum)
    {
        const int Unix = 3;
        var bytes = new byte[CentralSize(entry, offset)];
        var writer = new Writer(bytes);
        writer.U32(0x02014B50);
        writer.U16((Unix << 8) | 63);
        Common(ref writer, entry, checksum);
        writer.U16((ushort)entry.NameLength);
        var large = LargeFields(entry, offset);
        writer.U16((ushort)(TimeLength + large));

        // No comment, first disk, no internal attributes.
        writer.U16(0);
        writer.U16(0);
        writer.U16(0);

        // rw-r--r--, rwxr-xr-x, and DOS's folder attribute.
        writer.U32(entry.Item is null ? 0x41ED_0010 : 0x81A4_0000);
        writer.U32((uint)Math.Min(uint.MaxValue, offset));
        writer.Text(entry.Path);
        Time(ref writer, entry);
        if (large > 0)
        {
            writer.U16(0x0001);
            writer.U16((ushort)(large - 4));
            if (entry.IsLarge)
            {
                writer.U64((ulong)entry.Size);
                writer.U64((ulong)entry.Size);
            }

            if (offset >= uint.MaxValue)
                writer.U64((ulong)offset);
        }

        return bytes;
    }

    /// <summary>The records at the end of the archive.</summary>
    public static byte[] End(int entries, long start, long length)
    {
        var bytes = new byte[EndSize(entries, start, length)];
        var writer = new Writer(bytes);
        if (IsLarge(entries, start, length))
        {
            writer.U32(0x06064B50);
            writer.U64(44);
            writer.U16((3 << 8) | 63);
            writer.U16(45);
            writer.U32(0);
            writer.U32(0);
            writer.U64((ulong)entries);
            writer.U64((ulong)entries);
            writer.U64((ulong)length);
            writer.U64((ulong)start);
            writer.U32(0x07064B50);
            writer.U32(0);
            writer.U64((ulong)(start + length));
            writer.U32(1);
        }

        writer.U32(0x06054B50);
        writer.U16(0);
        writer.U16(0);
        writer.U16((ushort)Math.Min(ushort.MaxValue, entries));
        writer.U16((ushort)Math.Min(ushort.MaxValue, entries));
        writer.U32((uint)Math.Min(uint.MaxValue, length));
        writer.U32((uint)Math.Min(uint.MaxValue, start));
        writer.U16(0);
        return bytes;
    }

    /// <summary>
    /// The fields from "version needed to extract" to "uncompressed size", the same in both headers but for the checksum.
    /// </summary>
    private static void Common(ref Writer writer, ZipEntry entry, uint checksum)
    {
        writer.U16((ushort)(entry.IsLarge ? 45 : 20));
        writer.U16((ushort)(UnicodeFlag | (entry.HasDescriptor ? DescriptorFlag : 0)));

        // Stored.
        writer.U16(0);

        // MS-DOS: two-second steps since 1980.
        var time = entry.Modified.UtcDateTime;
        time = time.Year < 1980 ? new DateTime(1980, 1, 1, 0, 0, 0, DateTimeKind.Utc) : time.Year > 2107
            ? new DateTime(2107, 12, 31, 0, 0, 0, DateTimeKind.Utc) : time;
        writer.U16((ushort)((time.Hour << 11) | (time.Minute << 5) | (time.Second / 2)));
        writer.U16((ushort)(((time.Year - 1980) << 9) | (time.Month << 5) | time.Day));
        writer.U32(checksum);
        var size = entry.IsLarge ? uint.MaxValue : (uint)entry.Size;
        writer.U32(size);
        writer.U32(size);
    }

    private static void Time(ref Writer writer, ZipEntry entry)
    {
        writer.U16(0x5455);
        writer.U16(TimeLength - 4);
        writer.U8(1);
        writer.U32((uint)(int)Math.Clamp(entry.Modified.ToUnixTimeSeconds(), int.MinValue, int.MaxValue));
    }

    private static int LargeFields(ZipEntry entry, long offset)
    {
        var fields = (entry.IsLarge ? 16 : 0) + (offset >= uint.MaxValue ? 8 : 0);
        return fields == 0 ? 0 : fields + 4;
    }

    private static bool IsLarge(int entries, long start, long length) =>
        entries >= ushort.MaxValue || start >= uint.MaxValue || length >= uint.MaxValue;

    private ref struct Writer(Span<byte> rest)
    {
        private Span<byte> _rest = rest;

        public void U8(byte value)
        {
            _rest[0] = value;
            _rest = _rest[1..];
        }

        public void U16(ushort value)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(_rest, value);
            _rest = _rest[2..];
        }

        public void U32(uint value)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(_rest, value);
            _rest = _rest[4..];
        }

        public void U64(ulong value)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(_rest, value);
            _rest = _rest[8..];
        }

        public void Text(string text) => _rest = _rest[Encoding.UTF8.GetBytes(text, _rest)..];
    }
}
