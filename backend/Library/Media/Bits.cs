using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Library.Media;

/// <summary>Reads numbers from headers that may be truncated: missing bytes read as 0.</summary>
internal static class Bits
{
    public static byte U8(ReadOnlySpan<byte> bytes, int at) => (uint)at < (uint)bytes.Length ? bytes[at] : (byte)0;

    public static ushort U16(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 2 <= bytes.Length ? BinaryPrimitives.ReadUInt16BigEndian(bytes[at..]) : (ushort)0;

    public static uint U32(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 4 <= bytes.Length ? BinaryPrimitives.ReadUInt32BigEndian(bytes[at..]) : 0;

    public static ulong U64(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 8 <= bytes.Length ? BinaryPrimitives.ReadUInt64BigEndian(bytes[at..]) : 0;

    public static ushort L16(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 2 <= bytes.Length ? BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]) : (ushort)0;

    public static uint L32(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 4 <= bytes.Length ? BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]) : 0;

    /// <summary>Four characters, with '?' for each that is not printable ASCII; empty if truncated.</summary>
    public static string FourCc(ReadOnlySpan<byte> bytes, int at)
    {
        if (at < 0 || at + 4 > bytes.Length)
            return "";
        Span<char> name = stackalloc char[4];
        for (var i = 0; i < 4; i++)
            name[i] = bytes[at + i] is >= 0x20 and < 0x7F ? (char)bytes[at + i] : '?';
        return new string(name);
    }

    /// <summary>Text up to its first NUL; null if it is empty, longer than 64 characters or has control characters.</summary>
    public static string? Text(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        var text = Encoding.UTF8.GetString(end < 0 ? bytes : bytes[..end]);
        return text.Length is 0 or > 64 || text.Any(char.IsControl) ? null : text;
    }

    /// <summary>A duration from units; null if it is not positive, or longer than any film (10,000,000 s).</summary>
    public static TimeSpan? Duration(double units, double perSecond)
    {
        var seconds = units / perSecond;
        return double.IsFinite(seconds) && seconds > 0 && seconds < 10_000_000 ? TimeSpan.FromSeconds(seconds) : null;
    }
}
