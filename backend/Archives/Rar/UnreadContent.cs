using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>Content that must not be fetched: every read fails.</summary>
internal sealed class UnreadContent(long length) : IContent
{
    public long Length => length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        throw new ArchiveException(ArchiveRefusalReason.Unreadable, "The header is longer than the known part of the volume.");
}
