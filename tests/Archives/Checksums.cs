using System.Buffers.Binary;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Tests;

/// <summary>Alters header fields and recomputes the checksums.</summary>
internal static class Checksums
{
    public static void Break(byte[] bytes, ArchiveFormat format, Random random)
    {
        var headers = format switch
        {
            ArchiveFormat.Rar5 => Rar5(bytes),
            ArchiveFormat.Rar4 => Rar4(bytes),
            _ => [(32 + BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12)),
                BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(20)))],
        };
        var (start, length) = headers[random.Next(headers.Count)];
        for (var i = random.Next(1, 4); i > 0; i--)
        {
            var at = start + (format == ArchiveFormat.SevenZip ? 0 : format == ArchiveFormat.Rar5 ? 4 : 2);
            at += random.Next(start + length - at);
            bytes[at] = random.Next(2) == 0 ? (byte)random.Next(256) : (byte)(bytes[at] ^ (1 << random.Next(8)));
        }

        if (format == ArchiveFormat.Rar5)
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(start), Crc32.Append(0, bytes.AsSpan(start + 4, length - 4)));
        else if (format == ArchiveFormat.Rar4)
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(start), (ushort)Crc32.Append(0, bytes.AsSpan(start + 2, length - 2)));
        else
            SevenZip(bytes, start, length);
    }

    private static void SevenZip(byte[] bytes, int start, int length)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(28), Crc32.Append(0, bytes.AsSpan(start, length)));
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), Crc32.Append(0, bytes.AsSpan(12, 20)));
    }

    private static List<(int Start, int Length)> Rar5(byte[] bytes)
    {
        var headers = new List<(int, int)>();
        for (var at = 8; at < bytes.Length;)
        {
            var length = Rar5Block.LengthOf(bytes.AsSpan(at, Math.Min(7, bytes.Length - at)));
            Assert.True(Rar5Block.TryParse(bytes.AsSpan(at, length), out var block));
            headers.Add((at, length));
            at += length + (int)block.DataSize;
        }

        return headers;
    }

    private static List<(int Start, int Length)> Rar4(byte[] bytes)
    {
        var headers = new List<(int, int)>();
        for (var at = 7; at < bytes.Length;)
        {
            var length = Rar4Block.LengthOf(bytes.AsSpan(at, 7));
            Assert.True(Rar4Block.TryParse(bytes.AsSpan(at, length), out var block));
            headers.Add((at, length));
            at += length + (int)block.DataSize;
        }

        return headers;
    }
}
