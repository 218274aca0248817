using System.Buffers.Binary;
using NzbDav.Archives.Rar;
using NzbDav.Content.Checksums;

namespace NzbDav.Fuzz.Formats;

/// <summary>Repairs the checksums of changed headers, one by one, up to the first header that cannot be understood.</summary>
internal static class ArchiveMends
{
    private const int DiscSector = 2_048;

    /// <summary>RAR 5.0 archive format, "General archive block format": CRC-32 of everything that follows it in the header.</summary>
    public static void Rar5(ArraySegment<byte> volume)
    {
        for (var at = Behind(volume, [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1, 0]); at >= 0 && at < volume.Count;)
        {
            var length = Rar5Block.LengthOf(volume.AsSpan(at, Math.Min(Rar5Block.PrefixLength, volume.Count - at)));
            if (length < 5 || length > volume.Count - at)
                return;
            var header = volume.AsSpan(at, length);
            BinaryPrimitives.WriteUInt32LittleEndian(header, Crc32.Append(0, header[4..]));
            if (!Rar5Block.TryParse(header, out var block))
                return;
            at = Next(at, length, block.DataSize, volume.Count);
        }
    }

    /// <summary>RAR 4: the lower half of the CRC-32 of everything that follows it in the header.</summary>
    public static void Rar4(ArraySegment<byte> volume)
    {
        for (var at = Behind(volume, [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 0]); at >= 0 && volume.Count - at >= Rar4Block.PrefixLength;)
        {
            var length = Rar4Block.LengthOf(volume.AsSpan(at, Rar4Block.PrefixLength));
            if (length < Rar4Block.PrefixLength || length > volume.Count - at)
                return;
            var header = volume.AsSpan(at, length);
            BinaryPrimitives.WriteUInt16LittleEndian(header, (ushort)Crc32.Append(0, header[2..]));
            if (!Rar4Block.TryParse(header, out var block))
                return;
            at = Next(at, length, block.DataSize, volume.Count);
        }
    }

    /// <summary>7zFormat.txt, "SignatureHeader": CRC-32 of the header at the end, and of the fields that locate it.</summary>
    public static void SevenZip(ArraySegment<byte> volume)
    {
        if (volume.Count < 32)
            return;
        var start = BinaryPrimitives.ReadInt64LittleEndian(volume.AsSpan(12));
        var length = BinaryPrimitives.ReadInt64LittleEndian(volume.AsSpan(20));
        if (start >= 0 && length >= 0 && start <= volume.Count - 32 && length <= volume.Count - 32 - start)
            BinaryPrimitives.WriteUInt32LittleEndian(volume.AsSpan(28), Crc32.Append(0, volume.AsSpan(32 + (int)start, (int)length)));
        BinaryPrimitives.WriteUInt32LittleEndian(volume.AsSpan(8), Crc32.Append(0, volume.AsSpan(12, 20)));
    }

    /// <summary>ECMA-167 3/7.2: each descriptor's tag has a checksum of itself and a CRC-16 of the descriptor.</summary>
    public static void Udf(ArraySegment<byte> volume)
    {
        for (var at = 0; at <= volume.Count - DiscSector; at += DiscSector)
        {
            var tag = volume.AsSpan(at, 16);
            var length = BinaryPrimitives.ReadUInt16LittleEndian(tag[10..]);
            var id = BinaryPrimitives.ReadUInt16LittleEndian(tag);
            var version = BinaryPrimitives.ReadUInt16LittleEndian(tag[2..]);

            // 3/7.2.2: the version is 2 or 3. Sectors of the ISO 9660 part have other numbers there.
            if (id is not ((>= 1 and <= 9) or (>= 256 and <= 266)) || version is not (2 or 3) || length > DiscSector - 16)
                continue;
            BinaryPrimitives.WriteUInt16LittleEndian(tag[8..], Crc16(volume.AsSpan(at + 16, length)));
            tag[4] = 0;
            byte sum = 0;
            foreach (var value in tag)
                sum += value;
            tag[4] = sum;
        }
    }

    private static int Behind(ArraySegment<byte> volume, ReadOnlySpan<byte> magic) =>
        volume.AsSpan().IndexOf(magic) is >= 0 and var at ? at + magic.Length : -1;

    private static int Next(int at, int length, long data, int end) =>
        data >= 0 && data < end - at - length ? at + length + (int)data : end;

    /// <summary>The polynomial x^16 + x^12 + x^5 + 1, most significant bit first, from 0 (ECMA-167 1/7.2.6).</summary>
    private static ushort Crc16(ReadOnlySpan<byte> bytes)
    {
        ushort crc = 0;
        foreach (var value in bytes)
        {
            crc ^= (ushort)(value << 8);
            for (var bit = 0; bit < 8; bit++)
                crc = (ushort)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
        }

        return crc;
    }
}
