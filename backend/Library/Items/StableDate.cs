namespace NzbDav.Library.Items;

/// <summary>Adjusts dates to what clients accept.</summary>
internal static class StableDate
{
    /// <summary>The date, or 1970 if it is earlier: clients reject earlier dates, and the root of the tree has no date of its own.</summary>
    public static DateTimeOffset Of(DateTimeOffset date) => date < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : date;
}
