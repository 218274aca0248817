using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>The posted file in memory, so that comparing is one pass over memory and does not slow the measured reads. Immutable.</summary>
internal sealed class SourceBytes
{
    private const int ChunkSize = 64 << 20;

    private readonly byte[][] _chunks;

    private SourceBytes(byte[][] chunks, long length) => (_chunks, Length) = (chunks, length);

    public long Length { get; }

    /// <summary>Copies the whole source.</summary>
    public static SourceBytes Of(IArticleSource source)
    {
        var chunks = new byte[(int)((source.Length + ChunkSize - 1) / ChunkSize)][];
        Parallel.For(0, chunks.Length, index =>
        {
            var offset = (long)index * ChunkSize;
            chunks[index] = GC.AllocateUninitializedArray<byte>((int)Math.Min(ChunkSize, source.Length - offset));
            source.Fill(offset, chunks[index]);
        });
        return new SourceBytes(chunks, source.Length);
    }

    /// <summary>What the mock posts: a file, or its random bytes.</summary>
    /// <param name="path">The file; null for the random bytes.</param>
    /// <param name="length">How many random bytes.</param>
    public static SourceBytes OfPost(string? path, long length)
    {
        if (path is null)
            return Of(new FilmSource(new SeededSource(MockPost.Seed, MockPost.RandomFile, length)));
        using var file = new FileSource(path);
        return Of(file);
    }

    /// <summary>The bytes from an offset to the end of its chunk; empty at the end of the file.</summary>
    public ReadOnlySpan<byte> From(long offset) =>
        offset >= Length ? default : _chunks[(int)(offset / ChunkSize)].AsSpan((int)(offset % ChunkSize));

    /// <summary>Index of the first byte that differs from the file at this offset; −1 if none does.</summary>
    public int FirstDifference(long offset, ReadOnlySpan<byte> bytes)
    {
        for (var done = 0; done < bytes.Length;)
        {
            var expected = From(offset + done);
            if (expected.IsEmpty)
                return done;
            var part = bytes.Slice(done, Math.Min(expected.Length, bytes.Length - done));
            var same = part.CommonPrefixLength(expected);
            if (same < part.Length)
                return done + same;
            done += same;
        }

        return -1;
    }

    /// <summary>Number of bytes that differ from the file at this offset.</summary>
    public long Differences(long offset, ReadOnlySpan<byte> bytes)
    {
        long count = 0;
        while (!bytes.IsEmpty)
        {
            var expected = From(offset);
            if (expected.IsEmpty)
                return count + bytes.Length;
            var part = Math.Min(expected.Length, bytes.Length);
            for (var i = 0; i < part; i++)
                count += bytes[i] == expected[i] ? 0 : 1;
            bytes = bytes[part..];
            offset += part;
        }

        return count;
    }
}
