using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>The bytes of an <see cref="OwnedTorrent"/>. Each reader finds out by itself where they are. Thread-safe.</summary>
/// <param name="torrent">The file.</param>
/// <param name="forwards">False: readers never ask another gateway.</param>
internal sealed class OwnedContent(OwnedTorrent torrent, bool forwards) : IContent
{
    /// <inheritdoc/>
    public long Length => torrent.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new OwnedReader(torrent, forwards, start, end, intent);
    }
}
