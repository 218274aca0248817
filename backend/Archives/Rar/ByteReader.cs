using System.Buffers.Binary;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Reads little-endian fields from a span. A missing field reads as zero and sets <see cref="Failed"/>, so a parser need only check once,
/// at its end.
/// </summary>
internal ref struct ByteReader(ReadOnlySpan<byte> data)
{
    private ReadOnlySpan<byte> _rest = data;

    /// <summary>True once a field was missing or malformed.</summary>
    public bool Failed { get; private set; }

    /// <summary>Bytes not yet read.</summary>
    public readonly ReadOnlySpan<byte> Rest => _rest;

    public ReadOnlySpan<byte> Bytes(ulong count)
    {
        if (count > (ulong)_rest.Length)
        {
            Fail();
            return default;
        }

        var bytes = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return bytes;
    }

    public void Skip(ulong count) => Bytes(count);

    public byte U8() => Bytes(1) is [var value] ? value : (byte)0;

    public ushort U16() => Bytes(2) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;

    public uint U32() => Bytes(4) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong U64() => Bytes(8) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    /// <summary>
    /// Reads RAR 5.0's vint: seven bits per byte, least significant first; the high bit is set if more bytes follow. At most 10 bytes.
    /// </summary>
    public ulong Vint()
    {
        ulong value = 0;
        for (var shift = 0; shift < 70; shift += 7)
        {
            var part = U8();
            value |= shift < 64 ? (ulong)(part & 0x7F) << shift : 0;
            if ((part & 0x80) == 0)
                return value;
        }

        Fail();
        return 0;
    }

    public void Fail()
    {
        Failed = true;
        _rest = default;
    }
}
