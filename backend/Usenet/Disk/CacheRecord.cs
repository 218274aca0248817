using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Content.Checksums;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>
/// An article on the disk, as a whole number of blocks: a header that fits into the first block, then the decoded bytes, then zeros. The
/// header contains a magic number, the record's own place, sizes, texts, the CRC-32 of each 64 KiB of the bytes, and the CRC-32 of the
/// header itself. Integers are little-endian.
/// </summary>
internal static class CacheRecord
{
    /// <summary>Bytes of a disk block: O_DIRECT requires offsets, lengths and memory to be multiples of it.</summary>
    public const int Block = 4096;

    /// <summary>Largest article to store, in bytes. Posted articles have a fifth of that.</summary>
    public const int LargestArticle = 4 << 20;

    /// <summary>Size of the largest record in bytes.</summary>
    public const int Largest = Block + LargestArticle;

    private const uint Magic = 0x3143414E; // "NAC1"
    private const int Checked = 64 << 10;
    private const int Fixed = 56;
    private const int LongestText = 1024;

    /// <summary>The key of an article in the index: the first 64 bits of its id's SHA-256.</summary>
    public static ulong KeyOf(string id)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        var text = id.Length <= 512
            ? stackalloc byte[Encoding.UTF8.GetMaxByteCount(id.Length)] : new byte[Encoding.UTF8.GetMaxByteCount(id.Length)];
        SHA256.HashData(text[..Encoding.UTF8.GetBytes(id, text)], hash);
        return BinaryPrimitives.ReadUInt64LittleEndian(hash);
    }

    /// <summary>Bytes of an article's record; 0 when it cannot be stored.</summary>
    public static int SizeOf(string id, ArticleHeader header, int length)
    {
        if (length is <= 0 or > LargestArticle || id.Length > LongestText / 2 || header.Name.Length > LongestText / 2)
            return 0;
        var head = HeadOf(Encoding.UTF8.GetByteCount(id), Encoding.UTF8.GetByteCount(header.Name), length);
        return head > Block ? 0 : (head + length + Block - 1) / Block * Block;
    }

    /// <summary>Writes a record into memory.</summary>
    /// <param name="target">Memory of the size returned by <see cref="SizeOf"/>.</param>
    /// <param name="place">Where the record will be stored.</param>
    /// <param name="id">The article's id.</param>
    /// <param name="header">The article's own header.</param>
    /// <param name="bytes">Its decoded bytes.</param>
    public static void Write(Span<byte> target, CachePlace place, string id, ArticleHeader header, ReadOnlySpan<byte> bytes)
    {
        var idLength = Encoding.UTF8.GetBytes(id, target[Fixed..]);
        var nameLength = Encoding.UTF8.GetBytes(header.Name, target[(Fixed + idLength)..]);
        BinaryPrimitives.WriteUInt32LittleEndian(target, Magic);
        BinaryPrimitives.WriteUInt64LittleEndian(target[4..], place.Packed);
        BinaryPrimitives.WriteInt32LittleEndian(target[12..], bytes.Length);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], header.FileSize);
        BinaryPrimitives.WriteInt64LittleEndian(target[24..], header.Begin);
        BinaryPrimitives.WriteInt32LittleEndian(target[32..], header.Part);
        BinaryPrimitives.WriteInt32LittleEndian(target[36..], header.TotalParts);
        BinaryPrimitives.WriteInt32LittleEndian(target[40..], header.PartSize);
        BinaryPrimitives.WriteInt32LittleEndian(target[44..], idLength);
        BinaryPrimitives.WriteInt32LittleEndian(target[48..], nameLength);
        BinaryPrimitives.WriteInt32LittleEndian(target[52..], 0);
        var head = HeadOf(idLength, nameLength, bytes.Length);
        var sums = target[(Fixed + idLength + nameLength)..(head - 4)];
        var left = bytes;
        while (!left.IsEmpty)
        {
            var part = left[..Math.Min(Checked, left.Length)];
            BinaryPrimitives.WriteUInt32LittleEndian(sums, Crc32.Append(0, part));
            left = left[part.Length..];
            sums = sums[4..];
        }

        BinaryPrimitives.WriteUInt32LittleEndian(target[(head - 4)..], Crc32.Append(0, target[..(head - 4)]));
        bytes.CopyTo(target[head..]);
        target[(head + bytes.Length)..].Clear();
    }

    /// <summary>Reads the header in a record's first block.</summary>
    /// <param name="block">The first block.</param>
    /// <param name="segment">The file that it is read from.</param>
    /// <param name="offset">Offset in it, in blocks.</param>
    /// <returns>Null when no record begins there, or its header is damaged.</returns>
    public static CacheRecordHead? TryReadHead(ReadOnlySpan<byte> block, uint segment, int offset)
    {
        if (block.Length < Block || BinaryPrimitives.ReadUInt32LittleEndian(block) != Magic)
            return null;
        var place = CachePlace.Unpack(BinaryPrimitives.ReadUInt64LittleEndian(block[4..]));
        var length = BinaryPrimitives.ReadInt32LittleEndian(block[12..]);
        var idLength = BinaryPrimitives.ReadInt32LittleEndian(block[44..]);
        var nameLength = BinaryPrimitives.ReadInt32LittleEndian(block[48..]);
        if (length is <= 0 or > LargestArticle || idLength is < 0 or > Block || nameLength is < 0 or > Block)
            return null;
        var head = HeadOf(idLength, nameLength, length);
        if (head > Block || place.Segment != segment || place.Block != offset || (head + length + Block - 1) / Block != place.Blocks
            || Crc32.Append(0, block[..(head - 4)]) != BinaryPrimitives.ReadUInt32LittleEndian(block[(head - 4)..]))
            return null;
        var header = new ArticleHeader(
            Encoding.UTF8.GetString(block.Slice(Fixed + idLength, nameLength)),
            BinaryPrimitives.ReadInt64LittleEndian(block[16..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[32..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[36..]),
            BinaryPrimitives.ReadInt64LittleEndian(block[24..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[40..]));
        return new CacheRecordHead(place, Encoding.UTF8.GetString(block.Slice(Fixed, idLength)), header, length, head);
    }

    /// <summary>Copies the bytes of a record and checks each 64 KiB.</summary>
    /// <param name="record">The whole record.</param>
    /// <param name="head">Its header.</param>
    /// <param name="target">Receives the bytes.</param>
    /// <returns>False when some bytes are damaged; then <paramref name="target"/> is undefined.</returns>
    public static bool TryCopy(ReadOnlySpan<byte> record, CacheRecordHead head, Span<byte> target)
    {
        var sums = record[(head.Size - 4 - (4 * PartsOf(head.Length)))..];
        for (var at = 0; at < head.Length; at += Checked)
        {
            var part = target.Slice(at, Math.Min(Checked, head.Length - at));
            record.Slice(head.Size + at, part.Length).CopyTo(part);
            if (Crc32.Append(0, part) != BinaryPrimitives.ReadUInt32LittleEndian(sums))
                return false;
            sums = sums[4..];
        }

        return true;
    }

    private static int PartsOf(int length) => (length + Checked - 1) / Checked;

    private static int HeadOf(int id, int name, int length) => Fixed + id + name + (4 * PartsOf(length)) + 4;
}

/// <summary>Header of a record.</summary>
/// <param name="Place">Where it is.</param>
/// <param name="Id">The article's id.</param>
/// <param name="Header">The article's own header.</param>
/// <param name="Length">Decoded bytes.</param>
/// <param name="Size">Bytes of the record's header.</param>
internal sealed record CacheRecordHead(CachePlace Place, string Id, ArticleHeader Header, int Length, int Size);
