namespace NzbDav.Host.Status;

/// <summary>The time that a series covers.</summary>
internal enum SeriesSpan
{
    /// <summary>The last hour by second.</summary>
    Hour,

    /// <summary>The last day by minute.</summary>
    Day,
}
