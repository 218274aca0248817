using System.Text;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>Writes protobuf messages.</summary>
internal sealed class ProtobufText
{
    private readonly List<byte> _bytes = [];

    public byte[] ToArray() => [.. _bytes];

    public ProtobufText Number(int field, long value)
    {
        Varint((ulong)field << 3);
        Varint((ulong)value);
        return this;
    }

    public ProtobufText Text(int field, string value) => Bytes(field, Encoding.UTF8.GetBytes(value));

    public ProtobufText Bytes(int field, byte[] value)
    {
        Varint(((ulong)field << 3) | 2);
        Varint((ulong)value.Length);
        _bytes.AddRange(value);
        return this;
    }

    private void Varint(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
    }
}
