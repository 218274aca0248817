using System.Buffers.Binary;
using System.Numerics;

namespace NzbDav.Library.Media;

/// <summary>EBML elements (RFC 8794, 4 to 7). Pure.</summary>
internal static class Ebml
{
    /// <summary>Longest header in bytes: an id of 4 and a size of 8.</summary>
    public const int MostHeader = 12;

    /// <summary>Reads an element's id and size.</summary>
    /// <param name="bytes">The file from the beginning of the element on.</param>
    /// <param name="id">Its id, including the marker bit.</param>
    /// <param name="size">Length of its data in bytes; −1: unknown.</param>
    /// <param name="header">Length of id and size in bytes.</param>
    /// <returns>False if the header is truncated or invalid.</returns>
    public static bool TryHeader(ReadOnlySpan<byte> bytes, out uint id, out long size, out int header)
    {
        (id, size, header) = (0, 0, 0);
        if (bytes.IsEmpty || bytes[0] == 0)
            return false;
        var idLength = BitOperations.LeadingZeroCount((uint)bytes[0]) - 23;
        if (idLength > 4 || bytes.Length <= idLength || bytes[idLength] == 0)
            return false;
        foreach (var one in bytes[..idLength])
            id = (id << 8) | one;
        var sizeLength = BitOperations.LeadingZeroCount((uint)bytes[idLength]) - 23;
        header = idLength + sizeLength;
        if (bytes.Length < header)
            return false;
        var mask = 0xFF >> sizeLength;
        size = bytes[idLength] & mask;
        var isUnknown = size == mask;
        foreach (var one in bytes[(idLength + 1)..header])
        {
            size = (size << 8) | one;
            isUnknown &= one == 0xFF;
        }

        if (isUnknown)
            size = -1;
        return true;
    }

    /// <summary>Removes the next complete element from a sequence of elements.</summary>
    public static bool TryNext(scoped ref ReadOnlySpan<byte> rest, out uint id, out ReadOnlySpan<byte> data)
    {
        data = default;
        if (!TryHeader(rest, out id, out var size, out var header) || size < 0 || size > rest.Length - header)
            return false;
        data = rest.Slice(header, (int)size);
        rest = rest[(header + (int)size)..];
        return true;
    }

    public static ulong Unsigned(ReadOnlySpan<byte> data)
    {
        ulong value = 0;
        foreach (var one in data.Length > 8 ? default : data)
            value = (value << 8) | one;
        return value;
    }

    public static double Float(ReadOnlySpan<byte> data) => data.Length switch
    {
        4 => BinaryPrimitives.ReadSingleBigEndian(data),
        8 => BinaryPrimitives.ReadDoubleBigEndian(data),
        _ => 0,
    };
}
