using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Settings;
using NzbDav.Library.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>
/// Runs the schedule of health checks: once a minute, and at once when a reader meets a missing article or a person asks. Only one post is
/// checked at a time. An exception in a check is logged and ends neither the server nor the schedule.
/// </summary>
internal sealed partial class HealthKeeper(CatalogDatabase catalog, HealthRunner runner, FailureRecordingRepairer failures,
    HealthStore store,
    Live<HealthOptions> options, TimeProvider time, ILogger<HealthKeeper> logger) : BackgroundService
{
    /// <summary>Delay after the start: connections come first.</summary>
    internal static readonly TimeSpan Settling = TimeSpan.FromMinutes(2);

    private static readonly TimeSpan Every = TimeSpan.FromMinutes(1);

    // Capacity 1: each wake-up checks everything that is due.
    private readonly Channel<bool> _wake = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly SemaphoreSlim _one = new(1, 1);

    /// <summary>Runs due checks soon, without waiting for the next minute.</summary>
    public void RunSoon() => _wake.Writer.TryWrite(true);

    /// <summary>Runs all checks that are due now.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await _one.WaitAsync(cancellationToken);
        try
        {
            if (options.Value.StatsPerDay > 0)
                await failures.StoreAsync(cancellationToken);

            // With several gateways, only the leader checks. The others have stored what they failed to read.
            if (catalog.IsLeading)
                await runner.RunAsync(cancellationToken);
        }
        finally
        {
            _one.Release();
        }
    }

    /// <summary>Checks one post now, whether or not it is due.</summary>
    /// <returns>The post after the check; null: there is none.</returns>
    public async Task<HealthPost?> CheckAsync(long itemId, CancellationToken cancellationToken)
    {
        await _one.WaitAsync(cancellationToken);
        try
        {
            await runner.AddNewAsync(cancellationToken);
            return await store.GetAsync(itemId, cancellationToken) is null ? null : await runner.CheckAsync(itemId, cancellationToken);
        }
        finally
        {
            _one.Release();
        }
    }

    public override void Dispose()
    {
        base.Dispose();
        _one.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        failures.FailureRecorded += RunSoon;
        try
        {
            await Task.Delay(Settling, time, stoppingToken);
            while (true)
            {
                await TryAsync(stoppingToken);
                using var wait = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken);
                var next = Task.Delay(Every, time, wait.Token);
                await Task.WhenAny(next, _wake.Reader.WaitToReadAsync(wait.Token).AsTask());
                await wait.CancelAsync();
                stoppingToken.ThrowIfCancellationRequested();
                _wake.Reader.TryRead(out _);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            failures.FailureRecorded -= RunSoon;
        }
    }

    private async Task TryAsync(CancellationToken cancellationToken)
    {
        try
        {
            await RunAsync(cancellationToken);
        }
        catch (CatalogException e)
        {
            LogTrouble(logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            LogFault(logger, e);
        }
    }

    [LoggerMessage(612, LogLevel.Warning, "Posts could not be checked: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);

    [LoggerMessage(613, LogLevel.Error, "A health check failed because of an error in the program; checks continue in a minute.")]
    private static partial void LogFault(ILogger logger, Exception exception);
}
