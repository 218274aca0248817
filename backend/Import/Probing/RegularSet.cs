using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>
/// A regular set of volumes: one stem, consecutive numbers, equal sizes except for the last volume. Only the first two volumes and the last
/// are read. The layout of the others is inferred from these, and readers verify it. Whether a set is regular is decided only here: for
/// posts by the sizes in the .nzb, for torrents by the lengths of the files.
/// </summary>
/// <remarks> Downloaders rely on the names in subjects, so numbers without a gap count as the order, however random the stem is. If the
/// names are random and have no numbers, only the volumes' headers show the order, and only the hashes in recovery data show the names:
/// then the first article of every volume is needed. If subject and yEnc header of a volume that was read disagree about its name, one of
/// them is made up, and all volumes are read as well. </remarks>
internal sealed class RegularSet
{
    /// <summary>
    /// Volumes at the beginning of the set that are read: the first has headers of its own, the second has those that all others have.
    /// </summary>
    private const int Front = 2;

    private RegularSet(IReadOnlyList<int> members) => Members = members;

    /// <summary>Indexes of all volumes in the list of files, in the set's order.</summary>
    public IReadOnlyList<int> Members { get; }

    /// <summary>Indexes of the volumes that are not read, in the set's order.</summary>
    public IEnumerable<int> Middle => Members.Skip(Front).SkipLast(1);

    /// <summary>
    /// The sets of a post that look regular in its .nzb. <see cref="Infer"/> confirms each set once its outer volumes have been read.
    /// </summary>
    public static IReadOnlyList<RegularSet> Find(IReadOnlyList<NzbFile> posted) =>
    [
        .. VolumeSeries.Find([.. posted.Select(file => file.FileName ?? "")])
            .Where(set => set.Skip(1).SkipLast(1).All(index => IsAlike(posted[set[0]], posted[index]))
                && posted[set[^1]].Segments.Length <= posted[set[0]].Segments.Length)
            .Select(set => new RegularSet(set)),
    ];

    /// <summary>The regular sets among files whose lengths are known.</summary>
    public static IReadOnlyList<RegularSet> Find(IReadOnlyList<(string Name, long Length)> files) =>
    [
        .. VolumeSeries.Find([.. files.Select(file => file.Name)])
            .Where(set => set.Skip(1).SkipLast(1).All(index => files[index].Length == files[set[1]].Length)
                && files[set[^1]].Length <= files[set[1]].Length)
            .Select(set => new RegularSet(set)),
    ];

    /// <summary>Infers the volumes in the middle from the others; null if those show that the set is not regular after all.</summary>
    /// <param name="posted">The post.</param>
    /// <param name="files">The files that were read, at the same indexes as in <paramref name="posted"/>.</param>
    public IReadOnlyList<ProbedFile>? Infer(IReadOnlyList<NzbFile> posted, ProbedFile?[] files)
    {
        if (files[Members[0]] is not { } first || files[Members[1]] is not { } second || files[Members[^1]] is not { } last)
            return null;
        if (!IsAsPosted(first) || !IsAsPosted(second) || !IsAsPosted(last))
            return null;
        var (header, articles) = (first.Header, first.Posted.Segments.Length);
        if (EvenPost.LastSize(header, articles) is not { } lastSize || second.Header.FileSize != header.FileSize
            || second.Header.PartSize != header.PartSize
            || last.Length > first.Length || (last.Posted.Segments.Length > 1 && last.Header.PartSize != header.PartSize))
            return null;
        return
        [
            .. Middle.Select(index =>
            {
                var file = posted[index];
                var told = new ArticleHeader(file.FileName!, header.FileSize, 1, articles, 0, header.PartSize);
                var inferred = new ProbedFile(file, told, EvenPost.Map(file, header.PartSize, lastSize)) { Verified = false };
                return inferred with { Inferred = inferred.ToInferred() };
            }),
        ];
    }

    /// <summary>True if its subject and its article state the same name, and its articles are where an even post has them.</summary>
    private static bool IsAsPosted(ProbedFile file) =>
        string.Equals(file.Header.Name, file.Posted.FileName, StringComparison.Ordinal) && file.Header.Begin == 0
            && file.Header.FileSize == file.Length
        && file.Map.Segments.Size(0) == file.Header.PartSize;

    private static bool IsAlike(NzbFile first, NzbFile other)
    {
        var (a, b) = (first.Segments, other.Segments);
        if (a.Length != b.Length)
            return false;
        for (var i = 0; i < a.Length; i++)
        {
            if (b[i].Number != i + 1 || !EvenPost.IsAbout(b[i].Bytes, a[i].Bytes))
                return false;
        }

        return true;
    }
}

/// <summary>
/// A posted file whose articles all have the same size except the last, as nearly all have. Its first article shows where all its bytes
/// are.
/// </summary>
internal static class EvenPost
{
    /// <summary>
    /// Encoded articles of the same decoded size differ by their escapes and headers: about 1.6 % of random bytes are escaped, ± a few
    /// tenths of a per cent.
    /// </summary>
    private const double EncodedTolerance = 0.04;
    private const int HeaderTolerance = 2048;

    /// <summary>
    /// Decoded bytes of the last article. Null if this number of articles cannot make an even post of the size in the first header: an
    /// article is missing from the .nzb, the sizes differ, or the size is made up. A size that fits is right, whatever number of articles
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
    public static bool IsAbout(double bytes, double expected) =>
        bytes > 0 && Math.Abs(bytes - expected) <= (expected * EncodedTolerance) + HeaderTolerance;

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
