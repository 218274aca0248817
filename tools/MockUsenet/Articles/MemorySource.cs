namespace NzbDav.MockUsenet.Articles;

/// <summary>A file held in memory; the bytes must not change afterwards.</summary>
public sealed class MemorySource(ReadOnlyMemory<byte> bytes) : IArticleSource
{
    public long Length => bytes.Length;

    public void Fill(long offset, Span<byte> destination) => bytes.Span.Slice((int)offset, destination.Length).CopyTo(destination);
}
