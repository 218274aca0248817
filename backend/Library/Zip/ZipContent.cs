using System.Buffers;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Zip;

/// <summary>
/// A folder as a .zip without compression. Its bytes are the same for each request, so ranges fit together. Checksums follow each file, and
/// are in the directory at the end: before a range with the checksum of a file that was not read completely, the rest of that file is read.
/// </summary>
/// <param name="layout">The offsets of all records.</param>
/// <param name="open">Opens a file.</param>
/// <param name="checksums">The known checksums of files.</param>
internal sealed class ZipContent(
    ZipLayout layout, Func<CatalogItem, CancellationToken, ValueTask<IContent>> open, FileChecksums checksums) : IContent
{
    /// <summary>Bytes read for a checksum at a time: completed steps remain when a client gives up and tries again.</summary>
    private const long Step = 16 << 20;

    private const int BufferSize = 128 << 10;

    public ZipLayout Layout => layout;

    public long Length => layout.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new ZipReader(this, start, end, intent == ReadIntent.Playback ? ReadIntent.Download : intent);
    }

    public FileChecksum ChecksumOf(int entry) => checksums.Of(layout.Entries[entry].Item!);

    /// <exception cref="ContentException">The file cannot be opened, or its length has changed.</exception>
    public async ValueTask<IContent> OpenAsync(int entry, CancellationToken cancellationToken)
    {
        var item = layout.Entries[entry].Item!;
        var content = await open(item, cancellationToken);
        return content.Length == item.Size
            ? content : throw new ContentException(ContentFault.Corrupt, $"{item.Name} has a different size than the tree says.");
    }

    /// <summary>An entry's checksum. Parts whose checksums are unknown are read.</summary>
    /// <exception cref="ContentException">The file cannot be read.</exception>
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
                var next = checksum.Unknown(new ByteSpan(0, size));
                next = next.Intersect(ByteSpan.OfLength(next.Start, Step));
                checksum.Add(next, await ReadAsync(new SliceContent(content, next.Start, next.Length), buffer, cancellationToken));
            }

            return checksum.Whole.Value;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>The checksum of a content that is read to its end, so that all of it is verified.</summary>
    private static async ValueTask<uint> ReadAsync(IContent content, byte[] buffer, CancellationToken cancellationToken)
    {
        await using var stream = new CombinedStream(content, ReadIntent.Download);
        uint crc = 0;
        while (await stream.ReadAsync(buffer, cancellationToken) is > 0 and var count)
            crc = Crc32.Append(crc, buffer.AsSpan(0, count));
        return crc;
    }
}
