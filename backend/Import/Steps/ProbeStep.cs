using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// Asks for the first article of each file: what it is called, how big it is, what it begins with. Where a post is regular that tells where all its
/// bytes are; of a few files the last article is asked for beside it, and an irregular post is laid out by bisection (<c>LayoutProbe</c>). Of a long set of volumes that looks
/// regular (<see cref="RegularSeries"/>) only three are fetched; of the others it is asked whether they are there.
/// </summary>
internal sealed partial class ProbeStep(ImportTools tools, ArticleSurvey survey, Action<int> progress)
{
    /// <summary>
    /// Files looked at together: with articles of 700 KB more than the default budget holds at once, so that it is the budget and the dispatcher that
    /// set the pace on every line.
    /// </summary>
    private const int Together = 96;

    /// <summary>Up to so many files the last article of each is asked for: players read it right after the first. Of more it would double the import.</summary>
    private const int LastOfFew = 8;

    /// <summary>Bytes kept of each file: what PAR2 takes its hash of; enough for the headers of every archive.</summary>
    private const int HeadBytes = 16 << 10;

    /// <summary>Up to so many files; of more only what tells their type: 250,000 heads would take 4 GB.</summary>
    private const int WholeHeads = 4096;
    private const int SmallHead = 512;

    /// <summary>Encoded bytes of an article that holds nothing, with its headers.</summary>
    private const int MostOfEmpty = 1024;

    /// <summary>As often nobody posts the same file.</summary>
    private const int MostCopies = 3;

    /// <summary>A file that takes at most this share of the job's bytes, and of its biggest file's, is not what the job is for.</summary>
    private const double MinorOfJob = 0.02;
    private const double MinorOfBiggest = 0.05;

    /// <summary>What a release can do without, whatever its size.</summary>
    private static readonly string[] Accessories = [".par2", ".sfv", ".nfo", ".nzb", ".txt", ".url", ".jpg", ".png", ".md5", ".srr", ".srs"];

    private int _done;

    /// <param name="document">The job's .nzb.</param>
    /// <param name="reckon">False: every file is fetched.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    public async Task<StepResult<IReadOnlyList<ProbedFile>>> RunAsync(NzbDocument document, bool reckon, CancellationToken cancellationToken)
    {
        var posted = Recovery.Needed(document.Files, tools.Options);
        var files = new ProbedFile?[posted.Count];
        var series = reckon ? RegularSeries.Find(posted) : [];
        var left = series.SelectMany(set => set.Middle).ToHashSet();
        using var asked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var asking = AskAsync(posted, [.. left], asked.Token);
        if (await ProbeAllAsync(posted, files, [.. Enumerable.Range(0, files.Length).Where(index => !left.Contains(index))], cancellationToken) is { } failure)
        {
            await asked.CancelAsync();
            await ((Task)asking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return failure;
        }

        var regular = new List<RegularSeries>(series.Count);
        foreach (var set in series)
        {
            if (set.Reckon(posted, files) is not { } reckoned)
                continue;
            foreach (var (index, file) in set.Middle.Zip(reckoned))
                files[index] = file;
            regular.Add(set);
        }

        var unknown = left.Where(index => files[index] is null).ToArray();
        var (denied, silent) = await asking;
        if (silent is not null)
            return silent;
        if (await ProbeAllAsync(posted, files, [.. unknown.Union(denied).Order()], cancellationToken) is { } gone)
            return gone;
        foreach (var set in regular)
        {
            for (var place = 0; place < set.Members.Count; place++)
                files[set.Members[place]] = files[set.Members[place]]! with { Series = set, SeriesPlace = place };
        }

        var found = files.OfType<ProbedFile>().ToArray();
        return found.Length > 0 ? found : new ImportFailure(ImportFailure.Missing, "None of the files of this post can be had any more.");
    }

    /// <summary>
    /// Asks whether the first articles of files that are not fetched exist, which costs no payload and no time beside the others: a set that lacks a volume is refused as one that
    /// was fetched.
    /// </summary>
    /// <returns>Those that are denied, to be fetched: some servers deny what they have.</returns>
    private async Task<(IEnumerable<int> Denied, ImportFailure? Failure)> AskAsync(IReadOnlyList<NzbFile> posted, int[] indexes, CancellationToken cancellationToken)
    {
        var stats = await Task.WhenAll(indexes.Select(index => tools.Usenet.StatAsync(posted[index].Segments[0].MessageId, FetchPriority.Import, cancellationToken)));
        var silent = Array.FindIndex(stats, stat => stat.Outcome is not (SegmentOutcome.Found or SegmentOutcome.Missing));
        return silent >= 0
            ? ([], ImportFailure.OfArticles(ImportFailure.Unavailable, NameOf(posted[indexes[silent]]), stats[silent].Reason))
            : (indexes.Where((_, i) => stats[i].Outcome == SegmentOutcome.Missing), null);
    }

    /// <summary>Fetches what is told by index; null unless the job fails for it.</summary>
    private async Task<ImportFailure?> ProbeAllAsync(IReadOnlyList<NzbFile> posted, ProbedFile?[] files, int[] indexes, CancellationToken cancellationToken)
    {
        ImportFailure? failure = null;
        var dead = new ConcurrentBag<(int Index, ImportFailure Failure)>();
        var names = new Lazy<ILookup<(string? Name, int Articles), int>>(() => Enumerable.Range(0, posted.Count).ToLookup(index => (posted[index].FileName?.ToUpperInvariant(), posted[index].Segments.Length)));
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = stop.Token };
            await Parallel.ForAsync(0, indexes.Length, options, async (i, token) =>
            {
                var index = indexes[i];
                var (file, fault) = await ProbeAsync(posted[index], files.Length, token);
                files[index] = file;
                progress((int)(Interlocked.Increment(ref _done) * 1000L / files.Length));
                if (fault is null)
                    return;
                if (!fault.Passing && files.Length > 1 && (IsAccessory(posted[index]) || IsMinor(posted, posted[index]) || IsEmpty(posted[index], fault)))
                {
                    LogLeftOut(tools.Logger, NameOf(posted[index]), fault.Message);
                    return;
                }

                if (!fault.Passing && Copies(names.Value, posted[index], index).Any())
                {
                    dead.Add((index, fault));
                    return;
                }

                Interlocked.CompareExchange(ref failure, fault, null);
                await stop.CancelAsync();
            });
        }
        catch (OperationCanceledException) when (failure is not null && !cancellationToken.IsCancellationRequested)
        {
        }

