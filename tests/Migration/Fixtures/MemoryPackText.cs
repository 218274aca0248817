using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>
/// Writes MemoryPack's version-tolerant objects from the description of the format, independently of the library that reads them.
/// </summary>
internal static class MemoryPackText
{
    /// <summary>An object: the number of members, their lengths, their values. No members: null.</summary>
    public static byte[] Object(params byte[][] members) =>
        [(byte)members.Length, .. members.SelectMany(member => Varint(member.Length)), .. members.SelectMany(member => member)];

    public static byte[] Null => [255];

    public static byte[] Number(long value)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        return bytes;
    }

    public static byte[] Flag(bool value) => [value ? (byte)1 : (byte)0];

    public static byte[] Id(Guid value) => value.ToByteArray();

    public static byte[] Bytes(byte[] value) => [.. Count(value.Length), .. value];

    public static byte[] Text(string value)
    {
        var bytes = Encoding.UTF8.GetBytes(value);
        return bytes.Length == 0 ? Count(0) : [.. Count(~bytes.Length), .. Count(value.Length), .. bytes];
    }

    public static byte[] Array(IEnumerable<byte[]> items)
    {
        var all = items.ToArray();
        return [.. Count(all.Length), .. all.SelectMany(item => item)];
    }

    private static byte[] Count(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] Varint(int value)
    {
        if (value < 128)
            return [(byte)value];
        if (value <= short.MaxValue)
            return [0x84, (byte)value, (byte)(value >> 8)];
        return [0x82, .. Count(value)];
    }
}
