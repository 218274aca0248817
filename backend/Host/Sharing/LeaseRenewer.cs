using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Gateways;
using NzbDav.Import.Queue;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Sharing;

/// <summary>
/// Renews this gateway's leases of the accounts' connections in the database: once a second, and sooner when readers wait, here or at
/// another gateway, or when there is something to give back. If the database does not answer in time, <see cref="ConnectionLeases"/> closes
/// the connections by itself.
/// </summary>
internal sealed partial class LeaseRenewer : IHostedLifecycleService, IDisposable
{
    /// <summary>Time between two renewals.</summary>
    public static readonly TimeSpan Every = TimeSpan.FromSeconds(1);

    /// <summary>Shortest time from the end of a renewal to the next one.</summary>
    public static readonly TimeSpan MinInterval = TimeSpan.FromMilliseconds(250);

    /// <summary>Time for connections to finish their requests when the server stops. Readers have ended by then.</summary>
    private static readonly TimeSpan DrainTime = TimeSpan.FromMilliseconds(500);

    /// <summary>Time limit for connections that are closed then, and for a renewal in progress.</summary>
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1.5);

    private readonly ConnectionLeases _leases;
    private readonly ConnectionLeaseStore _store;
    private readonly TimeProvider _time;
    private readonly ILogger<LeaseRenewer> _logger;
    private readonly CancellationTokenSource _stopping = new();

    /// <summary>Capacity 1: one pending wake-up covers all requests for one.</summary>
    private readonly Channel<bool> _wakes = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    private Task _keeping = Task.CompletedTask;

    /// <summary>True if the last renewal included any account.</summary>
    private bool _hasAny;

    /// <summary>True while renewals fail.</summary>
    private bool _isFailing;

    public LeaseRenewer(ConnectionLeases leases, ConnectionLeaseStore store, TimeProvider time, ILogger<LeaseRenewer> logger)
    {
        (_leases, _store, _time, _logger) = (leases, store, time, logger);
        _leases.RenewalWanted += Wake;
        _store.Lacking += Wake;
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _keeping = KeepAsync();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Runs after the last article: other gateways get the connections at once.</summary>
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync();
        try
        {
            // Wait for a renewal in progress: it would write the rows again.
            await _keeping.WaitAsync(EndLimit, _time, cancellationToken);
            if (await _leases.EndAsync(DrainTime, EndLimit))
                await _store.GiveUpAsync(cancellationToken).WaitAsync(EndLimit, _time, cancellationToken);
        }
        catch (Exception error) when (error is CatalogException or TimeoutException or OperationCanceledException)
        {
            LogUnreleased(_logger, error.Message, (_store.Lease + ConnectionLeaseStore.Grace).TotalSeconds);
        }
    }

    public void Dispose() => _stopping.Dispose();

    private void Wake() => _wakes.Writer.TryWrite(true);

    private async Task KeepAsync()
    {
        await using var timer = _time.CreateTimer(static keeper => ((LeaseRenewer)keeper!).Wake(), this, Every, Every);
        try
        {
            await foreach (var _ in _wakes.Reader.ReadAllAsync(_stopping.Token))
            {
                await RenewAsync();
                await Task.Delay(MinInterval, _time, _stopping.Token);
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private async Task RenewAsync()
    {
        try
        {
            var requests = _leases.Begin().Select(
                static demand => new LeaseRequest(demand.Account, demand.Most, demand.Kept, demand.Wanted, demand.Recent)).ToArray();
            if (requests.Length == 0 && !_hasAny)
                return;
            var grants = await _store.RenewAsync(requests, _stopping.Token);
            _leases.Renewed([.. grants.Select(static grant => new LeaseGrant(grant.Account, grant.Granted, grant.Target))], _store.Usable);

            _hasAny = requests.Length > 0;

            // Other gateways are about to give up the connections that are missing here.
            if (grants.Any(static grant => grant.Target > grant.Granted))
                Wake();
            if (_isFailing)
                LogRenewed(_logger);
            _isFailing = false;
        }
        catch (CatalogException error)
        {
            if (!_isFailing)
                LogFailing(_logger, error.Message, _store.Usable.TotalSeconds);
            _isFailing = true;
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // A bug in this program must not end the renewals for good.
            LogFault(_logger, error);
        }
    }

    [LoggerMessage(
        630, LogLevel.Warning,
        "This gateway's shares of the Usenet connections cannot be renewed: {Reason} Other gateways may get them, so connections are " +
        "closed {Seconds:0} s after the last renewal.")]
    private static partial void LogFailing(ILogger logger, string reason, double seconds);

    [LoggerMessage(631, LogLevel.Information, "This gateway's shares of the Usenet connections are renewed again.")]
    private static partial void LogRenewed(ILogger logger);

    [LoggerMessage(632, LogLevel.Warning,
        "This gateway's shares of the Usenet connections were not released: {Reason} Other gateways get them in {Seconds:0} s.")]
    private static partial void LogUnreleased(ILogger logger, string reason, double seconds);

    [LoggerMessage(
        633, LogLevel.Error, "The shares of the Usenet connections were not renewed because of an internal error. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}

/// <summary>
/// Registers the services by which several gateways on one database share the accounts' connections. With SQLite there is one gateway,
/// which has them all.
/// </summary>
internal static class LeaseServices
{
    public static void AddConnectionLeases(this IServiceCollection services, CatalogOptions options)
    {
        if (options.Connection is null)
            return;
        services.AddSingleton<ConnectionLeases>();
        services.AddSingleton(_ => GatewayName.Create(options.ConfigFolder));
        services.AddSingleton(static provider => new QueueName(provider.GetRequiredService<GatewayName>().Name));
        services.AddSingleton(static provider =>
        {
            var name = provider.GetRequiredService<GatewayName>();
            return new ConnectionLeaseStore(provider.GetRequiredService<CatalogDatabase>(), name.Name) { Former = name.Former };
        });
        services.AddHostedService<LeaseRenewer>();
    }
}
