namespace NzbDav.MockUsenet.Articles;

/// <summary>What the encoder needs to know of one article. Immutable.</summary>
internal readonly record struct ArticlePart
{
    /// <summary>Without angle brackets.</summary>
    public required string MessageId { get; init; }

    public required ArticleShape Shape { get; init; }

    /// <summary>The decoded bytes of the whole file.</summary>
    public required IArticleSource Source { get; init; }

    /// <summary>The name in the =ybegin line.</summary>
    public required string Name { get; init; }

    /// <summary>Place in the file, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>Articles of the file.</summary>
    public required int Count { get; init; }

    /// <summary>Where its bytes begin in the decoded file.</summary>
    public required long Offset { get; init; }

    /// <summary>Decoded bytes.</summary>
    public required int Size { get; init; }

    public bool IsFirst => Index == 0;

    public bool IsLast => Index == Count - 1;

    /// <summary>Fills the first <see cref="Size"/> bytes of <paramref name="destination"/> with the decoded payload.</summary>
    public void ReadPayload(Span<byte> destination) => Source.Fill(Offset, destination[..Size]);
}
