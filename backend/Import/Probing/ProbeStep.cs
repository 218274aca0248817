using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>
/// Fetches the first article of each file, which shows its name, its size and its first bytes. Together with the last article it shows
/// where all the file's bytes are (<see cref="FileProbe"/>). Of a <see cref="RegularSet"/> only three volumes are fetched; for the others
/// STAT shows whether they exist.
/// </summary>
internal sealed partial class ProbeStep(ImportTools tools, ArticleSurvey survey, Action<int> progress)
{
    /// <summary>
    /// Files that are probed at a time. With articles of 700 KB that is more than the default budget holds at once, so that the budget and
    /// the dispatcher limit the rate, whatever the speed of the connection.
    /// </summary>
    private const int MaxFilesAtOnce = 96;

    /// <summary>Most encoded bytes of an article without data, including its headers.</summary>
    private const int MostOfEmpty = 1024;

    /// <summary>Most files of one name that count as copies: the same file is not posted more often.</summary>
    private const int MostCopies = 3;

    /// <summary>
    /// A minor file has at most this share of the job's bytes, and at most <see cref="MinorOfBiggest"/> of those of the job's biggest file.
    /// </summary>
    private const double MinorOfJob = 0.02;
    private const double MinorOfBiggest = 0.05;

    /// <summary>Extensions of files that a release does not need, whatever their size.</summary>
    private static readonly string[] Accessories = [
        ".par2", ".sfv", ".nfo", ".nzb", ".txt", ".url", ".jpg", ".png", ".md5", ".srr", ".srs"];

    private int _done;

