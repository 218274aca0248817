namespace NzbDav.Api.Native.Streams;

/// <summary>What came of asking a provider for an article.</summary>
internal enum StreamArticleResult
{
    /// <summary>It came.</summary>
    Found,

    /// <summary>The provider does not have it.</summary>
    Missing,

    /// <summary>It came damaged.</summary>
    Damaged,

    /// <summary>The connection was lost.</summary>
    Lost,

    /// <summary>Nothing came.</summary>
    TimedOut,

    /// <summary>The provider refused.</summary>
    Refused,
}
