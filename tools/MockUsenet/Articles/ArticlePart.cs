namespace NzbDav.MockUsenet.Articles;

/// <summary>What the encoder needs of one article. Immutable.</summary>
internal readonly record struct ArticlePart
{
    /// <summary>Its message-id, without angle brackets.</summary>
    public required string MessageId { get; init; }

    public required ArticleShape Shape { get; init; }

    /// <summary>The decoded bytes of the whole file.</summary>
    public required IArticleSource Source { get; init; }

    /// <summary>The name in the =ybegin line.</summary>
    public required string Name { get; init; }

    /// <summary>What the =ybegin line claims about the whole file; null: the truth.</summary>
    public (int Total, long Size)? Claim { get; init; }

    /// <summary>See <see cref="PostOptions.Header"/>.</summary>
    public Func<int, string, string>? Header { get; init; }

    /// <summary>Its index in the file, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>Number of articles in the file.</summary>
    public required int Count { get; init; }

    /// <summary>Offset of its first byte in the decoded file.</summary>
    public required long Offset { get; init; }

    /// <summary>Number of its decoded bytes.</summary>
    public required int Size { get; init; }

    public bool IsFirst => Index == 0;

    public bool IsLast => Index == Count - 1;

    /// <summary>Fills the first <see cref="Size"/> bytes of <paramref name="destination"/> with the decoded payload.</summary>
    public void ReadPayload(Span<byte> destination) => Source.Fill(Offset, destination[..Size]);
}
