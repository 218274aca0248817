using Microsoft.Extensions.Logging;
using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>Stores the maps and makes all rows in one transaction: the whole job appears, or nothing of it.</summary>
internal sealed partial class PublishStep(ImportTools tools)
{
    /// <summary>Maps stored at a time: the disk makes several durable together.</summary>
    private const int Together = 8;

    public async Task RunAsync(CatalogJob job, IReadOnlyList<ContentFile> files, IReadOnlyList<StepTiming> timings, CancellationToken cancellationToken)
    {
        var started = tools.Time.GetTimestamp();
        var published = new PublishedFile[files.Count];
        await Parallel.ForAsync(0, files.Count, new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken }, async (i, token) =>
        {
            var file = files[i];
            published[i] = new PublishedFile
            {
                Path = file.Path,
                Size = file.Size,
                ExtentMap = await tools.Maps.PutAsync(new StoredExtentMap(file.Map, file.Verified) { Reckoned = file.Reckoned }, token),
                Encryption = file.Encryption,
                Modified = file.Modified,
            };
        });

        // The last step's own time ends before the transaction that stores it.
        timings = [.. timings, new StepTiming("publish", tools.Time.GetElapsedTime(started))];
        var item = await tools.Jobs.PublishAsync(job, new JobPublication { Files = published, Timings = timings }, cancellationToken);
        if (item is not null)
        {
            var whole = timings.Aggregate(TimeSpan.Zero, (sum, timing) => sum + timing.Duration);
            LogPublished(tools.Logger, job.Name, job.Category, item.Name, published.Length, published.Sum(file => file.Size), whole.TotalMilliseconds);
        }
    }

    [LoggerMessage(211, LogLevel.Information, "Imported {Job} as /content/{Category}/{Item}: {Files} files, {Bytes} bytes, in {Milliseconds:0} ms.")]
    private static partial void LogPublished(ILogger logger, string job, string category, string item, int files, long bytes, double milliseconds);
}
