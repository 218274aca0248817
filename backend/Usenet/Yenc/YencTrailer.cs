using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Yenc;

/// <summary>What <c>=yend</c> says; null is what it leaves out.</summary>
/// <param name="Size">Decoded bytes of this part.</param>
/// <param name="Part">Number of the part.</param>
/// <param name="PartCrc"><c>pcrc32</c>: CRC-32 of this part.</param>
/// <param name="FileCrc"><c>crc32</c>: CRC-32 of the whole file, and so of the part if it is the only one.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct YencTrailer(long? Size, int? Part, uint? PartCrc, uint? FileCrc)
{
    /// <summary>Reads <c>=yend size=716800 part=1 pcrc32=a1b2c3d4 crc32=e5f60718</c>, with or without its line end.</summary>
    /// <returns>False if it is another line or a value in it is none; the fields before the bad one are filled in nevertheless.</returns>
    public static bool TryRead(ReadOnlySpan<byte> line, out YencTrailer trailer)
    {
        trailer = default;
        if (!YencField.IsLine(line, "=yend"u8, out var rest))
            return false;

        while (YencField.TryRead(ref rest, out var key, out var value))
        {
            if (YencField.Is(key, "size"u8))
            {
                if (!YencField.TryNumber(value, out var size))
                    return false;
                trailer = trailer with { Size = size };
            }
            else if (YencField.Is(key, "part"u8))
            {
                if (!YencField.TryNumber(value, out var part) || part > int.MaxValue)
                    return false;
                trailer = trailer with { Part = (int)part };
            }
            else if (YencField.Is(key, "pcrc32"u8))
            {
                if (!YencField.TryChecksum(value, out var crc))
                    return false;
                trailer = trailer with { PartCrc = crc };
            }
            else if (YencField.Is(key, "crc32"u8))
            {
                if (!YencField.TryChecksum(value, out var crc))
                    return false;
                trailer = trailer with { FileCrc = crc };
            }
        }

        return true;
    }
}
