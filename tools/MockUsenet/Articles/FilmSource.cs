namespace NzbDav.MockUsenet.Articles;

/// <summary>Another source's bytes behind the head of a Matroska file (RFC 8794, section 11.2.1): what the server does for films, it does for this one.</summary>
/// <param name="inner">Where all other bytes come from.</param>
public sealed class FilmSource(IArticleSource inner) : IArticleSource
{
    private static readonly byte[] Head = [0x1A, 0x45, 0xDF, 0xA3];

    public long Length => inner.Length;

    public void Fill(long offset, Span<byte> destination)
    {
        inner.Fill(offset, destination);
        if (offset < Head.Length)
            Head.AsSpan((int)offset, (int)Math.Min(Head.Length - offset, destination.Length)).CopyTo(destination);
    }
}
