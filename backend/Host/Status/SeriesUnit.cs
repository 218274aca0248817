namespace NzbDav.Host.Status;

/// <summary>Unit of a line's values.</summary>
internal enum SeriesUnit
{
    /// <summary>Bytes per second.</summary>
    BytesPerSecond,

    /// <summary>A count.</summary>
    Count,

    /// <summary>Bytes.</summary>
    Bytes,

    /// <summary>A share, 0 to 1.</summary>
    Share,
}
