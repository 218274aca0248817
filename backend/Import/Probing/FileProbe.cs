using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Files;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>
/// Finds out where the bytes of a posted file are, from its first and its last article; in a post of few files these are fetched at the
/// same time. Uses bisection (<c>LayoutProbe</c>) if the two articles do not fit together.
/// </summary>
/// <param name="tools">Services and options of the job.</param>
/// <param name="survey">Records which articles were fetched.</param>
/// <param name="files">Number of files in the post.</param>
internal sealed class FileProbe(ImportTools tools, ArticleSurvey survey, int files)
{
    /// <summary>
    /// Up to this many files, the last article of each is fetched too: players read it right after the first. With more files that would
    /// double the work of the import.
    /// </summary>
    private const int LastOfFew = 8;

    /// <summary>Most places of a file where articles are missing from the .nzb. A post with more is dead.</summary>
    private const int MostGaps = 16;

    /// <summary>Bytes kept from the start of each file: PAR2 hashes this many, and they hold the headers of every archive.</summary>
    private const int HeadBytes = 16 << 10;

    /// <summary>
    /// Up to this many files, <see cref="HeadBytes"/> are kept of each. With more files only <see cref="SmallHead"/> are kept, enough for
    /// the type: 250,000 whole heads would take 4 GB.
    /// </summary>
    private const int WholeHeads = 4096;
    private const int SmallHead = 512;

    private int HeadSize => files <= WholeHeads ? HeadBytes : SmallHead;

    /// <summary>The name of a file for messages.</summary>
    public static string NameOf(NzbFile posted) => posted.FileName ?? posted.Subject;

    /// <param name="posted">The file.</param>
    /// <param name="isWhole">True: one article is the whole file, whatever its header says.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>The file, or why it cannot be read. The header is set if the file is one part of a longer one and the .nzb lists none of
    /// the other parts here.</returns>
    public async Task<(ProbedFile? File, ImportFailure? Failure, ArticleHeader? Part)> RunAsync(
        NzbFile posted, bool isWhole, CancellationToken cancellationToken)
    {
        var ahead = FetchesLast(posted, files)
            ? tools.Usenet.ProbeAsync(posted.KeyOf(posted.Segments.Length - 1), FetchPriority.Import, headBytes: 0, cancellationToken)
            : null;
        var probe = await tools.Usenet.ProbeAsync(KeyOf(posted), FetchPriority.Import, HeadSize, cancellationToken);
        var end = ahead is null ? null : await ahead;
        if (probe.Fault == ContentFault.Unavailable)
            return (null, ImportFailure.OfArticles(ImportFailure.Unavailable, NameOf(posted), probe.Reason), null);
        if (!isWhole && posted.Segments.Length == 1 && probe.Header is { TotalParts: > 1 } part)
            return (null, ImportFailure.OfArticles(ImportFailure.Incomplete, NameOf(posted),
                $"The NZB lists one article of it, part {part.Part} of {part.TotalParts}."), part);
        if (probe.Header is not null)
            survey.Found(posted.Segments[0].ArticleIds);
        survey.Ended(posted.Segments[0].ArticleIds, probe.Fault);
        survey.Ended(posted.Segments[^1].ArticleIds, end?.Fault);
        (var complete, var place, end) = await CompleteAsync(tools.Usenet, posted, probe, end, cancellationToken);
        var asked = new Dictionary<int, ArticleProbe> { [place] = probe };
        if (end is not null)
            asked[complete == posted ? posted.Segments.Length - 1 : place + posted.Segments[^1].Number - posted.Segments[0].Number] = end;
        var (file, failure) = await RunAsync(complete, place, asked, cancellationToken);
        return (file, failure, null);
    }

    /// <summary>True if the last article of a file is fetched beside the first.</summary>
    /// <param name="posted">The file.</param>
    /// <param name="files">Number of files in the post.</param>
    public static bool FetchesLast(NzbFile posted, int files) => files <= LastOfFew && posted.Segments.Length > 1;

    /// <summary>The key of the first listed article. Its offset is known to be 0 only if the .nzb lists part 1.</summary>
    internal static SegmentKey KeyOf(NzbFile posted) =>
        posted.Segments[0].Number <= 1 ? posted.KeyOf(0) with { Begin = 0 } : posted.KeyOf(0);

