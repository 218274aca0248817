namespace NzbDav.Content.Recording;

/// <summary>What came of asking a provider for an article.</summary>
public enum ArticleResult : byte
{
    /// <summary>It came whole; of a question, it exists.</summary>
    Found,

    /// <summary>The provider does not have it (430).</summary>
    Missing,

    /// <summary>It came damaged, or as another part than expected.</summary>
    Damaged,

    /// <summary>The connection ended before it was whole.</summary>
    Lost,

    /// <summary>Nothing came for so long that the connection was given up.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles (502).</summary>
    Refused,
}
