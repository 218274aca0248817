using System.Buffers;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Zip;

/// <summary>
/// A folder as a stored .zip. Its bytes are the same whenever they are asked for, so ranges fit together. Checksums stand behind each file
/// and in the directory at the end: a range that holds one whose file was not read as a whole makes the rest of that file read first.
/// </summary>
/// <param name="layout">Where everything is.</param>
/// <param name="open">Opens a file.</param>
/// <param name="checksums">What is known of them.</param>
internal sealed class ZipContent(
    ZipLayout layout, Func<CatalogItem, CancellationToken, ValueTask<IContent>> open, FileChecksums checksums) : IContent
{
    /// <summary>Read for a checksum in one go: what is done stays done when a client gives up and asks again.</summary>
    private const long Step = 16 << 20;

    private const int BufferSize = 128 << 10;

    public ZipLayout Layout => layout;

    public long Length => layout.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new ZipReader(this, start, end, intent == ReadIntent.Playback ? ReadIntent.Download : intent);
    }

    public FileChecksum ChecksumOf(int entry) => checksums.Of(layout.Entries[entry].Item!);

    /// <exception cref="ContentException">The file cannot be had, or is not as long as it was.</exception>
    public async ValueTask<IContent> OpenAsync(int entry, CancellationToken cancellationToken)
    {
        var item = layout.Entries[entry].Item!;
        var content = await open(item, cancellationToken);
        return content.Length == item.Size
            ? content : throw new ContentException(ContentFault.Corrupt, $"{item.Name} has another size than the tree says.");
    }

    /// <summary>An entry's checksum; what is not known of it is read.</summary>
    /// <exception cref="ContentException">The file cannot be had.</exception>
    public async ValueTask<uint> CrcAsync(int entry, CancellationToken cancellationToken)
    {
        if (!layout.Entries[entry].HasDescriptor)
            return 0;
        var checksum = ChecksumOf(entry);
        if (checksum.Whole is { } known)
            return known;
        var size = layout.Entries[entry].Size;
        var content = await OpenAsync(entry, cancellationToken);
        var buffer = ArrayPool<byte>.Shared.Rent(BufferSize);
        try
        {
            while (checksum.Whole is null)
            {
                var (start, end) = checksum.Unknown(0, size);
                end = Math.Min(end, start + Step);

                checksum.Add(start, end, await ReadAsync(new SliceContent(content, start, end - start), buffer, cancellationToken));
            }

            return checksum.Whole.Value;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>The checksum of bytes that are read to their end, so that all of them are verified.</summary>
    private static async ValueTask<uint> ReadAsync(IContent content, byte[] buffer, CancellationToken cancellationToken)
    {
        await using var stream = new CombinedStream(content, ReadIntent.Download);
        uint crc = 0;
        while (await stream.ReadAsync(buffer, cancellationToken) is > 0 and var count)
            crc = Crc32.Append(crc, buffer.AsSpan(0, count));
        return crc;
    }
}