        // What was posted again because it had not come through: one that is there will do.
        foreach (var (index, fault) in failure is null ? [.. dead.OrderBy(one => one.Index)] : Array.Empty<(int Index, ImportFailure Failure)>())
        {
            if (!Copies(names.Value, posted[index], index).Any(copy => files[copy] is not null))
                return fault;
            LogLeftOut(tools.Logger, NameOf(posted[index]), fault.Message);
        }

        return failure;
    }

    /// <summary>Other files that have the same name and as many articles. A name that many have says nothing.</summary>
    private static IEnumerable<int> Copies(ILookup<(string? Name, int Articles), int> names, NzbFile posted, int index)
    {
        var same = names[(posted.FileName?.ToUpperInvariant(), posted.Segments.Length)];
        return posted.FileName is null || same.Skip(MostCopies).Any() ? [] : same.Where(other => other != index);
    }

    /// <summary>Posters of a whole folder post its empty files too: an article with a header and nothing else, which is no yEnc part. What is numbered may be the last part of something, however small.</summary>
    private static bool IsEmpty(NzbFile posted, ImportFailure fault) =>
        fault.Code == ImportFailure.Corrupt && posted is { Segments.Length: 1, Bytes: > 0 and <= MostOfEmpty } && FileExtension.Of(posted.FileName ?? "") is not [_, >= '0' and <= '9', ..];

    private async Task<(ProbedFile? File, ImportFailure? Failure)> ProbeAsync(NzbFile posted, int files, CancellationToken cancellationToken)
    {
        var segments = posted.Segments;
        var last = segments.Length - 1;
        var headBytes = files <= WholeHeads ? HeadBytes : SmallHead;
        var ahead = TakesLast(posted, files) ? tools.Usenet.ProbeAsync(segments[last].MessageId, FetchPriority.Import, cancellationToken) : null;
        var probe = await tools.Usenet.ProbeAsync(new SegmentKey(segments[0].MessageId, 0, 0), FetchPriority.Import, headBytes, cancellationToken);
        var end = ahead is null ? null : await ahead;
        if (probe.Outcome == SegmentOutcome.Unavailable)
            return (null, ImportFailure.OfArticles(ImportFailure.Unavailable, NameOf(posted), probe.Reason));
        if (probe.Header is { } first)
        {
            survey.Found(segments[0].MessageId);
            if (RegularPost.LastSize(first, segments.Length) is { } lastSize)
            {
                if (last == 0 || (end is null && RegularPost.AgreesWithNzb(posted, first.PartSize, lastSize)))
                    return (Found(posted, first, RegularPost.Map(posted, first.PartSize, lastSize), probe.Head, verified: last == 0), null);

                // Only now it is known which part it must be: of one that is another, other providers may have the right copy.
                var key = new SegmentKey(segments[last].MessageId, (long)first.PartSize * last, lastSize);
                if (end is null || (end.Header is { } found && !key.Matches(found.Begin, found.PartSize)))
                    end = await tools.Usenet.ProbeAsync(key, FetchPriority.Import, headBytes: 0, cancellationToken);
                if (end.Outcome == SegmentOutcome.Unavailable)
                    return (null, ImportFailure.OfArticles(ImportFailure.Unavailable, NameOf(posted), end.Reason));
                if (end.Header is not { } header || key.Matches(header.Begin, header.PartSize))
                {
                    if (end.Header is not null)
                        survey.Found(key.Id);
                    return (Found(posted, first, RegularPost.Map(posted, first.PartSize, lastSize), probe.Head, verified: end.Header is not null), null);
                }
            }
        }

        var asked = new Dictionary<int, ArticleProbe> { [0] = probe };
        if (end is not null)
            asked[last] = end;
        return await LayOutAsync(posted, asked, cancellationToken);
    }

    /// <summary>True when the last article of a file is fetched beside the first.</summary>
    /// <param name="posted">The file.</param>
    /// <param name="files">How many the job has.</param>
    public static bool TakesLast(NzbFile posted, int files) => files <= LastOfFew && posted.Segments.Length > 1;

    private async Task<(ProbedFile? File, ImportFailure? Failure)> LayOutAsync(
        NzbFile posted, Dictionary<int, ArticleProbe> asked, CancellationToken cancellationToken)
    {
        var ids = new string[posted.Segments.Length];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = posted.Segments[i].MessageId;
        var layout = await tools.Usenet.LayOutAsync(ids, FetchPriority.Import, asked, cancellationToken);
        if (layout.Segments is { } segments)
            return (Found(posted, layout.Header!, ExtentMap.OfWholeSegments(segments), asked[0].Head, verified: true), null);
        var code = layout.Outcome switch
        {
            SegmentOutcome.Unavailable => ImportFailure.Unavailable,
            SegmentOutcome.Corrupt => ImportFailure.Corrupt,
            SegmentOutcome.Missing when layout.Header is not null => ImportFailure.Incomplete,
            _ => ImportFailure.Missing,
        };
        return (null, ImportFailure.OfArticles(code, NameOf(posted), layout.Reason));
    }

    private static ProbedFile Found(NzbFile posted, ArticleHeader header, ExtentMap map, ReadOnlyMemory<byte> head, bool verified) =>
        new(posted, header, map) { Head = head, Verified = verified };

    private static string NameOf(NzbFile posted) => posted.FileName ?? posted.Subject;

    /// <summary>
    /// Small beside the rest and no part of anything: subtitles, notes under a name that means nothing. A volume that is left out because its name does not show what it is
    /// is missed when the archives are read.
    /// </summary>
    private static bool IsMinor(IReadOnlyList<NzbFile> all, NzbFile file) =>
        file.Bytes <= MinorOfJob * all.Sum(one => one.Bytes) && file.Bytes <= MinorOfBiggest * all.Max(one => one.Bytes)
        && FileExtension.TypeOf(file.FileName ?? "") is not (FileType.Archive or FileType.Video or FileType.Disc)
        && FileExtension.Of(file.FileName ?? "") is not [_, >= '0' and <= '9', ..];

    private static bool IsAccessory(NzbFile posted) =>
        posted.FileName is { } name && Array.Exists(Accessories, extension => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    [LoggerMessage(201, LogLevel.Warning, "Left out {File}: {Reason}")]
    private static partial void LogLeftOut(ILogger logger, string file, string reason);
}
