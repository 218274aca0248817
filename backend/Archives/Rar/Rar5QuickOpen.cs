using NzbDav.Archives.Volumes;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Rar;

/// <summary>
/// The copies of headers at the end of a RAR 5.0 archive ("Quick open header"). With them, the headers of many files cost one read instead
/// of one each. The walk still follows the sizes in the headers; it only uses a copy instead of a read at the same offset. So copies at
/// other offsets are useless but harmless. Used for one walk.
/// </summary>
internal sealed class Rar5QuickOpen
{
    /// <summary>Most bytes of all copies together: those of <see cref="RarLimits.MostBlocks"/> headers.</summary>
    private const int Most = 16 << 20;

    private readonly Dictionary<long, ReadOnlyMemory<byte>> _headers = [];

    private Rar5QuickOpen()
    {
    }

    /// <summary>"Main archive header", "Locator record": offset of the copies; null if the archive has none.</summary>
    /// <param name="main">The main archive header.</param>
    /// <param name="offset">Offset of that header.</param>
    public static long? Locate(in Rar5Block main, long offset)
    {
        var reader = new ByteReader(main.Extra);
        while (!reader.Rest.IsEmpty)
        {
            var record = new ByteReader(reader.Bytes(reader.Vint()));

            // "0x01: quick open record offset is present … distance from beginning of quick open service block to beginning of main archive
            // header"; 0 if the program had no room for it.
            if (record.Vint() == 1 && (record.Vint() & 1) != 0 && record.Vint() is > 0 and < int.MaxValue * 1024UL and var distance
                && !record.Failed)
                return offset + (long)distance;
            if (reader.Failed || record.Failed)
                break;
        }

        return null;
    }

    /// <summary>Reads the copies; null if they cannot be used.</summary>
    /// <param name="window">The volume.</param>
    /// <param name="offset">See <see cref="Locate"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="Content.ContentException">The bytes cannot be read.</exception>
    public static async ValueTask<Rar5QuickOpen?> ReadAsync(VolumeWindow window, long offset, CancellationToken cancellationToken)
    {
        var length = Rar5Block.LengthOf((await window.ReadAsync(offset, Rar5Block.PrefixLength, cancellationToken)).Span);
        if (length == 0
            || DataSizeOf((await window.ReadAsync(offset, length, cancellationToken)).Span) is not (> 0 and <= Most and var size))
            return null;

        // Read together with the end of the archive after it, which the walk reads next. Copied, because the window reuses its buffer.
        var bytes = (await window.ReadAsync(offset, length + size + Rar5Block.EndLength, cancellationToken)).ToArray();
        if (bytes.Length < length + size)
            return null;
        var copies = new Rar5QuickOpen();
        copies._headers[offset] = bytes.AsMemory(0, length);
        copies.ParseCache(bytes.AsMemory(length, size), offset);
        return copies;
    }

    /// <summary>Returns the copy of the header at an offset of the volume.</summary>
    public bool TryGet(long offset, out ReadOnlyMemory<byte> header) => _headers.TryGetValue(offset, out header);

    /// <summary>The data size of a stored "Service header" named QO; 0 for anything else.</summary>
    private static int DataSizeOf(ReadOnlySpan<byte> header)
    {
        if (!Rar5Block.TryParse(header, out var block) || block.Type != 3 || block.DataSize > Most)
            return 0;
        var reader = new ByteReader(block.Fields);
        var flags = reader.Vint();
        reader.Vint();
        reader.Vint();
        reader.Skip((flags & 2) != 0 ? 4UL : 0);
        reader.Skip((flags & 4) != 0 ? 4UL : 0);
        var compression = reader.Vint();
        reader.Vint();
        return reader.Bytes(reader.Vint()).SequenceEqual("QO"u8) && !reader.Failed && (compression & 0x380) == 0 ? (int)block.DataSize : 0;
    }

    /// <summary>
    /// "Data cache structure": CRC-32, size, flags, distance back from the quick open header, length of the header, header.
    /// </summary>
    private void ParseCache(ReadOnlyMemory<byte> data, long offset)
    {
        while (!data.IsEmpty)
        {
            var reader = new ByteReader(data.Span);
            var crc = reader.U32();
            var sized = reader.Rest;
            var structure = reader.Bytes(reader.Vint());
            var checkedLength = sized.Length - reader.Rest.Length;
            if (reader.Failed || Crc32.Append(0, sized[..checkedLength]) != crc)
                return;
            var fields = new ByteReader(structure);
            fields.Vint();
            var distance = fields.Vint();
            var header = fields.Bytes(fields.Vint());
            if (fields.Failed || distance > (ulong)offset || Rar5Block.LengthOf(header) != header.Length
                || !Rar5Block.TryParse(header, out _))
                return;
            _headers[offset - (long)distance] = header.ToArray();
            data = data[(data.Length - reader.Rest.Length)..];
        }
    }
}
