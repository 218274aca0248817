using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>The start of an MP4 or QuickTime file (ISO/IEC 14496-12): all boxes but the data wherever they are, the first of the data, and
/// the titles of chapters.</summary>
internal static class Mp4Start
{
    /// <summary>More top boxes has a file in fragments alone, of which the first is enough.</summary>
    private const int MostBoxes = 32;

    /// <summary>The index of a film of three hours with many tracks has some MiB.</summary>
    private const long LargestBox = 16 << 20;

    /// <summary>Of the media's data.</summary>
    private const long Data = 2 << 20;

    /// <summary>Where a file in fragments names them once more (mfra).</summary>
    private const long Tail = 128 << 10;

    /// <param name="window">The file.</param>
    /// <param name="ranges">Gets what is wanted.</param>
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

        // Last: an index that is odd costs no more than the titles.
        await new Mp4Chapters(window).AddAsync(index, indexEnd, ranges, cancellationToken);
    }
}
