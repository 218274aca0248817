namespace NzbDav.MockUsenet.Faults;

/// <summary>A provider's fault in serving an article.</summary>
public enum FaultKind
{
    /// <summary>430 to every request, including STAT.</summary>
    Missing,

    /// <summary>223 to STAT; 430 to HEAD, BODY and ARTICLE.</summary>
    StatLies,

    /// <summary>One payload byte is changed; the CRC is that of the original bytes.</summary>
    Corrupt,

    /// <summary>The body ends early, with a proper dot line.</summary>
    Truncated,

    /// <summary>The body of another article is sent.</summary>
    WrongArticle,

    /// <summary>No bytes are sent for a while, or never again.</summary>
    Stall,

    /// <summary>The connection ends in the middle of the body.</summary>
    Drop,

    /// <summary>The body is sent at its own rate.</summary>
    Slow,
}
