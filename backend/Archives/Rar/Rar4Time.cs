namespace NzbDav.Archives.Rar;

/// <summary>Times of RAR 1.5 to 4.x.</summary>
internal static class Rar4Time
{
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
