namespace NzbDav.MockUsenet.Faults;

/// <summary>What a provider does wrong with an article.</summary>
public enum FaultKind
{
    /// <summary>430 to everything, STAT included.</summary>
    Missing,

    /// <summary>STAT says 223; HEAD, BODY and ARTICLE say 430.</summary>
    StatLies,

    /// <summary>One payload byte differs; the CRC is that of the right bytes.</summary>
    Corrupt,

    /// <summary>The body ends early, with a proper dot line.</summary>
    Truncated,

    /// <summary>The body of another article.</summary>
    WrongArticle,

    /// <summary>No bytes for a while, or never again.</summary>
    Stall,

    /// <summary>The connection ends in the middle of the body.</summary>
    Drop,

    /// <summary>The body comes at a rate of its own.</summary>
    Slow,
}
