using System.Threading.Channels;
using NzbDav.Catalog;
using NzbDav.Library.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>
/// Runs the schedule of health checks: once a minute, at once when a reader meets a missing article or a person asks, and only one post at a time. A fault in it is logged and ends neither the server
/// nor the schedule.
/// </summary>
internal sealed partial class HealthKeeper(HealthRunner runner, ReadFailures failures, HealthStore store, Live<HealthOptions> options, TimeProvider time, ILogger<HealthKeeper> logger) : BackgroundService
{
    /// <summary>A start has other things to do, and connections come first.</summary>
    internal static readonly TimeSpan Settling = TimeSpan.FromMinutes(2);

    private static readonly TimeSpan Every = TimeSpan.FromMinutes(1);

    // Bounded to one: whatever happened, everything that is due is looked at.
    private readonly Channel<bool> _news = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly SemaphoreSlim _one = new(1, 1);

    /// <summary>Looks at what is due soon, without waiting for the minute.</summary>
    public void Hurry() => _news.Writer.TryWrite(true);

    /// <summary>Looks at all that is due now.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await _one.WaitAsync(cancellationToken);
        try
        {
            if (options.Value.StatsPerDay > 0)
                await failures.StoreAsync(cancellationToken);
            await runner.RunAsync(cancellationToken);
        }
        finally
        {
            _one.Release();
        }
    }

    /// <summary>Looks at one post now, whatever is due.</summary>
    /// <returns>The post as it is then; null: there is none.</returns>
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
        failures.Noted += Hurry;
        try
        {
            await Task.Delay(Settling, time, stoppingToken);
            while (true)
            {
                await TryAsync(stoppingToken);
                using var wait = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken);
                var next = Task.Delay(Every, time, wait.Token);
                await Task.WhenAny(next, _news.Reader.WaitToReadAsync(wait.Token).AsTask());
                await wait.CancelAsync();
                stoppingToken.ThrowIfCancellationRequested();
                _news.Reader.TryRead(out _);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            failures.Noted -= Hurry;
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

    [LoggerMessage(613, LogLevel.Error, "A health check met a fault of the program; checks go on in a minute.")]
    private static partial void LogFault(ILogger logger, Exception exception);
}
