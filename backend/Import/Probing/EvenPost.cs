using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>A posted file whose articles all have the same size except the last, as nearly all have. Its first article shows where all its bytes are.</summary>
internal static class EvenPost
{
    /// <summary>
    /// Encoded articles of the same decoded size differ by their escapes and headers: about 1.6 % of random bytes are escaped, ± a few tenths of a per cent.
    /// </summary>
    private const double EncodedTolerance = 0.04;
    private const int HeaderTolerance = 2048;

    /// <summary>
    /// Decoded bytes of the last article. Null if this number of articles cannot make an even post of the size in the first header: an article is
    /// missing from the .nzb, the sizes differ, or the size is made up. A size that fits is right, whatever number of articles
    /// the header names.
    /// </summary>
    /// <param name="first">The header of the first article.</param>
    /// <param name="articles">Number of articles in the .nzb.</param>
    public static int? LastSize(ArticleHeader first, int articles)
    {
        if (first.Begin != 0 || first.FileSize <= 0)
            return null;
        var last = first.FileSize - ((long)first.PartSize * (articles - 1));
        return last >= 1 && last <= first.PartSize && (articles > 1 || last == first.PartSize) ? (int)last : null;
    }

    /// <summary>True if an encoded size matches the expected one within the tolerance.</summary>
    public static bool IsAbout(double bytes, double expected) => bytes > 0 && Math.Abs(bytes - expected) <= (expected * EncodedTolerance) + HeaderTolerance;

    /// <summary>True if the encoded sizes in the .nzb fit. This confirms the size in the header without fetching another article.</summary>
    public static bool AgreesWithNzb(NzbFile posted, int partSize, int lastSize)
    {
        var first = (double)posted.Segments[0].Bytes;
        foreach (var segment in posted.Segments.AsSpan()[1..^1])
        {
            if (!IsAbout(segment.Bytes, first))
                return false;
        }

        return first > 0 && IsAbout(posted.Segments[^1].Bytes, first * lastSize / partSize);
    }

    /// <summary>The extent map of the whole file.</summary>
    public static ExtentMap Map(NzbFile posted, int partSize, int lastSize)
    {
        var table = new SegmentTable.Builder { PostedDay = posted.PostedDay };
        var last = posted.Segments.Length - 1;
        for (var i = 0; i <= last; i++)
            table.Add(posted.Segments[i].ArticleIdsUtf8.Span, (long)partSize * i, i < last ? partSize : lastSize);
        return ExtentMap.OfWholeSegments(table.Build());
    }
}
