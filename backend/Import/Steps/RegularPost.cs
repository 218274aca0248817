using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>A post whose parts all have one size but the last: nearly every one. Its first article tells where all its bytes are.</summary>
internal static class RegularPost
{
    /// <summary>Encoded articles of one size differ by their escapes and headers: about 1.6 % of random bytes are escaped, ± a few tenths of a per cent.</summary>
    private const double EncodedTolerance = 0.04;
    private const int HeaderTolerance = 2048;

    /// <summary>
    /// Decoded bytes of the last article; null when this many articles cannot be a regular post of the size that the first one tells: one is
    /// missing in the .nzb, or the sizes differ.
    /// </summary>
    /// <param name="first">The header of the first article.</param>
    /// <param name="articles">How many the .nzb lists.</param>
    public static int? LastSize(ArticleHeader first, int articles)
    {
        if (first.Begin != 0 || first.FileSize <= 0 || (first.TotalParts > 0 && first.TotalParts != articles))
            return null;
        var last = first.FileSize - ((long)first.PartSize * (articles - 1));
        return last >= 1 && last <= first.PartSize && (articles > 1 || last == first.PartSize) ? (int)last : null;
    }

    /// <summary>True when an encoded size is what a known one lets expect.</summary>
    public static bool IsAbout(double bytes, double expected) => bytes > 0 && Math.Abs(bytes - expected) <= (expected * EncodedTolerance) + HeaderTolerance;

    /// <summary>True when the encoded sizes in the .nzb fit: a second opinion on the size that the header tells, for nothing.</summary>
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

    /// <summary>The map of the whole file.</summary>
    public static ExtentMap Map(NzbFile posted, int partSize, int lastSize)
    {
        var table = new SegmentTable.Builder { PostedDay = posted.PostedDay };
        var last = posted.Segments.Length - 1;
        for (var i = 0; i <= last; i++)
            table.Add(posted.Segments[i].ArticleIdsUtf8.Span, (long)partSize * i, i < last ? partSize : lastSize);
        return ExtentMap.OfWholeSegments(table.Build());
    }
}
