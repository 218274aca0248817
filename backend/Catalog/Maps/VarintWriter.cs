using System.Buffers;

namespace NzbDav.Catalog.Maps;

/// <summary>Collects bytes and LEB128 numbers.</summary>
internal sealed class VarintWriter
{
    private readonly ArrayBufferWriter<byte> _bytes = new(4096);

    public ReadOnlyMemory<byte> Written => _bytes.WrittenMemory;

    public void Number(long value)
    {
        var target = _bytes.GetSpan(10);
        var length = 0;
        var rest = (ulong)value;
        for (; rest >= 0x80; rest >>= 7)
            target[length++] = (byte)(rest | 0x80);
        target[length++] = (byte)rest;
        _bytes.Advance(length);
    }

    public void Bytes(ReadOnlySpan<byte> bytes) => _bytes.Write(bytes);
}
