namespace NzbDav.WebDav.Requests;

/// <summary>Guards dates on their way out.</summary>
internal static class ItemDates
{
    /// <summary>Never before 1970: macOS drops a mount that shows year 1.</summary>
    public static DateTimeOffset Clamp(DateTimeOffset time) => time < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : time;
}
