using NzbDav.Content;

namespace NzbDav.Library.Pins;

/// <summary>A content of which the pinned ranges come from the disk. What is pinned later, or goes, counts from the next reader on.</summary>
public sealed class PinnedContent(IContent inner, PinKey key, PinStore store) : IContent
{
    public long Length => inner.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        // A check asks whether the providers have the bytes.
        return intent is not ReadIntent.Health && store.Find(key) is { } set && set.Meets(start, end)
            ? new PinnedReader(inner, set, store, start, end, intent)
            : inner.OpenReader(start, end, intent);
    }
}
