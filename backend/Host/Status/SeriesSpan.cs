namespace NzbDav.Host.Status;

/// <summary>How far back a series reaches.</summary>
internal enum SeriesSpan
{
    /// <summary>The last hour by second.</summary>
    Hour,

    /// <summary>The last day by minute.</summary>
    Day,
}
