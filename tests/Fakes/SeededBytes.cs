using System.Buffers.Binary;

namespace NzbDav.Fakes;

/// <summary>
/// Endless pseudo-random bytes that depend on a seed and the offset only, so that a test can check any range of a huge file
/// without holding it. The same on every machine, for ever (SplitMix64 over the offset's 8-byte block, little-endian).
/// </summary>
public static class SeededBytes
{
    /// <summary>The byte at <paramref name="offset"/>.</summary>
    public static byte At(int seed, long offset) => (byte)(Block(seed, offset >> 3) >> (int)((offset & 7) * 8));

    /// <summary>Writes the bytes that begin at <paramref name="offset"/>.</summary>
    /// <param name="seed">Chooses the sequence.</param>
    /// <param name="offset">At least 0.</param>
    /// <param name="destination">Filled completely.</param>
    public static void Fill(int seed, long offset, Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        while (!destination.IsEmpty && (offset & 7) != 0)
        {
            destination[0] = At(seed, offset++);
            destination = destination[1..];
        }

        while (destination.Length >= 8)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Block(seed, offset >> 3));
            destination = destination[8..];
            offset += 8;
        }

        for (var i = 0; i < destination.Length; i++)
            destination[i] = At(seed, offset + i);
    }

    /// <summary>The first <paramref name="length"/> bytes.</summary>
    public static byte[] Make(int seed, int length)
    {
        var bytes = new byte[length];
        Fill(seed, 0, bytes);
        return bytes;
    }

    /// <summary>Index of the first byte in <paramref name="actual"/> that is not the one at its offset; −1 if all are right.</summary>
    public static int FirstMismatch(int seed, long offset, ReadOnlySpan<byte> actual)
    {
        var expected = new byte[actual.Length];
        Fill(seed, offset, expected);
        var same = actual.CommonPrefixLength(expected);
        return same == actual.Length ? -1 : same;
    }

    // https://prng.di.unimi.it/splitmix64.c, with the state computed from the block's index instead of carried along.
    private static ulong Block(int seed, long index)
    {
        var z = ((ulong)(uint)seed * 0xD1342543DE82EF95) + (((ulong)index + 1) * 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