    /// <param name="document">The job's .nzb.</param>
    /// <param name="infers">False: every file is probed, and no volumes are inferred.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    public async Task<StepResult<IReadOnlyList<ProbedFile>>> RunAsync(
        NzbDocument document, bool infers, CancellationToken cancellationToken)
    {
        var posted = await new CopyCheck(tools).RunAsync(RecoveryFiles.Needed(document.Files, tools.Options), cancellationToken);
        var files = new ProbedFile?[posted.Count];
        var sets = infers ? RegularSet.Find(posted) : [];
        var left = sets.SelectMany(set => set.Middle).ToHashSet();
        using var asked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var asking = StatFirstAsync(posted, [.. left], asked.Token);
        if (await ProbeAllAsync(
            posted, files, [.. Enumerable.Range(0, files.Length).Where(index => !left.Contains(index))], cancellationToken) is { } failure)
        {
            await asked.CancelAsync();
            await ((Task)asking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return failure;
        }

        var regular = new List<RegularSet>(sets.Count);
        foreach (var set in sets)
        {
            if (set.Infer(posted, files) is not { } inferred)
                continue;
            foreach (var (index, file) in set.Middle.Zip(inferred))
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
                files[set.Members[place]] = files[set.Members[place]]! with { Set = set, SetPlace = place };
        }

        var found = files.OfType<ProbedFile>().ToArray();
        return found.Length > 0 ? new StepResult<IReadOnlyList<ProbedFile>>(await new PostedTwice(tools).RunAsync(found, cancellationToken),
            Failure: null) : new ImportFailure(ImportFailure.Missing, "None of the files of this post is available any more.");
    }

    /// <summary>
    /// Sends STAT for the first articles of files that are not fetched. That costs no payload, and no time beside the fetches. A set that
    /// lacks a volume is refused as if the volume had been fetched.
    /// </summary>
    /// <returns>The files whose articles were denied. They have to be fetched, because some servers deny articles that they have.</returns>
    private async Task<(IEnumerable<int> Denied, ImportFailure? Failure)> StatFirstAsync(
        IReadOnlyList<NzbFile> posted, int[] indexes, CancellationToken cancellationToken)
    {
        var stats = await Task.WhenAll(
            indexes.Select(index => tools.Usenet.StatAsync(posted[index].KeyOf(0), FetchPriority.Import, cancellationToken)));
        var silent = Array.FindIndex(stats, stat => stat.Fault is not (null or ContentFault.Missing));
        return silent >= 0
            ? ([], ImportFailure.OfArticles(ImportFailure.Unavailable, FileProbe.NameOf(posted[indexes[silent]]), stats[silent].Reason))
            : (indexes.Where((_, i) => stats[i].Fault == ContentFault.Missing), null);
    }

    /// <summary>Probes the files with these indexes. Returns the failure that ends the job; null if there is none.</summary>
    private async Task<ImportFailure?> ProbeAllAsync(
        IReadOnlyList<NzbFile> posted, ProbedFile?[] files, int[] indexes, CancellationToken cancellationToken)
    {
        ImportFailure? failure = null;
        var probe = new FileProbe(tools, survey, files.Length);
        var parts = new PartFiles();
        var dead = new ConcurrentBag<(int Index, ImportFailure Failure)>();
        var names = new Lazy<ILookup<(string? Name, int Articles), int>>(() => Enumerable.Range(0, posted.Count)
            .ToLookup(index => (posted[index].FileName?.ToUpperInvariant(), posted[index].Segments.Length)));
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = MaxFilesAtOnce, CancellationToken = stop.Token };
            await Parallel.ForAsync(0, indexes.Length, options, async (i, token) =>
            {
                var index = indexes[i];
                var (file, fault, part) = await probe.RunAsync(posted[index], isWhole: false, token);
                files[index] = file;
                progress((int)(Interlocked.Increment(ref _done) * 1000L / files.Length));
                if (fault is null)
                    return;
                if (part is not null)
                {
                    parts.Add(index, posted[index], part, fault);
                    return;
                }

                if (MaySkip(posted, posted[index], fault))
                    return;

                if (!fault.IsTransient && Copies(names.Value, posted[index], index).Any())
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

        if (failure is null && await JoinAsync(posted, files, parts, probe, cancellationToken) is { } torn)
            return torn;

        // Files are posted again if an upload was incomplete: one available copy is enough.
        foreach (var (index, fault) in failure is null
            ? [.. dead.OrderBy(one => one.Index)] : Array.Empty<(int Index, ImportFailure Failure)>())
        {
            if (!Copies(names.Value, posted[index], index).Any(copy => files[copy] is not null))
                return fault;
            LogLeftOut(tools.Logger, FileProbe.NameOf(posted[index]), fault.Message);
        }

        return failure;
    }

    /// <summary>Joins and probes the files that were listed part by part.</summary>
    private async Task<ImportFailure?> JoinAsync(
        IReadOnlyList<NzbFile> posted, ProbedFile?[] files, PartFiles parts, FileProbe probe, CancellationToken cancellationToken)
    {
        foreach (var (index, joined, failure) in parts.Join())
        {
            var (file, fault, _) = joined is null ? (null, failure, null) : await probe.RunAsync(joined, isWhole: true, cancellationToken);
            files[index] = file;
            if (fault is not null && !MaySkip(posted, joined ?? posted[index], fault))
                return fault;
        }

        return null;
    }

    /// <summary>True if the post is still useful without this file; logs that.</summary>
    private bool MaySkip(IReadOnlyList<NzbFile> posted, NzbFile file, ImportFailure fault)
    {
        if (fault.IsTransient || posted.Count == 1 || !(IsAccessory(file) || IsMinor(posted, file) || IsEmpty(file, fault)))
            return false;
        LogLeftOut(tools.Logger, FileProbe.NameOf(file), fault.Message);
        return true;
    }

    /// <summary>
    /// Other files that have the same name and number of articles. None if more than <see cref="MostCopies"/> files share them.
    /// </summary>
    private static IEnumerable<int> Copies(ILookup<(string? Name, int Articles), int> names, NzbFile posted, int index)
    {
        var same = names[(posted.FileName?.ToUpperInvariant(), posted.Segments.Length)];
        return posted.FileName is null || same.Skip(MostCopies).Any() ? [] : same.Where(other => other != index);
    }

    /// <summary>
    /// True for a posted empty file. Uploads of whole folders contain empty files as an article with a header and nothing else, which is no
    /// yEnc part. A file with a number as its extension may be the last part of another, even if it is small, so it does not count.
    /// </summary>
    private static bool IsEmpty(NzbFile posted, ImportFailure fault) =>
        fault.Code == ImportFailure.Corrupt && posted is { Segments.Length: 1, Bytes: > 0 and <= MostOfEmpty }
            && FileExtension.Of(posted.FileName ?? "") is not [_, >= '0' and <= '9', ..];

    /// <summary>
    /// True for a file that is small compared with the rest and no part of another, such as subtitles or notes with a random name. If the
    /// file is a volume whose name does not show it, reading the archives reveals that it is missing.
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