    /// <summary>
    /// Like <see cref="Complete"/>, but also fetches the last listed article if some seem to be missing: the numbers in the .nzb may hide
    /// which.
    /// </summary>
    internal static async Task<(NzbFile File, int Place, ArticleProbe? End)> CompleteAsync(
        UsenetClient usenet, NzbFile posted, ArticleProbe first, ArticleProbe? end, CancellationToken cancellationToken)
    {
        var (complete, place) = Complete(posted, first.Header, end?.Header);
        if (complete == posted || end is not null || posted.Segments.Length == 1)
            return (complete, place, end);
        end = await usenet.ProbeAsync(posted.KeyOf(posted.Segments.Length - 1), FetchPriority.Import, headBytes: 0, cancellationToken);
        (complete, place) = Complete(posted, first.Header, end.Header);
        return (complete, place, end);
    }

    /// <summary>
    /// The file with an article for every part that it must have, according to the numbers in the .nzb and the first available header. A
    /// part that the .nzb does not list is a hole, like an article that no server has.
    /// </summary>
    /// <returns>The file, and the index in it of the first listed article.</returns>
    /// <param name="posted">The file as the .nzb lists it.</param>
    /// <param name="first">The header of the first listed article; null if it is not available.</param>
    /// <param name="end">The header of the last listed article; null if it is not available or was not requested.</param>
    internal static (NzbFile File, int Place) Complete(NzbFile posted, ArticleHeader? first, ArticleHeader? end = null)
    {
        // The .nzb may list the articles in another order than the parts, or number them without gaps where some are missing.
        if (first is { Part: > 0 } && end is { Part: > 0 }
            && end.Part - first.Part != posted.Segments[^1].Number - posted.Segments[0].Number)
            return (posted, 0);
        var (low, high, listed) = (posted.Segments[0].Number, posted.Segments[^1].Number, posted.Segments.Length);
        var shift = first is { Part: > 0 } ? first.Part - low : low == 0 ? 1 : 0;
        var last = (long)high + shift;
        var count = first is { HasFakeTotals: true } ? last
            : first is { TotalParts: > 0 } ? first.TotalParts
            : Math.Max(last, posted.SubjectParts.PartCount ?? 0);

        // If more than half of the parts are not listed, the header belongs to another file, or the post is dead.
        return count > listed && count <= 2L * listed && last <= count && low + shift >= 1
            ? (posted.WithUnlisted((int)count, shift), low + shift - 1) : (posted, 0);
    }

