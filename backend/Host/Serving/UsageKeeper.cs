using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Host.Serving;

/// <summary>Stores the used quota of accounts across restarts. If the process is killed, the last half minute is lost.</summary>
internal sealed partial class UsageKeeper(
    UsageBook book, AccountUsageStore store, TimeProvider time, ILogger<UsageKeeper> logger) : IHostedLifecycleService, IDisposable
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(30);

    private readonly CancellationTokenSource _stopping = new();
    private Task _keeping = Task.CompletedTask;

    /// <summary>Runs before any account is used.</summary>
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        foreach (var (account, since, bytes) in await store.ListAsync(cancellationToken))
            book.Restore(new AccountUsage(account, since, bytes));
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _keeping = KeepAsync();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Runs after the last article.</summary>
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync();
        await _keeping;
        await StoreAsync();
    }

    public void Dispose() => _stopping.Dispose();

    private async Task KeepAsync()
    {
        using var timer = new PeriodicTimer(Every, time);
        try
        {
            while (await timer.WaitForNextTickAsync(_stopping.Token))
                await StoreAsync();
        }
        catch (OperationCanceledException)
        {
        }
    }

    /// <summary>Adopts the stored usage of the same accounts by other gateways.</summary>
    private async Task AdoptAsync()
    {
        if (!store.IsShared)
            return;
        try
        {
            foreach (var (account, since, bytes) in await store.ListAsync(CancellationToken.None))
                book.Adopt(new AccountUsage(account, since, bytes));
        }
        catch (CatalogException error)
        {
            LogTrouble(logger, error.Message);
        }
    }

    private async Task StoreAsync()
    {
        var more = book.DrainUnstored();
        try
        {
            if (more.Count > 0)
                await store.AddAsync(more.Select(static usage => (usage.Account, usage.Since, usage.Bytes)), CancellationToken.None);
        }
        catch (CatalogException error)
        {
            book.PutBack(more);
            LogTrouble(logger, error.Message);
            return;
        }

        await AdoptAsync();
    }

    [LoggerMessage(257, LogLevel.Warning, "The used quotas of providers cannot be stored or read: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
