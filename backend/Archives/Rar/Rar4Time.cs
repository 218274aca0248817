namespace NzbDav.Archives.Rar;

/// <summary>Times of RAR 1.5 to 4.x.</summary>
internal static class Rar4Time
{
    /// <summary>
    /// FTIME, "date and time in standard MS DOS format": from the lowest bit 5 bits of seconds / 2, 6 minutes, 5 hours, 5 day, 4 month, 7 years
    /// since 1980. Null if it is not a valid date.
    /// </summary>
    public static DateTimeOffset? FromDos(uint value)
    {
        var (year, month, day) = (1980 + (int)(value >> 25), (int)(value >> 21) & 15, (int)(value >> 16) & 31);
        var (hour, minute, second) = ((int)(value >> 11) & 31, (int)(value >> 5) & 63, (int)(value & 31) * 2);
        return month is >= 1 and <= 12 && day >= 1 && day <= DateTime.DaysInMonth(year, month) && hour < 24 && minute < 60 && second < 60
            ? new DateTimeOffset(year, month, day, hour, minute, second, TimeSpan.Zero)
            : null;
    }

    /// <summary>
    /// EXT_TIME: 16 bits of flags, four for each of mtime (highest), ctime, atime and arctime: 8 = it is there, 4 = one second more, 0 … 3
    /// = bytes of 100 ns that follow, the most significant ones of three (unrar's arcread.cpp).
    /// </summary>
    public static DateTimeOffset? Refine(DateTimeOffset? time, ref ByteReader reader)
    {
        var flags = reader.U16() >> 12;
        if (time is null || (flags & 8) == 0)
            return time;
        var ticks = 0;
        var count = flags & 3;
        for (var i = 0; i < count; i++)
            ticks |= reader.U8() << ((i + 3 - count) * 8);
        return time.Value.AddSeconds((flags & 4) != 0 ? 1 : 0).AddTicks(ticks);
    }
}
