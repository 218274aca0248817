using Microsoft.Extensions.Hosting;
using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>Keeps the workers busy as long as the process serves.</summary>
public sealed class ImportQueue : BackgroundService
{
    /// <summary>Also looks without being told: jobs of other processes, leases that ran out, jobs whose delay is over.</summary>
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);

    private readonly JobStore _jobs;
    private readonly ImportWorker _worker;
    private readonly ImportOptions _options;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _news = new(0);
    private readonly string _owner = $"{Environment.MachineName}-{Environment.ProcessId}";

    public ImportQueue(JobStore jobs, ImportWorker worker, ImportOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(jobs);
        _jobs = jobs;
        _worker = worker;
        _options = options;
        _time = time;
        _jobs.Changed += OnChanged;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _jobs.Changed -= OnChanged;
        _news.Dispose();
        base.Dispose();
    }

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken) =>
        Task.WhenAll(Enumerable.Range(0, _options.Workers).Select(number => WorkAsync($"{_owner}-{number}", stoppingToken)));

    private async Task WorkAsync(string owner, CancellationToken stopping)
    {
        await Task.Yield();
        try
        {
            while (!stopping.IsCancellationRequested)
            {
                if (!await _worker.RunNextAsync(owner, stopping))
                    await LookAgainAsync(stopping);
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    private async Task LookAgainAsync(CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(LookEvery, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            await _news.WaitAsync(both.Token);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
        }
    }

    private void OnChanged(JobChange change)
    {
        if (change.State == JobState.Queued)
            _news.Release();
    }
}
