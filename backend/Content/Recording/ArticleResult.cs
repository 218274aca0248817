namespace NzbDav.Content.Recording;

/// <summary>Result of a request for an article.</summary>
public enum ArticleResult : byte
{
    /// <summary>It arrived complete; for a STAT, it exists.</summary>
    Found,

    /// <summary>The provider does not have it (430).</summary>
    Missing,

    /// <summary>It arrived damaged, or was another part than expected.</summary>
    Damaged,

    /// <summary>The connection ended before it was complete.</summary>
    Lost,

    /// <summary>Nothing arrived for so long that the connection was closed.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles (502).</summary>
    Refused,
}
