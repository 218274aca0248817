namespace NzbDav.Archives.Layouts;

/// <summary>Windows' FILETIME: 100 ns since 1601-01-01 UTC.</summary>
internal static class FileTime
{
    private static readonly DateTimeOffset Epoch = new(1601, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Null when it is later than any date that can be represented.</summary>
    public static DateTimeOffset? ToDate(ulong ticks) => ticks <= (ulong)(DateTimeOffset.MaxValue - Epoch).Ticks ? Epoch.AddTicks((long)ticks) : null;
}
