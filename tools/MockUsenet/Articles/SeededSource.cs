using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace NzbDav.MockUsenet.Articles;

/// <summary>
/// A pseudo-random file that is not stored: each byte is a function of seed, name and offset, so that any range
/// can be generated again for comparison. The bytes are uniform, so the escape rate is that of real compressed media.
/// </summary>
public sealed class SeededSource : IArticleSource
{
    /// <summary>SplitMix64: the golden-ratio increment (Steele, Lea, Flood 2014), here multiplied by a word counter.</summary>
    private const ulong Golden = 0x9E3779B97F4A7C15;
    private readonly ulong _key;

    /// <param name="seed">Seed of the whole set of files.</param>
    /// <param name="file">Selects the file in the set; usually its name.</param>
    /// <param name="length">Length in bytes.</param>
    public SeededSource(ulong seed, string file, long length)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        _key = Mix(SeedHash.Of(seed, file));
        Length = length;
    }

    public long Length { get; }

    public void Fill(long offset, Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, Length - destination.Length);
        var word = (ulong)offset >> 3;
        var skip = (int)(offset & 7);
        Span<byte> edge = stackalloc byte[8];
        if (skip != 0)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(edge, At(word++));
            var head = edge[skip..];
            if (head.Length > destination.Length)
                head = head[..destination.Length];
            head.CopyTo(destination);
            destination = destination[head.Length..];
        }

        var words = MemoryMarshal.Cast<byte, ulong>(destination);
        for (var i = 0; i < words.Length; i++)
        {
            var value = At(word + (uint)i);
            words[i] = BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
        }

        var rest = destination[(words.Length * 8)..];
        if (rest.IsEmpty)
            return;
        BinaryPrimitives.WriteUInt64LittleEndian(edge, At(word + (uint)words.Length));
        edge[..rest.Length].CopyTo(rest);
    }

    private ulong At(ulong word) => Mix(_key + word * Golden);

    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
