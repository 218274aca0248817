namespace NzbDav.Api.Native.Streams;

/// <summary>Outcome of requesting an article from a provider.</summary>
internal enum StreamArticleResult
{
    /// <summary>It was received.</summary>
    Found,

    /// <summary>The provider does not have it.</summary>
    Missing,

    /// <summary>It was received damaged.</summary>
    Damaged,

    /// <summary>The connection was lost.</summary>
    Lost,

    /// <summary>Nothing was received in time.</summary>
    TimedOut,

    /// <summary>The provider refused the request.</summary>
    Refused,
}
