using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>
/// The start of an AVI file: the headers, the beginning of the data, and the index, which comes after the data or
/// (<see cref="OpenDmlIndex"/>) is spread over the file.
/// </summary>
internal static class RiffStart
{
    private const int MostChunks = 64;
    private const int Header = 12;
    private const long Data = 2 << 20;

    /// <summary>Most bytes of the index. 16 bytes per frame: three hours with their sound have 5 MiB.</summary>
    private const long LargestIndex = 8 << 20;

    /// <param name="window">The file.</param>
    /// <param name="ranges">Receives the ranges.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async ValueTask AddAsync(MediaWindow window, StartRanges ranges, CancellationToken cancellationToken)
    {
        ranges.Add(0, Data);
        long at = 12;
        for (var chunks = 0; chunks < MostChunks && at + 8 <= window.Length; chunks++)
        {
            var bytes = await window.ReadAsync(at, Header, cancellationToken);
            var type = Bits.FourCc(bytes.Span, 0);
            long size = Bits.L32(bytes.Span, 4);
            if (type == "LIST" && Bits.FourCc(bytes.Span, 8) == "movi")
                ranges.Add(0, at + Data);
            else if (type == "LIST" && Bits.FourCc(bytes.Span, 8) == "hdrl")
                await OpenDmlIndex.AddAsync(window, at + 12, at + 8 + size, ranges, cancellationToken);
            else if (type == "idx1")
                ranges.Add(at, 8 + Math.Min(size, LargestIndex));
            at += 8 + size + (size & 1);
        }
    }
}

/// <summary>
/// The indexes of an AVI file of more than a gigabyte (OpenDML AVI File Format Extensions 1.02, "AVI Index Chunks"). An <c>indx</c> chunk
/// in each stream's header names parts of the index all over the file, and players read every part when they open the file.
/// </summary>
internal static class OpenDmlIndex
{
    private const int MostChunks = 256;

    /// <summary>Most parts of one stream. A part covers about a gigabyte, so this is enough for a quarter of a terabyte.</summary>
    private const int MostParts = 256;

    /// <summary>Bytes of an <c>indx</c> chunk before its entries, without id and size.</summary>
    private const int Head = 24;

    /// <summary>Bytes of an entry: offset (8), size (4), duration (4).</summary>
    private const int Entry = 16;

    /// <summary>AVI_INDEX_OF_INDEXES, the value of bIndexType.</summary>
    private const int IndexOfIndexes = 0;

    /// <param name="window">The file.</param>
    /// <param name="at">Offset of the first chunk in the list of headers (<c>hdrl</c>).</param>
    /// <param name="end">End of that list.</param>
    /// <param name="ranges">Receives each part of the index.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static ValueTask AddAsync(MediaWindow window, long at, long end, StartRanges ranges, CancellationToken cancellationToken) =>
        WalkAsync(window, at, end, isStream: false, ranges, cancellationToken);

    private static async ValueTask WalkAsync(
        MediaWindow window, long at, long end, bool isStream, StartRanges ranges, CancellationToken cancellationToken)
    {
        end = Math.Min(end, window.Length);
        for (var chunks = 0; chunks < MostChunks && at + 8 <= end; chunks++)
        {
            var bytes = await window.ReadAsync(at, 12, cancellationToken);
            var type = Bits.FourCc(bytes.Span, 0);
            long size = Bits.L32(bytes.Span, 4);
            if (!isStream && type == "LIST" && Bits.FourCc(bytes.Span, 8) == "strl")
                await WalkAsync(window, at + 12, Math.Min(end, at + 8 + size), isStream: true, ranges, cancellationToken);
            else if (isStream && type == "indx")
                await AddPartsAsync(window, at + 8, Math.Min(end - at - 8, size), ranges, cancellationToken);
            at += 8 + size + (size & 1);
        }
    }

    private static async ValueTask AddPartsAsync(
        MediaWindow window, long at, long size, StartRanges ranges, CancellationToken cancellationToken)
    {
        var bytes = await window.ReadAsync(at, (int)Math.Min(size, Head + (MostParts * Entry)), cancellationToken);

        // wLongsPerEntry (2), bIndexSubType (1), bIndexType (1), nEntriesInUse (4), dwChunkId (4), 12 reserved.
        if (Bits.L16(bytes.Span, 0) != Entry / 4 || Bits.U8(bytes.Span, 3) != IndexOfIndexes)
            return;
        var count = Math.Min(Bits.L32(bytes.Span, 4), MostParts);
        for (var i = 0; i < count && Head + ((i + 1) * Entry) <= bytes.Length; i++)
        {
            var entry = bytes.Span[(Head + (i * Entry))..];
            var offset = ((ulong)Bits.L32(entry, 4) << 32) | Bits.L32(entry, 0);
            if (offset <= (ulong)window.Length)
                ranges.Add((long)offset, 8L + Bits.L32(entry, 8));
        }
    }
}
