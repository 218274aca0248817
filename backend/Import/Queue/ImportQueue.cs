using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Queue;

/// <summary>
/// Runs the import workers while the process serves. Their number follows <see cref="ImportOptions.Workers"/> without a restart.
/// </summary>
public sealed partial class ImportQueue : BackgroundService
{
    /// <summary>
    /// Interval at which an idle worker looks for jobs without a notification: jobs of other processes, expired leases, jobs whose delay is
    /// over.
    /// </summary>
    private static readonly TimeSpan PollInterval = TimeSpan.FromSeconds(1);

    /// <summary>Most magnet links that wait for their metadata beside the workers: waiting costs nothing and may take minutes.</summary>
    private const int MostWaiting = 64;

    /// <summary>
    /// Delay before the second attempt of a job whose first attempt ended with an unexpected exception, so that other jobs go first.
    /// </summary>
    private static readonly TimeSpan AfterFault = TimeSpan.FromSeconds(15);

    private readonly JobStore _jobs;
    private readonly ImportWorker _worker;
    private readonly QueueSwitch _switch;
    private readonly Live<ImportOptions> _options;
    private readonly TimeProvider _time;
    private readonly ILogger<ImportQueue> _logger;
    /// <summary>
    /// The worker beside the others, for jobs of the highest priority alone: somebody waits for them, and the others may be busy for
    /// minutes.
    /// </summary>
    private const int ForcedWorker = -1;

    private readonly SemaphoreSlim _wake = new(0);
    private readonly SemaphoreSlim _wakeForced = new(0);
    private readonly SemaphoreSlim _workerCountChanged = new(0);
    private readonly SemaphoreSlim _suspectGate = new(1);

    private readonly string _name;
    private readonly ConcurrentDictionary<long, Task> _waiting = new();
    private readonly WorkerFaults _faults;
    private string? _fault;

