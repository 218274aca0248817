using NzbDav.Catalog.Database;
using NzbDav.Catalog.Gateways;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Serving;

/// <summary>
/// Adopts keys that other gateways replaced, and shares keys that are created here later: the keys that encrypt sessions are renewed every
/// three months.
/// </summary>
internal sealed partial class KeyKeeper(
    KeyStore store, SharedKeys keys, LinkKeys files, ViewLinks links, TimeProvider time, ILogger<KeyKeeper> logger) : BackgroundService
{
    /// <summary>Often enough: new keys are created two days before they are used.</summary>
    private static readonly TimeSpan Every = TimeSpan.FromHours(1);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (!store.IsShared)
            return;
        using var news = new SemaphoreSlim(0);
        void OnChanged() => news.Release();
        store.Changed += OnChanged;
        try
        {
            // Sync once: others may have added keys before the subscription.
            news.Release();
            while (true)
            {
                using var late = new CancellationTokenSource(Every, time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, stoppingToken);
                try
                {
                    await news.WaitAsync(either.Token);
                }
                catch (OperationCanceledException) when (!stoppingToken.IsCancellationRequested)
                {
                }

                await TryAsync(stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            store.Changed -= OnChanged;
        }
    }

    private async Task TryAsync(CancellationToken cancellationToken)
    {
        try
        {
            await keys.SyncAsync(cancellationToken);
            files.Adopt(links);
        }
        catch (Exception e) when (e is CatalogException or IOException or UnauthorizedAccessException or ServerStartException)
        {
            LogTrouble(logger, e.Message);
        }
    }

    [LoggerMessage(615, LogLevel.Warning, "Keys that another gateway changed could not be taken over: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
