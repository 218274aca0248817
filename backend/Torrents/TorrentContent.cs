using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents;

/// <summary>One file of a torrent. Costs nothing until a reader is opened. Thread-safe; valid until the torrent is closed.</summary>
internal sealed class TorrentContent(Swarm swarm, TorrentFile file) : IContent
{
    /// <inheritdoc/>
    public long Length => file.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new TorrentReader(swarm, file, file.Offset + start, file.Offset + end, intent);
    }
}