    public ImportQueue(
        JobStore jobs, ImportWorker worker, QueueSwitch pause, Live<ImportOptions> options, TimeProvider time, ILogger<ImportQueue> logger,
        IMeterFactory? meters = null, QueueName? name = null)
    {
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(pause);
        ArgumentNullException.ThrowIfNull(options);
        _jobs = jobs;
        _worker = worker;
        _switch = pause;
        _options = options;
        _time = time;
        _logger = logger;
        _faults = new WorkerFaults(meters);
        _name = (name ?? QueueName.New()).Value;
        _jobs.Changed += OnChanged;
        _switch.Changed += OnSwitched;
        _options.Changed += OnWorkerCountChanged;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _jobs.Changed -= OnChanged;
        _switch.Changed -= OnSwitched;
        _options.Changed -= OnWorkerCountChanged;
        _wake.Dispose();
        _wakeForced.Dispose();
        _workerCountChanged.Dispose();
        _suspectGate.Dispose();
        base.Dispose();
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var workers = new List<Task>();
        var forced = WorkAsync(ForcedWorker, stoppingToken);
        try
        {
            while (true)
            {
                for (var number = 0; number < _options.Value.Workers; number++)
                {
                    if (number == workers.Count)
                        workers.Add(WorkAsync(number, stoppingToken));
                    else if (workers[number].IsCompleted)
                        workers[number] = WorkAsync(number, stoppingToken);
                }

                await _workerCountChanged.WaitAsync(stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }

        await Task.WhenAll(workers.Append(forced));
        await Task.WhenAll(_waiting.Values);
    }

    /// <summary>Runs jobs until fewer workers are wanted than <paramref name="number"/> + 1, or the process stops.</summary>
    private async Task WorkAsync(int number, CancellationToken stopping)
    {
        await Task.Yield();
        var owner = number == ForcedWorker ? $"{_name}-forced" : $"{_name}-{number}";
        var wake = number == ForcedWorker ? _wakeForced : _wake;
        CatalogJob? held = null;
        try
        {
            while (!stopping.IsCancellationRequested && number < _options.Value.Workers)
            {
                try
                {
                    // The last turn failed before it could store how the job ended, so this worker still holds it.
                    if (held is not null)
                        await RequeueAsync(held, stopping);
                    held = null;
                    var least = number == ForcedWorker || await _switch.IsPausedAsync(stopping) ? JobPriority.Force : int.MinValue;
                    held = await _jobs.ClaimAsync(owner, ImportWorker.Lease, stopping, least);
                    if (held is not null && IsSuspect(held) && !await _suspectGate.WaitAsync(0, CancellationToken.None))
                    {
                        // One at a time: this finds the job that ends the process, and does not blame jobs that only ran beside it.
                        await _jobs.RequeueAsync(held, AfterFault, stopping);
                        held = null;
                        continue;
                    }

                    if (held is { Kind: JobKind.Magnet } && _waiting.Count < MostWaiting)
                        RunInBackground(held, stopping);
                    else if (held is not null)
                        await RunAsync(held, stopping);
                    _fault = null;
                }
                catch (CatalogException e)
                {
                    // The disk is full, or another process keeps the database locked. The server continues without imports and tries again.
                    Report(e.Message);
                    await WaitForWorkAsync(wake, stopping);
                    continue;
                }
                catch (Exception e) when (e is not OperationCanceledException || !stopping.IsCancellationRequested)
                {
                    // Only this iteration is lost. If the worker ended, imports would stop without notice once the last worker was gone.
                    // A job that cannot be requeued either stays claimed until its lease runs out.
                    if (ReportFault(held, e) > WorkerFaults.Limit)
                        held = null;
                    await WaitForWorkAsync(wake, stopping);
                    continue;
                }

                if (held is null)
                    await WaitForWorkAsync(wake, stopping);
                held = null;
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            return;
        }

        // The number of workers may have been raised again in the meantime.
        _workerCountChanged.Release();
    }

    private async Task RunAsync(CatalogJob job, CancellationToken stopping)
    {
        try
        {
            await _worker.RunAsync(job, stopping);
            _faults.Forget(job.Id);
        }
        finally
        {
            if (IsSuspect(job))
                _suspectGate.Release();
        }
    }

    /// <summary>
    /// True for a job that was running each of the two times when the process ended unexpectedly. Magnet links take no memory and wait for
    /// minutes.
    /// </summary>
    private static bool IsSuspect(CatalogJob job) => job is { Lost: > 1, Kind: not JobKind.Magnet };

    /// <summary>Requeues a job after its attempt was cut short. Fails it if an unexpected exception ended it for the second time.</summary>
    private async Task RequeueAsync(CatalogJob job, CancellationToken stopping)
    {
        if (_faults.FindRepeatedFault(job.Id) is { } reason)
        {
            var message = $"An unexpected error ended the import twice: {reason} The log has the details; report them, or try again.";
            await _jobs.FailAsync(job, ImportFailure.Internal, message, stopping);
            _faults.Forget(job.Id);
        }
        else
        {
            await _jobs.RequeueAsync(job, _faults.Contains(job.Id) ? AfterFault : TimeSpan.Zero, stopping);
        }
    }

    private void RunInBackground(CatalogJob job, CancellationToken stopping)
    {
        var listed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting[job.Id] = RunInBackgroundAsync(job, listed.Task, stopping);
        listed.SetResult();
    }

    private async Task RunInBackgroundAsync(CatalogJob job, Task listed, CancellationToken stopping)
    {
        await listed;
        try
        {
            await RunAsync(job, stopping);
        }
        catch (CatalogException e)
        {
            // The job is still claimed. It is started again when its lease runs out.
            Report(e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException || !stopping.IsCancellationRequested)
        {
            ReportFault(job, e);
            await TryRequeueAsync(job, stopping);
        }
        finally
        {
            _waiting.TryRemove(job.Id, out _);
        }
    }

    private async Task TryRequeueAsync(CatalogJob job, CancellationToken stopping)
    {
        try
        {
            await RequeueAsync(job, stopping);
        }
        catch (CatalogException e)
        {
            Report(e.Message);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    /// <returns>How many unexpected exceptions the job has caused so far; 0 without a job.</returns>
    private int ReportFault(CatalogJob? job, Exception error)
    {
        LogFault(_logger, job?.Name, error);
        return _faults.Add(job?.Id, error);
    }

    /// <summary>Logs a reason when it is new, not at every retry.</summary>
    private void Report(string fault)
    {
        if (Interlocked.Exchange(ref _fault, fault) != fault)
            LogCatalog(_logger, fault);
    }

    private async Task WaitForWorkAsync(SemaphoreSlim wake, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(PollInterval, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            await wake.WaitAsync(both.Token);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
        }
    }

    private void OnChanged(JobChange change)
    {
        if (change.State != JobState.Queued)
            return;
        _wake.Release();
        if (_wakeForced.CurrentCount == 0)
            _wakeForced.Release();
    }

    private void OnSwitched() => _wake.Release(_options.Value.Workers);

    private void OnWorkerCountChanged() => _workerCountChanged.Release();

    [LoggerMessage(222, LogLevel.Error, "An import worker met an unexpected error at {Job} and goes on.")]
    private static partial void LogFault(ILogger logger, string? job, Exception error);

    [LoggerMessage(221, LogLevel.Error, "Imports are waiting: {Reason}")]
    private static partial void LogCatalog(ILogger logger, string reason);
}

/// <summary>Identifies an <see cref="ImportQueue"/> in the claims of its workers.</summary>
/// <param name="Value">New at each start: in a container the process has the same number each time.</param>
public sealed record QueueName(string Value)
{
    /// <summary>A name that no other queue has or had.</summary>
    public static QueueName New() => new($"{Environment.MachineName}-{Guid.NewGuid():N}");
}
