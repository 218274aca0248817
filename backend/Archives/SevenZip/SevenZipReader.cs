using System.Buffers.Binary;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.SevenZip;

/// <summary>
/// Reads the fields of a 7z header from a span (7zFormat.txt of 7-Zip, which also names the properties). Throws if a field is missing.
/// </summary>
internal ref struct SevenZipReader(ReadOnlySpan<byte> data)
{
    /// <summary>
    /// Most files, streams or folders of an archive, as for disc images. The largest archives posted contain a few thousand files. A packed
    /// header of a few kilobytes can claim millions, and each takes some hundred bytes of memory.
    /// </summary>
    public const int MostItems = 200_000;

    private ReadOnlySpan<byte> _rest = data;

    public readonly int Left => _rest.Length;

    public byte U8() => Bytes(1)[0];

    public uint U32() => BinaryPrimitives.ReadUInt32LittleEndian(Bytes(4));

    public ulong U64() => BinaryPrimitives.ReadUInt64LittleEndian(Bytes(8));

    public ReadOnlySpan<byte> Bytes(long count)
    {
        if (count < 0 || count > _rest.Length)
            throw ArchiveException.Damaged("7z: the header ends too early.");
        var bytes = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return bytes;
    }

    /// <summary>
    /// "REAL_UINT64 … UINT64": the number of leading ones in the first byte is the number of bytes that follow, little-endian; its other
    /// bits are the highest ones.
    /// </summary>
    public ulong Raw()
    {
        int first = U8();
        ulong value = 0;
        for (int i = 0, mask = 0x80; i < 8; i++, mask >>= 1)
        {
            if ((first & mask) == 0)
                return value | ((ulong)(first & (mask - 1)) << (8 * i));
            value |= (ulong)U8() << (8 * i);
        }

        return value;
    }

    /// <summary>Reads a size or an offset.</summary>
    public long Number() =>
        Raw() is var value and <= long.MaxValue ? (long)value : throw ArchiveException.Damaged("7z: a number in the header is too big.");

    /// <summary>
    /// Reads a count of items that take at least <paramref name="leastBits"/> bits each. Throws if the rest of the header is too short for
    /// them, or if there are more than <see cref="MostItems"/>.
    /// </summary>
    public int Count(int leastBits = 8)
    {
        var count = Number();
        if (count > MostItems)
            throw TooMany(count);
        return count <= (long)_rest.Length * 8 / leastBits
            ? (int)count : throw ArchiveException.Damaged("7z: a count in the header is too big.");
    }

    public static ArchiveException TooMany(long count) =>
        new(ArchiveRefusalReason.Unsupported, $"7z: {count} files or streams in one archive are refused (the most is {MostItems}).");

    /// <summary>"BITS … in big-endian bit order".</summary>
    public bool[] Bits(int count)
    {
        var bytes = Bytes((count + 7) / 8);
        var bits = new bool[count];
        for (var i = 0; i < count; i++)
            bits[i] = (bytes[i / 8] & (0x80 >> (i % 8))) != 0;
        return bits;
    }

    /// <summary>"AllAreDefined", and the bits if they are not.</summary>
    public bool[] Defined(int count)
    {
        if (U8() == 0)
            return Bits(count);
        if (count > _rest.Length)
            throw ArchiveException.Damaged("7z: a count in the header is too big.");
        var bits = new bool[count];
        Array.Fill(bits, value: true);
        return bits;
    }

    /// <summary>"Digests": a CRC for each one that is defined.</summary>
    public uint?[] Digests(int count)
    {
        var defined = Defined(count);
        var digests = new uint?[count];
        for (var i = 0; i < count; i++)
            digests[i] = defined[i] ? U32() : null;
        return digests;
    }
}
