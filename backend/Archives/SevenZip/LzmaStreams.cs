using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using SharpCompress.Compressors.LZMA;

namespace NzbDav.Archives.SevenZip;

/// <summary>Decodes whole LZMA and LZMA2 streams, in which 7z packs its header, with SharpCompress.</summary>
internal static class LzmaStreams
{
    /// <summary>
    /// Most bytes of output per packed byte: 273 bytes take 14 decisions of at least 0.022 bits each, as the probabilities of
    /// lzma-specification stay at or above 31/2048. That makes 7,000.
    /// </summary>
    private const int MostRatio = 8192;

    /// <summary>Bytes of output per packed byte that are allocated in advance. The buffer grows only as more arrive.</summary>
    private const int UsualRatio = 16;

    private const int SmallestDictionary = 4096;

    /// <summary>Decodes an LZMA stream; null if it is damaged.</summary>
    /// <param name="properties">5 bytes: the properties byte and the size of the dictionary.</param>
    /// <param name="input">The stream.</param>
    /// <param name="size">Bytes of output; the caller limits it.</param>
    public static ReadOnlyMemory<byte>? Decode(ReadOnlySpan<byte> properties, ReadOnlyMemory<byte> input, int size)
    {
        if (properties.Length != 5)
            return null;
        var bounded = properties.ToArray();
        var dictionary = BinaryPrimitives.ReadUInt32LittleEndian(properties[1..]);
        BinaryPrimitives.WriteUInt32LittleEndian(
            bounded.AsSpan(1), Math.Clamp(dictionary, SmallestDictionary, LargestDictionary(input, size)));
        return Decode(bounded, input, size, isSecond: false);
    }

    /// <summary>Decodes an LZMA2 stream; null if it is damaged.</summary>
    public static ReadOnlyMemory<byte>? DecodeSecond(ReadOnlyMemory<byte> input, int size)
    {
        // The dictionary's size in one byte (xz-file-format, 5.3.1): 2 per doubling of 4 KiB.
        var doublings = BitOperations.Log2(BitOperations.RoundUpToPowerOf2(LargestDictionary(input, size)) / SmallestDictionary);
        return Decode([(byte)(2 * doublings)], input, size, isSecond: true);
    }

    /// <summary>Limits the dictionary, which the decoder allocates: no match reaches back further than the output.</summary>
    private static uint LargestDictionary(ReadOnlyMemory<byte> input, int size) =>
        (uint)Math.Max(SmallestDictionary, Math.Min(size, (long)input.Length * MostRatio));

    private static ReadOnlyMemory<byte>? Decode(byte[] properties, ReadOnlyMemory<byte> input, int size, bool isSecond)
    {
        try
        {
            using var packed = new PackedStream(
                MemoryMarshal.TryGetArray(input, out var segment) ? segment : new ArraySegment<byte>(input.ToArray()));
            using var stream = LzmaStream.Create(properties, packed, input.Length, size, presetDictionary: null, isSecond);
            var output = new byte[(int)Math.Min(size, (long)input.Length * UsualRatio)];
            for (var filled = 0; filled < size;)
            {
                if (filled == output.Length)
                    Array.Resize(ref output, (int)Math.Min(size, 2L * filled));
                var read = stream.Read(output, filled, output.Length - filled);
                if (read == 0)
                    return null;
                filled += read;
            }

            // Only a read at the end compares both lengths.
            return stream.ReadByte() < 0 ? output : default(ReadOnlyMemory<byte>?);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The library's exceptions for damage have no common base type, and nothing else can fail in memory.
            return null;
        }
    }

    /// <summary>
    /// Throws at its end: otherwise the decoder would go on with bytes that do not exist; in a damaged LZMA2 stream, forever.
    /// </summary>
    private sealed class PackedStream(ArraySegment<byte> bytes) : MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false)
    {
        public override int ReadByte() => base.ReadByte() is >= 0 and var value ? value : throw new EndOfStreamException();

        public override int Read(byte[] buffer, int offset, int count) =>
            base.Read(buffer, offset, count) is > 0 and var read ? read : throw new EndOfStreamException();
    }
}
