using NzbDav.Content;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>A content whose readers continue beyond the range they are opened for, like those kept between requests.</summary>
internal sealed class RunOnContent(IContent inner) : DelegatingContent(inner)
{
    public override ContentReader OpenReader(long start, long end, ReadIntent intent) => base.OpenReader(start, Length, intent);
}
