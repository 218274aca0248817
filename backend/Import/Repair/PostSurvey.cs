using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Repair;

/// <summary>
/// Finds the files of a post, the layout of each, and which of its articles are gone: from two articles of each file, and STAT for all
/// articles.
/// </summary>
internal sealed class PostSurvey(ImportTools tools)
{
    private const int MaxFilesAtOnce = 16;
    private const int MaxArticlesAtOnce = 400;

    /// <summary>Bytes read from the start of each file: the header of a PAR2 packet.</summary>
    private const int HeadBytes = 64;

    /// <summary>
    /// An article of a published file, given as in <see cref="ArticleIds"/>: the parts contain that file as it was published. Null: none.
    /// </summary>
    public string? Article { get; init; }

    /// <returns>The files, with those that were posted more than once merged as the import merges them; none if the post has no recovery
    /// data; or why that cannot be found out now.</returns>
    public async Task<StepResult<IReadOnlyList<PostedPart>>> RunAsync(NzbDocument document, CancellationToken cancellationToken)
    {
        // The ids of articles are those in the maps of published files: readers ask for patches by these.
        var (known, listed) = KnownCopies.Find(document.Files, Article);
        var others = await new CopyCheck(tools).RunAsync([.. document.Files.Except(listed)], cancellationToken);
        NzbFile[] files = known is null ? [.. others] : [known, .. others];
        var silence = new ConcurrentBag<ImportFailure>();
        var probes = new ArticleProbe[files.Length];
        await Parallel.ForAsync(0, probes.Length, Parallelism(MaxFilesAtOnce, cancellationToken), async (i, token) =>
        {
            probes[i] = await tools.Usenet.ProbeAsync(FileProbe.KeyOf(files[i]), FetchPriority.Import, HeadBytes, token);
            if (probes[i].Fault == ContentFault.Unavailable)
                silence.Add(ImportFailure.OfArticles(ImportFailure.Unavailable, FileProbe.NameOf(files[i]), probes[i].Reason));
        });
        if (silence.TryTake(out var failure))
            return failure;
        if (!files.Any(static file => RecoveryFiles.IsPar2(file.FileName)) && !Array.Exists(probes, static probe => IsRecovery(probe)))
            return new StepResult<IReadOnlyList<PostedPart>>([], Failure: null);

        var parts = new PostedPart[probes.Length];
        await Parallel.ForAsync(0, parts.Length, Parallelism(MaxFilesAtOnce, cancellationToken), async (i, token) =>
        {
            // An article that the .nzb does not list is a hole, like one that no provider has.
            var (posted, place, _) = await FileProbe.CompleteAsync(tools.Usenet, files[i], probes[i], end: null, token);
            var probed = posted.Segments[place].ArticleIds;
            var asked = new Dictionary<int, ArticleProbe> { [place] = probes[i] };
            (posted, var layout, _) = await FileProbe.LayOutAsync(tools.Usenet, posted, asked, token);
            if (layout.Fault == ContentFault.Unavailable)
                silence.Add(ImportFailure.OfArticles(ImportFailure.Unavailable, FileProbe.NameOf(posted), layout.Reason));

            // Without a layout, the counts in the subjects give the number of its articles.
            if (layout.Segments is null && posted.SubjectParts.PartCount - posted.Segments.Length is > 0 and var missing
                && missing <= posted.Segments.Length)
                posted = posted.WithGap(posted.Segments.Length, missing);
            string[] ids = layout.Segments is { } places ? [.. Enumerable.Range(0, places.Count).Select(places.Id)]
                : [.. posted.Segments.Select(segment => segment.ArticleIds)];
            place = Array.IndexOf(ids, probed);
            parts[i] = new PostedPart(posted, layout.Header?.Name ?? FileProbe.NameOf(posted),
                layout.Segments is { } segments ? ExtentMap.OfWholeSegments(segments) : null)
            {
                Head = place == 0 ? probes[i].Head : default,

                // STAT may confirm an article that nobody delivers intact.
                Gone = probes[i].Fault is ContentFault.Missing or ContentFault.Corrupt
                    ? new HashSet<int> { place } : new HashSet<int>(),
            };
        });
        if (silence.TryTake(out failure))
            return failure;
        var apart = known is null ? 0 : 1;
        parts = [.. parts[..apart], .. await new PostedTwice(tools).RunAsync(parts[apart..], cancellationToken)];
        GuessPlaces(parts);
        return await FindGoneAsync(parts, cancellationToken) is { } silent
            ? silent : new StepResult<IReadOnlyList<PostedPart>>(parts, Failure: null);
    }

