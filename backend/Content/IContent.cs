namespace NzbDav.Content;

/// <summary>
/// The bytes of one file, wherever they come from: the central contract of the product. WebDAV reads it, Usenet and torrents provide it,
/// and neither side knows the other. Immutable; thread-safe.
/// </summary>
public interface IContent
{
    /// <summary>Exact size in bytes, known before anything is fetched.</summary>
    long Length { get; }

    /// <summary>
    /// Opens a reader over <c>[start, end)</c>. Nothing is fetched past <paramref name="end"/>. Fetching may begin at once:
    /// the caller owns the reader and must dispose it.
    /// </summary>
    /// <param name="start">First byte, 0 … <see cref="Length"/>.</param>
    /// <param name="end">One past the last byte, <paramref name="start"/> … <see cref="Length"/>.</param>
    /// <param name="intent">Sets the priority of the reader's requests and how far it may read ahead.</param>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the content.</exception>
    ContentReader OpenReader(long start, long end, ReadIntent intent);
}

/// <summary>Why bytes are read. Decides the priority of the requests and how far a reader may run ahead.</summary>
public enum ReadIntent
{
    /// <summary>A player or a person waits: first in line; read-ahead grows while reading stays sequential.</summary>
    Playback,

    /// <summary>A few KiB are read (headers, media information): first in line, no read-ahead.</summary>
    Probe,

    /// <summary>A whole file is copied: full read-ahead, but nobody waits for the first byte.</summary>
    Download,

    /// <summary>
    /// A program reads faster than playback, or jumps between places: lower priority than all playback, with only enough read-ahead to keep
    /// one connection busy.
    /// </summary>
    Scan,

    /// <summary>Import work. Lower priority than any reader.</summary>
    Import,

    /// <summary>Background verification and repair. Lowest priority.</summary>
    Health,
}

/// <summary>The check at the start of every <see cref="IContent.OpenReader"/>.</summary>
public static class ContentRange
{
    /// <summary>Throws unless <c>[start, end)</c> lies inside a content of this length.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the content.</exception>
    public static void ThrowIfOutside(long start, long end, long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
    }
}
