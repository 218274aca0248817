using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace NzbDav.MockSwarm.Contents;

/// <summary>
/// The bytes of <see cref="SwarmContent.Make"/> for one file without padding, generated on demand, so that comparing 20 GB needs no memory
/// for them. Several GB/s on one core. Immutable, thread-safe.
/// </summary>
/// <param name="seed">The same seed as there.</param>
/// <param name="pieceLength">The same piece length as there.</param>
/// <param name="length">Total number of bytes.</param>
public sealed class SwarmBytes(ulong seed, int pieceLength, long length)
{
    private readonly int _distinct = Distinct(length, pieceLength);

    /// <summary>Generates the bytes from an offset on.</summary>
    public void Fill(long offset, Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, length - destination.Length);
        while (!destination.IsEmpty)
        {
            var at = (int)(offset % pieceLength);
            var part = destination[..Math.Min(destination.Length, pieceLength - at)];
            FillPiece(Key(seed, (int)(offset / pieceLength % _distinct)), at, part);
            destination = destination[part.Length..];
            offset += part.Length;
        }
    }

    /// <summary>Number of different pieces: a prime, so that strides of powers of two do not return to the same piece.</summary>
    internal static int Distinct(long length, int pieceLength) =>
        (int)Math.Min((length + pieceLength - 1) / pieceLength, LargestPrime(Math.Max(2, SwarmContent.MostDistinctBytes / pieceLength)));

    /// <summary>Generates bytes of one piece: SplitMix64 (Steele, Lea, Flood 2014) over a counter, eight bytes each.</summary>
    internal static void FillPiece(ulong key, int at, Span<byte> destination)
    {
        var word = (ulong)(at / sizeof(ulong));
        Span<byte> one = stackalloc byte[sizeof(ulong)];
        if (at % sizeof(ulong) is > 0 and var skip)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(one, Word(key, word++));
            var head = one[skip..Math.Min(sizeof(ulong), skip + destination.Length)];
            head.CopyTo(destination);
            destination = destination[head.Length..];
        }

        var words = MemoryMarshal.Cast<byte, ulong>(destination);
        for (var i = 0; i < words.Length; i++)
            words[i] = BitConverter.IsLittleEndian ? Word(key, word++) : BinaryPrimitives.ReverseEndianness(Word(key, word++));
        var rest = destination[(words.Length * sizeof(ulong))..];
        if (rest.IsEmpty)
            return;
        BinaryPrimitives.WriteUInt64LittleEndian(one, Word(key, word));
        one[..rest.Length].CopyTo(rest);
    }

    internal static ulong Key(ulong seed, int piece) => Mix(seed + 1) + ((ulong)piece << 32);

    private static ulong Word(ulong key, ulong index) => Mix(key + (index * 0x9E3779B97F4A7C15));

    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }

    private static long LargestPrime(long most)
    {
        for (var candidate = most; ; candidate--)
        {
            var prime = true;
            for (long divisor = 2; prime && divisor * divisor <= candidate; divisor++)
                prime = candidate % divisor != 0;
            if (prime)
                return candidate;
        }
    }
}
