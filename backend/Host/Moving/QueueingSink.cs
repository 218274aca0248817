using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Host.Serving;
using NzbDav.Import.Intake;
using NzbDav.Import.Names;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Queues titles for import, each with its paths in the other program.</summary>
/// <param name="catalog">The catalog to add them to.</param>
/// <param name="intake">The intake of .nzb files.</param>
/// <param name="source">See <see cref="OldLibrary.Source"/>.</param>
internal sealed class QueueingSink(CatalogSet catalog, NzbIntake intake, string source) : ITitleSink
{
    public async Task<(long? JobId, bool WasHere, string? Error)> ImportAsync(
        OldTitle title, Stream nzb, CancellationToken cancellationToken)
    {
        var moved = new MovedTitle(source, title.Key, title.Files) { DownloadId = title.DownloadId, IsListed = title.IsListed };
        var taken = await intake.AddAsync(Request(title) with { Moved = moved }, nzb, cancellationToken);
        if (taken.Job is not { } job)
            return (null, false, taken.Error);
        if (taken.Duplicate)
            await AdoptAsync(moved, job.Id, cancellationToken);
        return (job.Id, taken.Duplicate, null);
    }

    /// <summary>The import request for a title.</summary>
    public static IntakeRequest Request(OldTitle title) => new()
    {
        FileName = title.Name + ".nzb",
        Source = JobSource.Cli,
        Category = SafeName.Of(title.Category),
        Password = title.Password ?? (title.NzbName is { } name ? NzbIntake.PasswordIn(name) : null),
        Url = title.Url,

        // Low, so that new downloads run first.
        Priority = JobPriority.Low,
        ReuseDuplicates = true,
    };

    /// <summary>Gives the old paths to the files of a post that was here before.</summary>
    private async Task AdoptAsync(MovedTitle moved, long jobId, CancellationToken cancellationToken)
    {
        IReadOnlyList<PlacedFile>? files = null;
        while (!await catalog.Aliases.AdoptAsync(moved, jobId, files, cancellationToken))
            files = await FilesAsync(jobId, cancellationToken);
    }

    private async Task<IReadOnlyList<PlacedFile>> FilesAsync(long jobId, CancellationToken cancellationToken)
    {
        var files = new List<PlacedFile>();
        foreach (var item in (await catalog.Tree.ListByJobAsync(jobId, cancellationToken)).Where(item => !item.IsCollection))
        {
            var article = item is { ExtentMap: { } hash, Torrent: null }
                ? (await catalog.Maps.ReadAsync(hash, cancellationToken)).Map.FirstSegmentId : null;
            files.Add(new PlacedFile(item.Id, item.Name, item.Size, article));
        }

        return files;
    }
}

/// <summary>For a dry run: reads the .nzb of each title and checks whether the post is here already. Imports nothing.</summary>
/// <param name="intake">The intake of .nzb files, on a copy of the catalog.</param>
internal sealed class DryRunSink(NzbIntake intake) : ITitleSink
{
    private readonly Lock _gate = new();

    /// <summary>Posts that would have been imported so far.</summary>
    private readonly HashSet<(string, string?, string)> _imported = [];

    public async Task<(long? JobId, bool WasHere, string? Error)> ImportAsync(
        OldTitle title, Stream nzb, CancellationToken cancellationToken)
    {
        var request = QueueingSink.Request(title);
        var (known, post, error) = await intake.CheckAsync(request, nzb, cancellationToken);
        if (error is not null)
            return (null, false, error);
        lock (_gate)
            return (known, known is not null || !_imported.Add((post!, request.Category, request.FileName)), null);
    }
}
