using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using NzbDav.Content.Checksums;

namespace NzbDav.Usenet.Disk;

/// <summary>
/// The index at the end of a finished file: 12 bytes for each record, padded to a block, then a block with the index's position and the
/// time of writing. So a start reads a few KiB of each file instead of the header of each record.
/// </summary>
internal static class CacheFooter
{
    private const uint Magic = 0x3146414E; // "NAF1"
    private const int Entry = 12;
    private const int Fixed = 32;

    /// <summary>Bytes of a footer for this many records.</summary>
    public static int SizeOf(int records) => TableOf(records) + CacheRecord.Block;

    /// <summary>Writes a footer into memory.</summary>
    /// <param name="target">Memory of the size returned by <see cref="SizeOf"/>.</param>
    /// <param name="segment">Number of the file.</param>
    /// <param name="firstBlock">Block at which the footer begins.</param>
    /// <param name="entries">The records.</param>
    /// <param name="now">Stored as the time of writing.</param>
    public static void Write(
        Span<byte> target, uint segment, int firstBlock, IReadOnlyList<(ulong Key, CachePlace Place)> entries, DateTimeOffset now)
    {
        target.Clear();
        var rest = target;
        foreach (var (key, place) in entries)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(rest, key);
            BinaryPrimitives.WriteUInt16LittleEndian(rest[8..], place.Block);
            BinaryPrimitives.WriteUInt16LittleEndian(rest[10..], place.Blocks);
            rest = rest[Entry..];
        }

        var table = TableOf(entries.Count);
        var last = target[table..];
        BinaryPrimitives.WriteUInt32LittleEndian(last, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(last[4..], segment);
        BinaryPrimitives.WriteInt32LittleEndian(last[8..], entries.Count);
        BinaryPrimitives.WriteInt32LittleEndian(last[12..], firstBlock);
        BinaryPrimitives.WriteInt64LittleEndian(last[16..], now.UtcTicks);
        BinaryPrimitives.WriteUInt32LittleEndian(last[24..], Crc32.Append(0, target[..table]));
        BinaryPrimitives.WriteUInt32LittleEndian(last[28..], Crc32.Append(0, last[..28]));
    }

    /// <summary>Reads the last block of a file: the position and size of its index.</summary>
    /// <returns>False when the file has no footer, or it is damaged.</returns>
    public static bool TryReadEnd(ReadOnlySpan<byte> block, uint segment, long length, out CacheFooterEnd end)
    {
        end = default;
        if (block.Length < Fixed || BinaryPrimitives.ReadUInt32LittleEndian(block) != Magic
            || BinaryPrimitives.ReadUInt32LittleEndian(block[4..]) != segment
            || Crc32.Append(0, block[..28]) != BinaryPrimitives.ReadUInt32LittleEndian(block[28..]))
            return false;
        end = new CacheFooterEnd(
            BinaryPrimitives.ReadInt32LittleEndian(block[12..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[8..]),
            new DateTimeOffset(BinaryPrimitives.ReadInt64LittleEndian(block[16..]), TimeSpan.Zero),
            BinaryPrimitives.ReadUInt32LittleEndian(block[24..]));
        return end.Records is >= 0 and <= ushort.MaxValue && ((long)end.FirstBlock * CacheRecord.Block) + SizeOf(end.Records) == length;
    }

    /// <summary>The records listed in a table.</summary>
    /// <returns>Null when it is damaged.</returns>
    public static (ulong Key, CachePlace Place)[]? TryReadTable(ReadOnlySpan<byte> table, uint segment, CacheFooterEnd end)
    {
        if (Crc32.Append(0, table) != end.Checksum)
            return null;
        var entries = new (ulong, CachePlace)[end.Records];
        for (var i = 0; i < entries.Length; i++)
        {
            var entry = table[(i * Entry)..];
            entries[i] = (
                BinaryPrimitives.ReadUInt64LittleEndian(entry),
                new CachePlace(
                    segment, BinaryPrimitives.ReadUInt16LittleEndian(entry[8..]), BinaryPrimitives.ReadUInt16LittleEndian(entry[10..])));
        }

        return entries;
    }

    /// <summary>Bytes of the table, padded to a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TableOf(int records) => ((records * Entry) + CacheRecord.Block - 1) / CacheRecord.Block * CacheRecord.Block;
}

/// <summary>Contents of the last block of a finished file.</summary>
/// <param name="FirstBlock">Block at which the table begins.</param>
/// <param name="Records">Number of records in the table.</param>
/// <param name="Written">When it was written.</param>
/// <param name="Checksum">CRC-32 of the table.</param>
internal readonly record struct CacheFooterEnd(int FirstBlock, int Records, DateTimeOffset Written, uint Checksum);
