namespace NzbDav.Library.Media;

/// <summary>
/// Reads at any place of a file, within bounds: headers that form a loop or claim to be huge end with <see cref="MediaLimitException"/>.
/// For one caller at a time.
/// </summary>
internal sealed class MediaWindow(Stream stream)
{
    /// <summary>
    /// Most bytes read of one file. Heads take a few KiB, the Tracks of a Matroska file with large private data some hundred KiB.
    /// </summary>
    private const int MostBytes = 8 << 20;

    /// <summary>Most reads of one file. Each may cost an article.</summary>
    private const int MostReads = 512;

    /// <summary>Bytes read at least, so that headers in a row do not cost a read each.</summary>
    private const int Block = 16 << 10;

    private byte[] _block = [];
    private long _blockAt;
    private int _bytes;
    private int _reads;

    public long Length { get; } = stream.Length;

    /// <summary>
    /// Bytes from an offset on. Fewer at the end of the file; none for a negative count, to which overlapping headers lead. Valid until the
    /// next read.
    /// </summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, int count, CancellationToken cancellationToken)
    {
        if (offset < 0 || offset >= Length || count <= 0)
            return ReadOnlyMemory<byte>.Empty;
        count = (int)Math.Min(count, Length - offset);
        if (offset < _blockAt || offset + count > _blockAt + _block.Length)
            await FillAsync(offset, (int)Math.Min(Length - offset, Math.Max(count, Block)), cancellationToken);
        return _block.AsMemory((int)(offset - _blockAt), count);
    }

    private async ValueTask FillAsync(long offset, int count, CancellationToken cancellationToken)
    {
        _bytes += count;
        if (_bytes > MostBytes || ++_reads > MostReads)
            throw new MediaLimitException();
        var block = new byte[count];
        stream.Position = offset;
        await stream.ReadExactlyAsync(block, cancellationToken);
        (_block, _blockAt) = (block, offset);
    }
}

/// <summary>A file's headers led to more reading than any valid file needs.</summary>
internal sealed class MediaLimitException : Exception;
