using System.Threading.Channels;
using NzbDav.Api.Completion;
using NzbDav.Arr.Client;
using NzbDav.Arr.Resources;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Arrs;

/// <summary>
/// The configured *arrs. Tidies their queues once a minute, and notifies an *arr when its download is completed, so that it need not wait
/// for its next poll. Thread-safe.
/// </summary>
internal sealed partial class ArrInstances : BackgroundService
{
    private static readonly TimeSpan TidyEvery = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Longest wait for a mount to list a completed download. After that the *arr is notified anyway: it polls again by itself.
    /// </summary>
    private static readonly TimeSpan VisibleLimit = TimeSpan.FromSeconds(15);

    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(250);

    private readonly Channel<(long Job, bool IsReady)> _completed = Channel.CreateUnbounded<(long Job, bool IsReady)>();
    private readonly Lock _gate = new();
    private readonly CatalogDatabase _catalog;
    private readonly SettingsBook _book;
    private readonly JobStore _jobs;
    private readonly OwnDownloads _own;
    private readonly ICompletion _completion;
    private readonly TimeProvider _time;
    private readonly ILogger<ArrInstances> _logger;
    private ArrInstance[] _all = [];

    public ArrInstances(
        CatalogDatabase catalog, SettingsBook book, JobStore jobs, ICompletion completion, TimeProvider time, ILogger<ArrInstances> logger)
    {
        _catalog = catalog;
        _book = book;
        _jobs = jobs;
        _own = new OwnDownloads(jobs);
        _completion = completion;
        _time = time;
        _logger = logger;
        Apply(book.Current);
        book.Changed += Apply;
        jobs.Changed += OnChanged;
    }

    /// <summary>All instances, ordered by number.</summary>
    public IReadOnlyList<ArrInstance> All => Volatile.Read(ref _all);

    public override void Dispose()
    {
        _book.Changed -= Apply;
        _jobs.Changed -= OnChanged;
        base.Dispose();
        foreach (var instance in _all)
            instance.Dispose();
    }

    /// <summary>Has each *arr look for a torrent that counts as complete now.</summary>
    internal void NotifyReady(long jobId)
    {
        if (All.Count > 0)
            _completed.Writer.TryWrite((jobId, IsReady: true));
    }

    /// <summary>Checks all queues once.</summary>
    internal async Task TidyAsync(CancellationToken cancellationToken)
    {
        foreach (var instance in All.Where(instance => instance.Settings.TidiesQueue))
        {
            try
            {
                var result = await instance.Rules.RunAsync(cancellationToken);
                var results = result.Value ?? [];
                Report(instance, (result.Error ?? results.FirstOrDefault(done => done.Error is not null)?.Error)?.Message);
                foreach (var done in results.Where(done => done.Error is null))
                    LogTidied(_logger, instance.Settings.Name, done.Title ?? done.DownloadId, done.Rule, done.Reason);
            }
            catch (CatalogException e)
            {
                // It is unknown whose downloads these are: the next run decides.
                Report(instance, e.Message);
            }
            catch (ObjectDisposedException)
            {
                // Its settings changed in the meantime.
            }
            catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                // An exception that leaves the service would end it until the next start.
                LogFault(_logger, e, instance.Settings.Name);
            }
        }
    }

    protected override Task ExecuteAsync(CancellationToken stoppingToken) =>
        Task.WhenAll(TidyAlwaysAsync(stoppingToken), NotifyAlwaysAsync(stoppingToken));

    private async Task TidyAlwaysAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(TidyEvery, _time);
        try
        {
            while (await timer.WaitForNextTickAsync(stopping))
            {
                // With several gateways, only the leader does this.
                if (_catalog.IsLeading)
                    await TidyAsync(stopping);
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    private async Task NotifyAlwaysAsync(CancellationToken stopping)
    {
        try
        {
            await foreach (var (id, isReady) in _completed.Reader.ReadAllAsync(stopping))
            {
                try
                {
                    // A torrent that is published counts as complete later: see ReadyTorrents.
                    if (await _jobs.GetAsync(id, stopping) is { } job
                        && (isReady || job is not { Kind: not JobKind.Nzb, State: JobState.Completed }))
                        await NotifyAsync(job, stopping);
                }
                catch (CatalogException)
                {
                    // It polls by itself within a minute.
                }
                catch (Exception e) when (e is not OperationCanceledException || !stopping.IsCancellationRequested)
                {
                    LogUntold(_logger, e, id);
                }
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    private async Task NotifyAsync(CatalogJob job, CancellationToken stopping)
    {
        // An *arr has its own category for torrents, such as tv-sonarr, which is not known here: notify all of them.
        var concerned = All.Where(instance => instance.Settings.Options.Application != ArrApplication.Prowlarr
            && (job.Kind != JobKind.Nzb || instance.Settings.Category.Equals(job.Category, StringComparison.OrdinalIgnoreCase))).ToArray();
        if (concerned.Length == 0)
            return;
        var began = _time.GetTimestamp();
        while (!_completion.IsVisible(job) && _time.GetElapsedTime(began) < VisibleLimit)
            await Task.Delay(PollInterval, _time, stopping);
        foreach (var instance in concerned)
        {
            try
            {
                Report(instance, (await instance.Client.CommandAsync(CommandRequest.RefreshMonitoredDownloads, stopping)).Error?.Message);
            }
            catch (ObjectDisposedException)
            {
                // Its settings changed in the meantime.
            }
        }
    }

    private void OnChanged(JobChange change)
    {
        if (change is { IsForeign: false, State: JobState.Completed or JobState.Failed } && All.Count > 0)
            _completed.Writer.TryWrite((change.JobId, IsReady: false));
    }

    private void Apply(NzbDavSettings settings)
    {
        ArrInstance[] gone;
        lock (_gate)
        {
            var before = _all;
            ArrInstance[] after = [.. settings.Arrs.OrderBy(arr => arr.Number)
                .Select(arr => Array.Find(before, instance => instance.Settings == arr) ?? new ArrInstance(arr, _own, _time))];
            Volatile.Write(ref _all, after);
            gone = [.. before.Except(after)];
        }

        foreach (var instance in gone)
            instance.Dispose();
    }

    /// <summary>Logs each kind of problem once.</summary>
    private void Report(ArrInstance instance, string? trouble)
    {
        if (trouble is not null && instance.Trouble != trouble)
            LogTrouble(_logger, instance.Settings.Name, trouble);
        instance.Trouble = trouble;
    }

    [LoggerMessage(461, LogLevel.Information, "{Name}: {Title} was stuck ({Rule}: {Reason}). It was removed.")]
    private static partial void LogTidied(ILogger logger, string name, string title, string rule, string reason);

    [LoggerMessage(704, LogLevel.Error,
        "{Name}: its queue could not be checked because of an internal error. It is checked again in a minute. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, string name);

    [LoggerMessage(
        705, LogLevel.Error,
        "No *arr was notified that job {Job} has ended, because of an internal error. It polls by itself within a minute. Please report " +
        "it.")]
    private static partial void LogUntold(ILogger logger, Exception fault, long job);

    [LoggerMessage(462, LogLevel.Warning, "{Name}: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string name, string reason);
}
