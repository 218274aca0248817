using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Import.Limits;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Steps;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Providers;

namespace NzbDav.Import.Queue;

/// <summary>Runs a claimed job through its steps. In every case the job ends up published, failed with a reason, or requeued.</summary>
public sealed partial class ImportWorker
{
    /// <summary>How long a job stays claimed unless its worker renews the claim.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromMinutes(1);

    /// <summary>
    /// A job whose claims ended with the process this often is not tried again. Otherwise a job that needs more memory than there is would
    /// end the process after every start.
    /// </summary>
    private const int MaxLostClaims = 3;

    private static readonly TimeSpan RenewEvery = TimeSpan.FromSeconds(15);

    private readonly ImportTools _tools;
    private readonly Live<ImportOptions> _options;
    private readonly ILogger<ImportWorker> _logger;
    private readonly LargePosts _largePosts = new();

    public ImportWorker(
        JobStore jobs,
        BlobStore blobs,
        ExtentMapStore maps,
        UsenetClient usenet,
        Live<ImportOptions> options,
        IImportEvents events,
        TimeProvider time,
        ILogger<ImportWorker> logger,
        TorrentSessions? torrents = null,
        TorrentOwnership? owners = null,
        RepairMemory? memory = null)
    {
        _tools = new ImportTools(jobs, blobs, maps, usenet, options.Value, events, time, logger)
        { Torrents = torrents, Owners = owners, Memory = memory ?? RepairMemory.Of(readBudget: 0) };
        _options = options;
        _logger = logger;
    }

    /// <summary>Runs a job to its end.</summary>
    /// <param name="job">The job as it was claimed.</param>
    /// <param name="stopping">Cancelled when the process stops: the job is then requeued.</param>
    /// <exception cref="CatalogException">How the job ended could not be stored.</exception>
    public async Task RunAsync(CatalogJob job, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(job);
        var run = new ImportRun(job, _tools with { Options = _options.Value });
        if (job.Lost >= MaxLostClaims)
        {
            await RetryLaterOrFailAsync(run, EndsProcess(job));
            return;
        }

        using var lost = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        using var watch = new ClaimLossWatcher(_tools.Jobs, job, lost);
        var renewing = RenewAsync(run, lost);
        ImportFailure? failure;
        try
        {
            using var place = await _largePosts.EnterAsync(job.NzbSize, lost.Token);
            failure = await run.RunAsync(lost.Token);
        }
        catch (OperationCanceledException) when (lost.IsCancellationRequested)
        {
            if (stopping.IsCancellationRequested)
                await _tools.Jobs.RequeueAsync(job, TimeSpan.Zero, CancellationToken.None);
            return;
        }
        catch (CatalogException e)
        {
            failure = new ImportFailure(ImportFailure.Storage, e.Message, IsTransient: await IsTransientAsync(e, job));
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            LogFault(_logger, job.Name, e);
            failure = new ImportFailure(ImportFailure.Internal, $"Unexpected error: {e.Message}");
        }
        finally
        {
            await lost.CancelAsync();
            await renewing;
        }

        if (failure is not null)
            await RetryLaterOrFailAsync(run, failure);
    }

    private static ImportFailure EndsProcess(CatalogJob job) => new(
        ImportFailure.Internal,
        string.Create(
            CultureInfo.InvariantCulture,
            $"NzbDav ended {job.Lost} times while it imported this .nzb of {job.NzbSize / 1e6:0.0} MB, probably for want of memory. ")
        + "Give it more memory, then try again.");

