using NzbDav.Content;

namespace NzbDav.Conformance.Tests;

/// <summary>A content whose readers go on behind the range that they are opened for, as those do that are kept between requests.</summary>
internal sealed class RunOnContent(IContent inner) : IContent
{
    public long Length => inner.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => inner.OpenReader(start, inner.Length, intent);
}
