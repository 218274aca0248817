namespace NzbDav.Host.Status;

/// <summary>What a line's values are.</summary>
internal enum SeriesUnit
{
    /// <summary>A rate.</summary>
    BytesPerSecond,

    /// <summary>A number of things.</summary>
    Count,

    /// <summary>A size.</summary>
    Bytes,

    /// <summary>0 to 1.</summary>
    Share,
}
