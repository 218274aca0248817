using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>
/// The start of an MP4 or QuickTime file (ISO/IEC 14496-12): all boxes but the data, wherever they are, the beginning of the data, and the
/// chapter titles.
/// </summary>
internal static class Mp4Start
{
    /// <summary>Most top-level boxes. Only fragmented files have more, and their first fragment is enough.</summary>
    private const int MostBoxes = 32;

    /// <summary>Most bytes of a box: the index of a film of three hours with many tracks has some MiB.</summary>
    private const long LargestBox = 16 << 20;

    /// <summary>Bytes of media data.</summary>
    private const long Data = 2 << 20;

    /// <summary>Bytes at the end, where a fragmented file lists its fragments again (mfra).</summary>
    private const long Tail = 128 << 10;

    /// <param name="window">The file.</param>
    /// <param name="ranges">Receives the ranges.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async ValueTask AddAsync(MediaWindow window, StartRanges ranges, CancellationToken cancellationToken)
    {
        long at = 0;
        long index = 0, indexEnd = 0;
        var hasData = false;
        for (var boxes = 0; boxes < MostBoxes && at < window.Length; boxes++)
        {
            if (Mp4Box.TryRead((await window.ReadAsync(at, Mp4Box.MostHeader, cancellationToken)).Span) is not { } box)
                break;
            var size = box.Size == 0 ? window.Length - at : box.Size;
            if (box.Type == "mdat")
            {
                if (!hasData)
                    ranges.Add(at, box.Header + Math.Min(size, Data));
                hasData = true;
            }
            else if (box.Type == "moof" && hasData)
            {
                ranges.Add(window.Length - Tail, Tail);
                break;
            }
            else
            {
                ranges.Add(at, Math.Min(size, box.Type is "free" or "skip" or "wide" ? box.Header : LargestBox));
                if (box.Type == "moov")
                    (index, indexEnd) = (at + box.Header, at + size);
            }

            at += size;
        }

        // Last, so that a malformed index costs no more than the titles.
        await new Mp4Chapters(window).AddAsync(index, indexEnd, ranges, cancellationToken);
    }
}
