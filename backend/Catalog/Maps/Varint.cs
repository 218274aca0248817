using System.Buffers;

namespace NzbDav.Catalog.Maps;

/// <summary>Reads bytes and LEB128 numbers from the front of a span; never past its end.</summary>
internal ref struct VarintReader(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _rest = bytes;

    public readonly int Remaining => _rest.Length;

    /// <summary>Reads a number from 0 to <see cref="long.MaxValue"/>.</summary>
    public long Number()
    {
        long value = 0;
        for (var i = 0; i < 9 && i < _rest.Length; i++)
        {
            value |= (long)(_rest[i] & 0x7F) << (7 * i);
            if (_rest[i] < 0x80)
            {
                _rest = _rest[(i + 1)..];
                return value;
            }
        }

        throw new InvalidDataException("The extent map is damaged: a number does not end.");
    }

    /// <summary>Reads a number and checks its range.</summary>
    public int Number(int least, int most, string what)
    {
        var value = Number();
        return value >= least && value <= most
            ? (int)value : throw new InvalidDataException($"The extent map is damaged: {what} is {value}.");
    }

    public ReadOnlySpan<byte> Bytes(int length)
    {
        if (length > _rest.Length)
            throw new InvalidDataException("The extent map is damaged: it ends early.");
        var taken = _rest[..length];
        _rest = _rest[length..];
        return taken;
    }
}

/// <summary>Writes bytes and LEB128 numbers.</summary>
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
