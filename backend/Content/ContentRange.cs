namespace NzbDav.Content;

/// <summary>The check that every <see cref="IContent.OpenReader"/> begins with.</summary>
internal static class ContentRange
{
    public static void ThrowIfOutside(long start, long end, long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
    }
}
