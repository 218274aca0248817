using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>Stores the maps and makes all rows in one transaction: the whole job appears, or nothing of it.</summary>
internal sealed partial class PublishStep(ImportTools tools)
{
    /// <summary>Maps stored at a time: the disk makes several durable together.</summary>
    private const int Together = 8;

    /// <summary>Maps of no more segments are rows, whose disk is the publication's: 64 KiB are 1,300 ids of 50 characters.</summary>
    private const int MostSegmentsOfRow = 1000;

    /// <summary>Articles that are gone and may still be made again; null: none is known to be.</summary>
    public IReadOnlySet<string>? Lost { get; init; }

    public async Task RunAsync(CatalogJob job, IReadOnlyList<ContentFile> files, IReadOnlyList<StepTiming> timings, CancellationToken cancellationToken)
    {
        var started = tools.Time.GetTimestamp();
        var published = await StoreAsync(files, cancellationToken);

        // The last step's own time ends before the transaction that stores it.
        timings = [.. timings, new StepTiming("publish", tools.Time.GetElapsedTime(started))];
        var item = await tools.Jobs.PublishAsync(job, new JobPublication { Files = published, Timings = timings }, cancellationToken);
        if (item is not null)
        {
            var whole = timings.Aggregate(TimeSpan.Zero, (sum, timing) => sum + timing.Duration);
            LogPublished(tools.Logger, job.Name, job.Category, item.Name, published.Length, published.Sum(file => file.Size), whole.TotalMilliseconds);
        }
    }

    /// <summary>
    /// Each large map is a wait for the disk that holds its thread. They are threads of their own: the pool has two on a small machine, which all readers need, and would add others by the half second.
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

        var taken = -1;
        async Task StoreNextAsync()
        {
            for (int i; (i = Interlocked.Increment(ref taken)) < files.Count;)
            {
                try
                {
                    published[i] = await StoreAsync(files[i], cancellationToken);
                }
                catch
                {
                    // Nothing is published then: the others may stop.
                    Volatile.Write(ref taken, files.Count);
                    throw;
                }
            }
        }

        await Task.WhenAll(Enumerable.Range(0, Math.Min(Together, files.Count)).Select(_ => Task.Factory.StartNew(
            StoreNextAsync, cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()));
        return published;
    }

    private async Task<PublishedFile> StoreAsync(ContentFile file, CancellationToken cancellationToken) => new()
    {
        Path = file.Path,
        Size = file.Size,
        ExtentMap = await tools.Maps.PutAsync(new StoredExtentMap(file.Map, file.Verified) { Reckoned = file.Reckoned }, cancellationToken),
        Encryption = file.Encryption,
        PatchedPosts = tools.Usenet.PatchedPostsOf(file.Map),
        Modified = file.Modified,
        Lost = LostOf(file.Map),
        FirstArticle = file.Map.FirstSegmentId,
    };

    private string? LostOf(ExtentMap map) => Lost is null ? null : Enumerable.Range(0, map.Segments.Count).Select(map.Segments.Id).FirstOrDefault(id => Lost.Contains(id) && !tools.Usenet.IsMade(id));

    [LoggerMessage(211, LogLevel.Information, "Imported {Job} as /content/{Category}/{Item}: {Files} files, {Bytes} bytes, in {Milliseconds:0} ms.")]
    private static partial void LogPublished(ILogger logger, string job, string category, string item, int files, long bytes, double milliseconds);
}
