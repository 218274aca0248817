using NzbDav.Content;

namespace NzbDav.Library.Readers;

/// <summary>A content whose readers may be kept between requests.</summary>
internal sealed class WarmContent(IContent inner, WarmReaders readers) : IContent
{
    public long Length => inner.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, inner.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);

        // Imports, checks and scans come once, and nobody waits for them.
        return intent is ReadIntent.Playback or ReadIntent.Probe ? readers.Open(inner, start, end, intent) : inner.OpenReader(start, end, intent);
    }
}
