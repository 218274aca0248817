using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Sessions;

/// <summary>One file of a torrent that is opened on the first read. Thread-safe; valid as long as the sessions are.</summary>
internal sealed class SessionContent(ITorrentUse sessions, Metainfo metainfo, TorrentFile file) : IContent
{
    /// <inheritdoc/>
    public long Length => file.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new SessionReader(sessions, metainfo, file, start, end, intent);
    }
}
