namespace NzbDav.MockUsenet.Articles;

/// <summary>The bytes of a posted file. Any range may be read at any time, from any thread, always with the same result.</summary>
public interface IArticleSource
{
    /// <summary>Number of bytes in the file.</summary>
    long Length { get; }

    /// <summary>Fills all of <paramref name="destination"/> with the bytes from <paramref name="offset"/> on.</summary>
    void Fill(long offset, Span<byte> destination);
}
