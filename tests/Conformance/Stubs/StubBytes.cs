using System.Buffers.Binary;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>Bytes that depend on their offset alone: files of any size without memory, and any slice can be checked.</summary>
internal static class StubBytes
{
    public static void Fill(long offset, Span<byte> destination)
    {
        Span<byte> word = stackalloc byte[8];
        for (var at = 0; at < destination.Length;)
        {
            var position = offset + at;
            BinaryPrimitives.WriteUInt64LittleEndian(word, Mix((ulong)(position / 8)));
            var from = (int)(position % 8);
            var count = Math.Min(8 - from, destination.Length - at);
            word.Slice(from, count).CopyTo(destination[at..]);
            at += count;
        }
    }

    public static byte[] Slice(long start, long end)
    {
        var bytes = new byte[end - start];
        Fill(start, bytes);
        return bytes;
    }

    private static ulong Mix(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
