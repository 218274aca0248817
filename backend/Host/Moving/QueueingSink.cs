using NzbDav.Catalog;
using NzbDav.Host.Serving;
using NzbDav.Import;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Queues titles as imports do, each with the paths that it had.</summary>
/// <param name="catalog">Where they go.</param>
/// <param name="intake">The door for .nzb files.</param>
/// <param name="source">See <see cref="OldLibrary.Source"/>.</param>
internal sealed class QueueingSink(CatalogSet catalog, NzbIntake intake, string source) : ITitleSink
{
    public async Task<(long? JobId, bool WasHere, string? Error)> TakeAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken)
    {
        var moved = new MovedTitle(source, title.Key, title.Files) { DownloadId = title.DownloadId, IsListed = title.IsListed };
        var taken = await intake.AddAsync(Request(title) with { Moved = moved }, nzb, cancellationToken);
        if (taken.Job is not { } job)
            return (null, false, taken.Error);
        if (taken.Duplicate)
            await AdoptAsync(moved, job.Id, cancellationToken);
        return (job.Id, taken.Duplicate, null);
    }

    /// <summary>How a title is queued.</summary>
    public static IntakeRequest Request(OldTitle title) => new()
    {
        FileName = title.Name + ".nzb",
        Source = JobSource.Cli,
        Category = SafeName.Of(title.Category),
        Password = title.Password ?? (title.NzbName is { } name ? NzbIntake.PasswordIn(name) : null),
        Url = title.Url,

        // What people grab today goes first.
        Priority = JobPriority.Low,
        ReuseDuplicates = true,
    };

    /// <summary>A post that was here before: its files get the paths too.</summary>
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
            var article = item is { ExtentMap: { } hash, Torrent: null } ? (await catalog.Maps.ReadAsync(hash, cancellationToken)).Map.FirstSegmentId : null;
            files.Add(new PlacedFile(item.Id, item.Name, item.Size, article));
        }

        return files;
    }
}
