using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Usenet;

namespace NzbDav.Import;

/// <summary>Takes one claimed job through its steps: parse, probe, name, publish. Whatever happens, the job ends up published, failed with a reason, or back in the queue.</summary>
public sealed partial class ImportWorker
{
    /// <summary>How long a job stays claimed without a sign of life.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan RenewEvery = TimeSpan.FromSeconds(15);

    private readonly JobStore _jobs;
    private readonly BlobStore _blobs;
    private readonly ExtentMapStore _maps;
    private readonly UsenetClient _usenet;
    private readonly TimeProvider _time;
    private readonly ILogger<ImportWorker> _logger;

    public ImportWorker(JobStore jobs, BlobStore blobs, ExtentMapStore maps, UsenetClient usenet, TimeProvider time, ILogger<ImportWorker> logger)
    {
        _jobs = jobs;
        _blobs = blobs;
        _maps = maps;
        _usenet = usenet;
        _time = time;
        _logger = logger;
    }

    /// <summary>Runs a job to its end.</summary>
    /// <param name="job">As it was claimed.</param>
    /// <param name="stopping">The process stops: the job goes back into the queue.</param>
    /// <exception cref="CatalogException">The catalog cannot be told how it ended.</exception>
    public async Task RunAsync(CatalogJob job, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(job);
        using var lost = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var renewing = RenewAsync(job, lost);
        ImportFailure? failure;
        try
        {
            failure = await ImportAsync(job, lost.Token);
        }
        catch (OperationCanceledException) when (lost.IsCancellationRequested)
        {
            if (stopping.IsCancellationRequested)
                await _jobs.ReleaseAsync(job, TimeSpan.Zero, CancellationToken.None);
            return;
        }
        catch (CatalogException e)
        {
            failure = new ImportFailure(ImportFailure.Storage, e.Message, Passing: e.Fault is CatalogFault.Busy or CatalogFault.DiskFull);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            LogFault(_logger, job.Name, e);
            failure = new ImportFailure(ImportFailure.Internal, $"A fault of the program: {e.Message}");
        }
        finally
        {
            await lost.CancelAsync();
            await renewing;
        }

        if (failure is not null)
            await GiveUpAsync(job, failure);
    }

    private async Task GiveUpAsync(CatalogJob job, ImportFailure failure)
    {
        if (failure.Passing)
        {
            // 15 s, 30 s, … 5 minutes: as long as providers take to come back.
            var delay = TimeSpan.FromSeconds(Math.Min(300, 15 * Math.Pow(2, Math.Min(job.Attempts - 1, 10))));
            LogPutBack(_logger, job.Name, failure.Message, delay.TotalSeconds);
            await _jobs.ReleaseAsync(job, delay, CancellationToken.None);
        }
        else
        {
            LogFailed(_logger, job.Name, failure.Code, failure.Message);
            await _jobs.FailAsync(job, failure.Code, failure.Message, CancellationToken.None);
        }
    }

    private async Task<ImportFailure?> ImportAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        var started = _time.GetTimestamp();
        var (document, malformed) = await ParseStep.RunAsync(_blobs, job, cancellationToken);
        if (document is null)
            return malformed;
        await _jobs.ReportAsync(job, new JobProgress("Probing articles", 0, document.Bytes, document.Files.Length), Lease, cancellationToken);

        var (files, failure) = await new ProbeStep(_usenet, _logger).RunAsync(document, static _ => { }, cancellationToken);
        if (failure is not null)
            return failure;

        var names = NameStep.Run(job.Name, files);
        var published = new PublishedFile[files.Count];
        await Parallel.ForAsync(0, files.Count, new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = cancellationToken }, async (i, token) =>
        {
            var map = await _maps.PutAsync(files[i].Map, sizesVerified: true, token);
            var posted = files[i].Posted.Date;
            published[i] = new PublishedFile
            {
                Path = [names[i]],
                Size = files[i].Map.Length,
                ExtentMap = map,
                Modified = posted > DateTimeOffset.UnixEpoch ? posted : null,
            };
        });
        var item = await _jobs.PublishAsync(job, new JobPublication { Files = published }, cancellationToken);
        if (item is not null)
            LogPublished(_logger, job.Name, job.Category, item.Name, published.Length, published.Sum(file => file.Size), _time.GetElapsedTime(started).TotalMilliseconds);
        return null;
    }

    private async Task RenewAsync(CatalogJob job, CancellationTokenSource lost)
    {
        try
        {
            using var timer = new PeriodicTimer(RenewEvery, _time);
            while (await timer.WaitForNextTickAsync(lost.Token))
            {
                if (!await TryRenewAsync(job, lost.Token))
                    await lost.CancelAsync();
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private async Task<bool> TryRenewAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        try
        {
            return await _jobs.RenewAsync(job, Lease, cancellationToken);
        }
        catch (CatalogException e)
        {
            // There are three more tries in a lease; and who has lost it cannot publish.
            LogCatalog(_logger, e.Message);
            return true;
        }
    }

    [LoggerMessage(211, LogLevel.Information, "Imported {Job} as /content/{Category}/{Item}: {Files} files, {Bytes} bytes, in {Milliseconds:0} ms.")]
    private static partial void LogPublished(ILogger logger, string job, string category, string item, int files, long bytes, double milliseconds);

    [LoggerMessage(212, LogLevel.Warning, "{Job} cannot be imported ({Code}): {Reason}")]
    private static partial void LogFailed(ILogger logger, string job, string code, string reason);

    [LoggerMessage(213, LogLevel.Warning, "{Job} waits: {Reason} Next attempt in {Seconds:0} s.")]
    private static partial void LogPutBack(ILogger logger, string job, string reason, double seconds);

    [LoggerMessage(215, LogLevel.Warning, "The importer waits for the catalog: {Reason}")]
    private static partial void LogCatalog(ILogger logger, string reason);

    [LoggerMessage(214, LogLevel.Error, "{Job} met a fault of the program.")]
    private static partial void LogFault(ILogger logger, string job, Exception e);
}
