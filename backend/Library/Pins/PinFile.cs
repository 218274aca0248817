using System.Buffers.Binary;
using NzbDav.Catalog.Blobs;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Pins;

/// <summary>
/// The format of a file of pinned ranges: a mark, the key, the ranges, the CRC-32 of each block of 64 KiB, the CRC-32 of this header; then
/// the bytes, range after range. Integers are little-endian. Nothing is flushed: after a power cut the checksums are wrong, and the file
/// counts as missing.
/// </summary>
internal static class PinFile
{
    /// <summary>Most ranges. A file has few: the head, the tail, and what its index points to.</summary>
    public const int MostRanges = 64;

    /// <summary>Most bytes of all ranges of one file.</summary>
    public const int MostBytes = 64 << 20;

    private const uint Magic = 0x31534E50; // "PNS1"
    private const int Fixed = 4 + 8 + 32 + 8 + 4;

    /// <summary>Length of the header in bytes: offset of the first pinned byte.</summary>
    public static int HeaderOf(IReadOnlyList<ByteSpan> ranges) => Fixed + (16 * ranges.Count) + (4 * ranges.Sum(PinSet.BlocksOf)) + 4;

    /// <summary>Length of the whole file in bytes.</summary>
    public static long SizeOf(IReadOnlyList<ByteSpan> ranges) => HeaderOf(ranges) + ranges.Sum(static range => range.Length);

    /// <summary>The header, up to the first pinned byte.</summary>
    public static byte[] Header(PinKey key, IReadOnlyList<ByteSpan> ranges, IReadOnlyList<uint> checksums)
    {
        var header = new byte[HeaderOf(ranges)];
        var rest = header.AsSpan();
        BinaryPrimitives.WriteUInt32LittleEndian(rest, Magic);
        BinaryPrimitives.WriteInt64LittleEndian(rest[4..], key.Item);
        Convert.FromHexString(key.Map.ToString()).CopyTo(rest[12..]);
        BinaryPrimitives.WriteInt64LittleEndian(rest[44..], key.Length);
        BinaryPrimitives.WriteInt32LittleEndian(rest[52..], ranges.Count);
        rest = rest[Fixed..];
        foreach (var range in ranges)
        {
            BinaryPrimitives.WriteInt64LittleEndian(rest, range.Start);
            BinaryPrimitives.WriteInt64LittleEndian(rest[8..], range.Length);
            rest = rest[16..];
        }

        foreach (var checksum in checksums)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(rest, checksum);
            rest = rest[4..];
        }

        BinaryPrimitives.WriteUInt32LittleEndian(rest, Crc32.Append(0, header.AsSpan(..^4)));
        return header;
    }

    /// <summary>Reads the header of a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="used">When it was used last.</param>
    /// <returns>Null when it is damaged or not such a file.</returns>
    /// <exception cref="IOException">The disk is broken, or the file is gone.</exception>
    public static PinSet? TryRead(string path, DateTimeOffset used)
    {
        using var file = File.OpenRead(path);
        var fixedPart = new byte[Fixed];
        if (file.ReadAtLeast(fixedPart, Fixed, throwOnEndOfStream: false) < Fixed
            || BinaryPrimitives.ReadUInt32LittleEndian(fixedPart) != Magic)
            return null;
        var count = BinaryPrimitives.ReadInt32LittleEndian(fixedPart.AsSpan(52));
        if (count is < 0 or > MostRanges)
            return null;
        var table = new byte[16 * count];
        if (file.ReadAtLeast(table, table.Length, throwOnEndOfStream: false) < table.Length)
            return null;
        var length = BinaryPrimitives.ReadInt64LittleEndian(fixedPart.AsSpan(44));
        var ranges = new ByteSpan[count];
        long end = -1;
        long bytes = 0;
        for (var i = 0; i < count; i++)
        {
            var range = ByteSpan.OfLength(BinaryPrimitives.ReadInt64LittleEndian(table.AsSpan(16 * i)),
                BinaryPrimitives.ReadInt64LittleEndian(table.AsSpan((16 * i) + 8)));
            if (range.Start <= end || range.Length is <= 0 or > MostBytes || range.Start > length - range.Length
                || (bytes += range.Length) > MostBytes)
                return null;
            end = range.End;
            ranges[i] = range;
        }

        if (file.Length != SizeOf(ranges))
            return null;
        var sums = new byte[(4 * ranges.Sum(PinSet.BlocksOf)) + 4];
        file.ReadExactly(sums);
        var crc = Crc32.Append(Crc32.Append(Crc32.Append(0, fixedPart), table), sums.AsSpan(..^4));
        if (crc != BinaryPrimitives.ReadUInt32LittleEndian(sums.AsSpan(sums.Length - 4)))
            return null;
        var checksums = new uint[(sums.Length / 4) - 1];
        for (var i = 0; i < checksums.Length; i++)
            checksums[i] = BinaryPrimitives.ReadUInt32LittleEndian(sums.AsSpan(4 * i));
        var key = new PinKey(BinaryPrimitives.ReadInt64LittleEndian(fixedPart.AsSpan(4)), BlobHash.Of(fixedPart.AsSpan(12, 32)), length);
        return new PinSet(key, ranges, checksums) { Path = path, Used = used };
    }
}