    private static bool IsRecovery(ArticleProbe probe) =>
        RecoveryFiles.IsPar2(probe.Header?.Name) || FileSignature.Of(probe.Head.Span).Type == FileType.Recovery;

    private static ParallelOptions Parallelism(int count, CancellationToken cancellationToken) =>
        new() { MaxDegreeOfParallelism = count, CancellationToken = cancellationToken };

    /// <summary>
    /// For a file whose first and last articles are both gone, assumes the article size of the post's other files. The size of its last
    /// article stays unknown until the file's length is known (see <see cref="PostedPart.OfLength"/>).
    /// </summary>
    private static void GuessPlaces(PostedPart[] parts)
    {
        var size = parts.Where(static part => part.Map is { Segments.Count: > 1 }).GroupBy(static part => part.Map!.Segments.Size(0))
            .MaxBy(static group => group.Count())?.Key;
        for (var i = 0; size is not null && i < parts.Length; i++)
        {
            if (parts[i].Map is null)
                parts[i] = parts[i] with { UsualSize = size.Value };
        }
    }

    private async Task<ImportFailure?> FindGoneAsync(PostedPart[] parts, CancellationToken cancellationToken)
    {
        var asked = parts.SelectMany(static (part, file) =>
            Enumerable.Range(0, part.Map?.Segments.Count ?? part.Posted.Segments.Length).Select(segment => (file, segment))).ToArray();
        var gone = new ConcurrentBag<(int File, int Segment)>();
        ImportFailure? failure = null;
        await Parallel.ForAsync(0, asked.Length, Parallelism(MaxArticlesAtOnce, cancellationToken), async (i, token) =>
        {
            var (file, segment) = asked[i];
            var answer = await tools.Usenet.StatAsync(parts[file].KeyOf(segment), FetchPriority.Import, token);
            if (answer.Fault == ContentFault.Missing)
                gone.Add((file, segment));
            else if (answer.Fault == ContentFault.Unavailable)
                Interlocked.CompareExchange(
                    ref failure, ImportFailure.OfArticles(ImportFailure.Unavailable, parts[file].Name, answer.Reason), null);
        });
        foreach (var file in gone.GroupBy(static one => one.File))
            parts[file.Key] = parts[file.Key]
                with
            { Gone = parts[file.Key].Gone.Union(file.Select(static one => one.Segment)).ToHashSet() };
        return failure;
    }
}

/// <summary>
/// Finds the posted file that holds an article of a published one. The article's ids show which listed articles the import found to be
/// copies of each other (<see cref="CopyCheck"/>, <see cref="PostedTwice"/>). Copies that are gone by now cannot be compared again.
/// </summary>
internal static class KnownCopies
{
    /// <returns>The file as it was published, null if unknown; and the files of the .nzb that it consists of.</returns>
    /// <param name="posted">The files that the .nzb lists.</param>
    /// <param name="article">The article, given as in <see cref="ArticleIds"/>; null: none.</param>
    public static (NzbFile? File, IReadOnlyList<NzbFile> Listed) Find(IReadOnlyList<NzbFile> posted, string? article)
    {
        var ids = ArticleIds.Split(article ?? "").ToHashSet(StringComparer.Ordinal);
        NzbFile[] listed = [.. posted.Where(file => file.Segments.Any(segment => ArticleIds.Split(segment.ArticleIds).Any(ids.Contains)))];
        if (listed.Length == 0)
            return (null, []);

        // Articles that the .nzb lists under one number may have turned out not to be copies.
        NzbFile[] files = [Join(listed), Join(listed.Select(static file => file.WithoutCopies()))];
        return Array.Find(files, file => file.Segments.Any(segment => segment.ArticleIds == article)) is { } file
            ? (file, listed) : (null, []);
    }

    private static NzbFile Join(IEnumerable<NzbFile> files) => files.Aggregate(static (one, other) => one.WithCopies(other));
}