    private async Task RetryLaterOrFailAsync(ImportRun run, ImportFailure failure)
    {
        var job = run.Job;
        failure = Explain(failure);
        if (failure.IsTransient && job.WaitingSince is { } since && _tools.Time.GetUtcNow() - since >= _options.Value.RetryPeriod)
            failure = failure with
            {
                IsTransient = false,
                Message =
                $"{failure.Message} It waited for {DurationText.Of(_options.Value.RetryPeriod)}; retry it once the cause is fixed."
            };
        if (failure.IsTransient)
        {
            // 15 s, 30 s, … 5 minutes: about the time that providers take to recover.
            var delay = TimeSpan.FromSeconds(Math.Min(300, 15 * Math.Pow(2, Math.Min(job.Attempts - 1, 10))));
            LogPutBack(_logger, job.Name, failure.Message, delay.TotalSeconds);
            await _tools.Jobs.PutBackAsync(job, delay, failure.Code, failure.Message, CancellationToken.None);
        }
        else
        {
            LogFailed(_logger, job.Name, failure.Code, failure.Message);
            await _tools.Jobs.FailAsync(job, failure.Code, failure.Message, run.Timings, CancellationToken.None);
        }
    }

    /// <summary>
    /// True if a later attempt may succeed. A missing blob other than the job's own was removed between its storage and the first reference
    /// to it: the next attempt stores it again.
    /// </summary>
    private async ValueTask<bool> IsTransientAsync(CatalogException error, CatalogJob job)
    {
        if (error.Fault != CatalogFault.BlobMissing)
            return error.Fault is CatalogFault.Busy or CatalogFault.DiskFull or CatalogFault.Unavailable;
        try
        {
            return job.Nzb is { } own && await _tools.Blobs.ExistsAsync(own, CancellationToken.None);
        }
        catch (CatalogException again) when (again.Fault is CatalogFault.Busy or CatalogFault.Unavailable)
        {
            return true;
        }
    }

    /// <summary>If every provider fails: the failure with a message that names the providers instead of an article.</summary>
    private ImportFailure Explain(ImportFailure failure)
    {
        if (failure.Code != ImportFailure.Unavailable)
            return failure;
        var providers = _tools.Usenet.Providers.Select(provider => provider.Status).ToArray();
        return providers.Length > 0 && Array.TrueForAll(providers, provider => provider.State == ProviderState.Failing)
            ? failure with
            {
                Message =
                $"No provider can be reached: {string.Join("; ", providers.Select(provider => $"{provider.Name}: {provider.Reason}"))}"
            }
            : failure;
    }

    private async Task RenewAsync(ImportRun run, CancellationTokenSource lost)
    {
        try
        {
            using var timer = new PeriodicTimer(RenewEvery, _tools.Time);
            while (await timer.WaitForNextTickAsync(lost.Token))
            {
                if (!await TryRenewAsync(run, lost.Token))
                    await lost.CancelAsync();
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private async Task<bool> TryRenewAsync(ImportRun run, CancellationToken cancellationToken)
    {
        try
        {
            // Progress is stored only with a renewal, because writing a row costs a sync. Listeners in this process get it at once.
            return run.NewProgress() is { } progress
                ? await _tools.Jobs.ReportAsync(run.Job, progress, Lease, cancellationToken)
                : await _tools.Jobs.RenewAsync(run.Job, Lease, cancellationToken);
        }
        catch (CatalogException e)
        {
            // A lease leaves time for three more tries, and a worker without a lease cannot publish.
            LogCatalog(_logger, e.Message);
            return true;
        }
    }

    [LoggerMessage(212, LogLevel.Warning, "{Job} cannot be imported ({Code}): {Reason}")]
    private static partial void LogFailed(ILogger logger, string job, string code, string reason);

    [LoggerMessage(213, LogLevel.Warning, "{Job} waits: {Reason} Next attempt in {Seconds:0} s.")]
    private static partial void LogPutBack(ILogger logger, string job, string reason, double seconds);

    [LoggerMessage(215, LogLevel.Warning, "The claim on the job cannot be renewed yet: {Reason}")]
    private static partial void LogCatalog(ILogger logger, string reason);

    [LoggerMessage(214, LogLevel.Error, "An unexpected error ended the import of {Job}.")]
    private static partial void LogFault(ILogger logger, string job, Exception e);
}