    /// <param name="posted">The file with all its articles.</param>
    /// <param name="place">Index of the first article that the .nzb lists.</param>
    /// <param name="asked">The articles requested so far, by index; the one at <paramref name="place"/> is among them.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    private async Task<(ProbedFile? File, ImportFailure? Failure)> RunAsync(
        NzbFile posted, int place, Dictionary<int, ArticleProbe> asked, CancellationToken cancellationToken)
    {
        var segments = posted.Segments;
        var last = segments.Length - 1;
        if (place == 0 && asked[0].Header is { } first && EvenPost.LastSize(first, segments.Length) is { } lastSize)
        {
            var map = EvenPost.Map(posted, first.PartSize, lastSize);
            if (last == 0 || (files > LastOfFew && EvenPost.AgreesWithNzb(posted, first.PartSize, lastSize)))
                return (Found(posted, first, map, asked[0].Head, verified: last == 0), null);

            // Only now is it known which part the last article must be. If another part arrived, other providers may have the right one.
            var key = posted.KeyOf(last) with { Begin = (long)first.PartSize * last, Size = lastSize };
            if (!asked.TryGetValue(last, out var end) || (end.Header is { } found && !key.Matches(found.Begin, found.PartSize)))
                end = await tools.Usenet.ProbeAsync(key, FetchPriority.Import, headBytes: 0, cancellationToken);
            if (end.Fault == ContentFault.Unavailable)
                return (null, ImportFailure.OfArticles(ImportFailure.Unavailable, NameOf(posted), end.Reason));
            if (end.Header is not { } header)
                return (Found(posted, first, map, asked[0].Head, verified: false), null);
            if (key.Matches(header.Begin, header.PartSize))
            {
                survey.Found(key.Id);
                return (Found(posted, first, map, asked[0].Head, verified: true), null);
            }

            asked[last] = end;
        }

        return await LayOutAsync(posted, asked, cancellationToken);
    }

    /// <summary>
    /// Lays out a file. Where the offsets of its articles show that the .nzb lacks some, these are holes (<see cref="NzbFile.WithGap"/>).
    /// Only the count in the subject shows an article behind the last listed one, and it may be made up: it counts once a repair has
    /// reconstructed such an article.
    /// </summary>
    /// <param name="usenet">The providers.</param>
    /// <param name="posted">The file.</param>
    /// <param name="asked">Articles requested already, by index.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>The file with its holes, its layout, and the requested articles by their index in it.</returns>
    internal static async Task<(NzbFile Posted, PostLayout Layout, Dictionary<int, ArticleProbe> Asked)> LayOutAsync(
        UsenetClient usenet, NzbFile posted, Dictionary<int, ArticleProbe> asked, CancellationToken cancellationToken)
    {
        var missing = posted.SubjectParts.PartCount - posted.Segments.Length;
        if (missing > 0 && missing <= posted.Segments.Length && posted.WithGap(posted.Segments.Length, missing.Value) is var counted
            && usenet.HasPatch(counted.Segments[^1].ArticleIds))
            posted = counted;
        var counts = posted.SubjectParts.PartCount;
        var layout = await usenet.LayOutAsync(Ids(posted), FetchPriority.Import, posted.PostedDay, counts, asked, cancellationToken);
        var (file, probes, listed) = (posted, asked, layout);
        for (var gaps = 0; layout is { Segments: null, Gap: { } gap } && gaps < MostGaps; gaps++)
        {
            file = file.WithGap(gap.Index, gap.Count);
            if (file.Segments.Length > 2 * posted.Segments.Length)
                break;
            probes = probes.ToDictionary(pair => pair.Key < gap.Index ? pair.Key : pair.Key + gap.Count, pair => pair.Value);
            layout = await usenet.LayOutAsync(Ids(file), FetchPriority.Import, file.PostedDay, counts, probes, cancellationToken);
        }

        return layout.Segments is null ? (posted, listed, asked) : (file, layout, probes);
    }

    private static string[] Ids(NzbFile posted) => [.. posted.Segments.Select(segment => segment.ArticleIds)];

    private async Task<(ProbedFile? File, ImportFailure? Failure)> LayOutAsync(NzbFile posted, Dictionary<int, ArticleProbe> asked,
        CancellationToken cancellationToken)
    {
        (posted, var layout, asked) = await LayOutAsync(tools.Usenet, posted, asked, cancellationToken);
        var ids = Ids(posted);
        if (layout.Segments is { } segments)
        {
            // The .nzb may list the articles in another order.
            var first = Array.IndexOf(ids, segments.Id(0));
            var probe = asked.GetValueOrDefault(first);
            if (probe is null || (probe.Header is not null && probe.Head.IsEmpty))
                probe = await tools.Usenet.ProbeAsync(segments.Key(0), FetchPriority.Import, HeadSize, cancellationToken);
            return (Found(posted, layout.Header!, ExtentMap.OfWholeSegments(segments), probe.Head, verified: true), null);
        }

        var code = layout.Fault switch
        {
            ContentFault.Unavailable => ImportFailure.Unavailable,
            ContentFault.Corrupt => ImportFailure.Corrupt,
            ContentFault.Missing when layout.Header is not null => ImportFailure.Incomplete,
            _ => ImportFailure.Missing,
        };
        return (null, ImportFailure.OfArticles(code, NameOf(posted), layout.Reason));
    }

    private ProbedFile Found(NzbFile posted, ArticleHeader header, ExtentMap map, ReadOnlyMemory<byte> head, bool verified)
    {
        foreach (var segment in posted.Segments)
        {
            if (segment.Copies == 0 && !tools.Usenet.HasPatch(segment.ArticleIds))
                survey.Ended(segment.ArticleIds, ContentFault.Missing);
        }

        return new ProbedFile(posted, header, map) { Head = head, Verified = verified };
    }
}

/// <summary>A posted file whose layout is known.</summary>
/// <param name="Posted">The file as the .nzb lists it.</param>
/// <param name="Header">The header of its first article, or of another one if the first is gone.</param>
/// <param name="Map">Where its bytes are: all its articles, one after the other.</param>
internal sealed record ProbedFile(NzbFile Posted, ArticleHeader Header, ExtentMap Map)
{
    /// <summary>Its first bytes, up to 16 KiB; fewer when the first article is smaller, none when it is gone.</summary>
    public ReadOnlyMemory<byte> Head { get; init; }

    /// <summary>False if its size and the offsets of its articles were computed from its first article.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>
    /// The inferred layout that readers have to verify; null unless it was inferred from other volumes of <see cref="Set"/>.
    /// </summary>
    public InferredVolume? Inferred { get; init; }

    /// <summary>The regular set to which this volume belongs; null if it is in none, or if all volumes of the set were read.</summary>
    public RegularSet? Set { get; init; }

    /// <summary>Index in <see cref="Set"/>, from 0.</summary>
    public int SetPlace { get; init; }

    public long Length => Map.Length;

    /// <summary>The data that readers have to verify if its layout, or only its archive headers, were inferred.</summary>
    public InferredVolume ToInferred() => new(Map.Segments.Key(0) with { Begin = 0 }, Header.Name, Header.FileSize);
}
