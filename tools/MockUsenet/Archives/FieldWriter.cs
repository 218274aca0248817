using System.Buffers;
using System.Buffers.Binary;

namespace NzbDav.MockUsenet.Archives;

/// <summary>Writes the header fields of an archive, one after the other, little-endian.</summary>
internal sealed class FieldWriter
{
    private readonly ArrayBufferWriter<byte> _out = new();

    public int Length => _out.WrittenCount;

    public byte[] ToArray() => _out.WrittenSpan.ToArray();

    public FieldWriter U8(int value)
    {
        _out.GetSpan(1)[0] = (byte)value;
        _out.Advance(1);
        return this;
    }

    public FieldWriter U32(uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return Add(bytes);
    }

    public FieldWriter U64(ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return Add(bytes);
    }

    public FieldWriter Add(ReadOnlySpan<byte> bytes)
    {
        _out.Write(bytes);
        return this;
    }

    /// <summary>RAR5's vint: seven bits a byte, low ones first; padded with empty groups to <paramref name="least"/> bytes.</summary>
    public FieldWriter Vint(ulong value, int least = 1)
    {
        while (value >= 0x80 || least > 1)
        {
            U8((int)(value & 0x7F) | 0x80);
            value >>= 7;
            least--;
        }

        return U8((int)value);
    }

    /// <summary>7z's number in its longest form: a marker byte and eight bytes. Readers accept it for any value.</summary>
    public FieldWriter Number(long value) => U8(0xFF).U64((ulong)value);
}
