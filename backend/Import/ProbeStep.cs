using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>Asks for the first and the last article of each file: what it is called, how big it is, where its bytes are.</summary>
internal sealed partial class ProbeStep(UsenetClient usenet, ILogger logger)
{
    /// <summary>Files looked at together: keeps all connections of an account busy; the dispatcher and the budget do the rest.</summary>
    private const int Together = 16;

    /// <summary>What a release can do without; anything else that is missing makes the job fail.</summary>
    private static readonly string[] Accessories = [".par2", ".sfv", ".nfo", ".nzb", ".txt", ".url", ".jpg", ".png", ".md5", ".srr", ".srs"];

    /// <param name="document">The job's .nzb.</param>
    /// <param name="progress">Told how many files are done.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    public async Task<(IReadOnlyList<ProbedFile> Files, ImportFailure? Failure)> RunAsync(NzbDocument document, Action<int> progress, CancellationToken cancellationToken)
    {
        var files = new ProbedFile?[document.Files.Length];
        ImportFailure? failure = null;
        var done = 0;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = stop.Token };
            await Parallel.ForAsync(0, files.Length, options, async (index, token) =>
            {
                var posted = document.Files[index];
                var (file, fault) = await ProbeAsync(posted, token);
                files[index] = file;
                progress(Interlocked.Increment(ref done));
                if (fault is null)
                    return;
                if (!fault.Passing && IsAccessory(posted) && files.Length > 1)
                {
                    LogLeftOut(logger, posted.FileName ?? posted.Subject, fault.Message);
                    return;
                }

                Interlocked.CompareExchange(ref failure, fault, null);
                await stop.CancelAsync();
            });
        }
        catch (OperationCanceledException) when (failure is not null && !cancellationToken.IsCancellationRequested)
        {
        }

        var found = files.OfType<ProbedFile>().ToArray();
        if (failure is null && found.Length == 0)
            failure = new ImportFailure(ImportFailure.Missing, "None of the files of this post can be had any more.");
        return (found, failure);
    }

    private async Task<(ProbedFile? File, ImportFailure? Failure)> ProbeAsync(NzbFile posted, CancellationToken cancellationToken)
    {
        var ids = new string[posted.Segments.Length];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = posted.Segments[i].MessageId;
        var layout = await usenet.LayOutAsync(ids, FetchPriority.Import, new Dictionary<int, ArticleHeader>(), cancellationToken);
        if (layout.Segments is { } segments)
            return (new ProbedFile(posted, layout.Header!, ExtentMap.OfWholeSegments(segments)), null);

        var name = posted.FileName ?? posted.Subject;
        var code = layout.Outcome switch
        {
            SegmentOutcome.Unavailable => ImportFailure.Unavailable,
            SegmentOutcome.Corrupt => ImportFailure.Corrupt,
            SegmentOutcome.Missing when layout.Header is not null => ImportFailure.Incomplete,
            _ => ImportFailure.Missing,
        };
        return (null, new ImportFailure(code, $"'{name}': {layout.Reason}", Passing: code == ImportFailure.Unavailable));
    }

    private static bool IsAccessory(NzbFile posted) =>
        posted.FileName is { } name && Array.Exists(Accessories, extension => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    [LoggerMessage(201, LogLevel.Warning, "Left out {File}: {Reason}")]
    private static partial void LogLeftOut(ILogger logger, string file, string reason);
}
