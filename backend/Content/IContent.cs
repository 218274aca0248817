namespace NzbDav.Content;

/// <summary>
/// The bytes of one file, wherever they come from: the contract in the middle of the product. WebDAV reads it, Usenet and
/// torrents provide it, and neither side knows the other. Immutable for its life; safe to use from many threads.
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
