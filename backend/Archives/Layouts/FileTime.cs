namespace NzbDav.Archives.Layouts;

/// <summary>Times as archives store them.</summary>
internal static class FileTime
{
    private static readonly DateTimeOffset Epoch = new(1601, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>
    /// Converts Windows' FILETIME: 100 ns since 1601-01-01 UTC. Null if it is later than any date that can be represented.
    /// </summary>
    public static DateTimeOffset? ToDate(ulong ticks) =>
        ticks <= (ulong)(DateTimeOffset.MaxValue - Epoch).Ticks ? Epoch.AddTicks((long)ticks) : null;

    /// <summary>
    /// Converts a "date and time in standard MS-DOS format" (RAR4, ZIP): from the lowest bit, 5 bits of seconds / 2, 6 of minutes, 5 of
    /// hours, 5 of the day, 4 of the month, 7 of years since 1980. Null if it is not a valid date.
    /// </summary>
    public static DateTimeOffset? FromDos(uint value)
    {
        var (year, month, day) = (1980 + (int)(value >> 25), (int)(value >> 21) & 15, (int)(value >> 16) & 31);
        var (hour, minute, second) = ((int)(value >> 11) & 31, (int)(value >> 5) & 63, (int)(value & 31) * 2);
        return month is >= 1 and <= 12 && day >= 1 && day <= DateTime.DaysInMonth(year, month) && hour < 24 && minute < 60 && second < 60
            ? new DateTimeOffset(year, month, day, hour, minute, second, TimeSpan.Zero)
            : null;
    }
}
