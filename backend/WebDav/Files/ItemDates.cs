namespace NzbDav.WebDav;

/// <summary>Guards dates on their way out.</summary>
internal static class ItemDates
{
    /// <summary>Never before 1970: macOS gives a mount up over year 1.</summary>
    public static DateTimeOffset Clamp(DateTimeOffset time) => time < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : time;
}
