using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Options;

namespace NzbDav.Import.Steps;

/// <summary>Stores the extent maps and creates all rows in one transaction: either the whole job appears, or nothing.</summary>
internal sealed partial class PublishStep(ImportTools tools)
{
    /// <summary>Maps stored at a time: the disk can sync several together.</summary>
    private const int MaxMapsAtOnce = 8;

    /// <summary>
    /// Maps of up to this many segments are stored as rows and become durable with the publication: the limit of 64 KiB holds 1,300 ids of
    /// 50 characters.
    /// </summary>
    private const int MostSegmentsOfRow = 1000;

    /// <summary>Articles that are gone and may be reconstructed later; null: none is known.</summary>
    public IReadOnlySet<string>? MissingArticles { get; init; }

    public async Task RunAsync(
        CatalogJob job, IReadOnlyList<ContentFile> files, IReadOnlyList<StepTiming> timings, CancellationToken cancellationToken)
    {
        var started = tools.Time.GetTimestamp();
        var published = await StoreAsync(files, cancellationToken);

        // The transaction stores this step's duration, so the duration cannot include the transaction itself.
        timings = [.. timings, new StepTiming("publish", tools.Time.GetElapsedTime(started))];
        var publication = FinalNames.MakeInert(new JobPublication { Files = published, Timings = timings });
        var item = await tools.Jobs.PublishAsync(job, publication, cancellationToken);
        if (item is not null)
        {
            var whole = timings.Aggregate(TimeSpan.Zero, (sum, timing) => sum + timing.Duration);
            LogPublished(tools.Logger, job.Name, job.Category, item.Name, published.Length, published.Sum(file => file.Size),
                whole.TotalMilliseconds);
        }
    }

    /// <summary>
    /// Stores the maps. Packing and writing a large map keeps a thread busy, so each large map gets a thread of its own. On a small machine
    /// the thread pool has only two threads, which all readers need, and adds one only every half second.
    /// </summary>
    private async Task<PublishedFile[]> StoreAsync(IReadOnlyList<ContentFile> files, CancellationToken cancellationToken)
    {
        var published = new PublishedFile[files.Count];
        if (!files.Any(file => file.Map.Segments.Count > MostSegmentsOfRow))
        {
            for (var i = 0; i < published.Length; i++)
                published[i] = await StoreAsync(files[i], cancellationToken);
            return published;
        }

        await Parallel.ForEachAsync(
            Enumerable.Range(0, published.Length),
            new ParallelOptions { MaxDegreeOfParallelism = MaxMapsAtOnce, CancellationToken = cancellationToken },
            async (i, stop) => published[i] = await Task.Factory.StartNew(
                () => StoreAsync(files[i], stop), stop, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap());
        return published;
    }

    private async Task<PublishedFile> StoreAsync(ContentFile file, CancellationToken cancellationToken) => new()
    {
        Path = file.Path,
        Size = file.Size,
        ExtentMap = await tools.Maps.PutAsync(new StoredExtentMap(file.Map, file.Verified) { Inferred = file.Inferred }, cancellationToken),
        Encryption = file.Encryption,
        PatchedPosts = tools.Usenet.PatchedPostsOf(file.Map),
        Modified = file.Modified,
        MissingArticle = FindMissing(file.Map),
        FirstArticle = file.Map.FirstSegmentId,
    };

    private string? FindMissing(ExtentMap map) => MissingArticles is null ? null : Enumerable.Range(0, map.Segments.Count).Select(
        map.Segments.Id)
        .FirstOrDefault(id => MissingArticles.Contains(id) && !tools.Usenet.HasPatch(id));

    [LoggerMessage(
        211, LogLevel.Information, "Imported {Job} as /content/{Category}/{Item}: {Files} files, {Bytes} bytes, in {Milliseconds:0} ms.")]
    private static partial void LogPublished(
        ILogger logger, string job, string category, string item, int files, long bytes, double milliseconds);
}
