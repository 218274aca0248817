namespace NzbDav.Usenet.Yenc;

/// <summary>CRC-32 as in IEEE 802.3, zlib and yEnc: reflected polynomial 0xEDB88320, inverted before and after. Thread-safe.</summary>
internal static class Crc32
{
    /// <summary>The checksum of what <paramref name="crc"/> covers followed by <paramref name="data"/>. Start with 0.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> data) => SlicingCrc32.Append(crc, data);
}
