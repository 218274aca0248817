using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using NzbDav.Access.Options;
using NzbDav.Catalog.Torrents;
using NzbDav.Host.Settings;
using NzbDav.Host.Sharing;
using NzbDav.Import.Queue;
using NzbDav.Library.Gateways;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Host.Serving;

/// <summary>Registers the services that keep several gateways on one catalog from working on the same torrent.</summary>
internal static class TorrentSharing
{
    public static void AddTo(IServiceCollection services, NzbDavSettings settings, CatalogSet catalog)
    {
        services.AddSingleton(provider => new TorrentOwnership(
            new TorrentOwners(catalog.Database),
            provider.GetRequiredService<TimeProvider>(),
            provider.GetService<GatewayName>()?.Name ?? QueueName.New().Value,
            () => (settings.GatewayAddress ?? GatewayAddress.Of(Listening(provider), Environment.MachineName))
                + provider.GetRequiredService<LiveAccess>().Current.UrlBase));
        services.AddSingleton<SharedTorrents>();
        if (settings.Torrents.Enabled)
            services.AddHostedService<TorrentOwnerWatch>();
    }

    /// <summary>The addresses that the server listens on, or will listen on before it has started.</summary>
    private static IEnumerable<string> Listening(IServiceProvider provider) =>
        provider.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()?.Addresses is { Count: > 0 } addresses
            ? addresses
            : ListenAddresses.Parse(provider.GetRequiredService<IConfiguration>()[WebHostDefaults.ServerUrlsKey]!);
}

/// <summary>The address by which the gateways on one catalog reach each other.</summary>
internal static class GatewayAddress
{
    /// <summary>The address at which others reach a gateway, without a trailing slash.</summary>
    /// <param name="listening">The addresses that it listens on; at least one.</param>
    /// <param name="machine">Host name of its machine, used in place of a wildcard address.</param>
    public static string Of(IEnumerable<string> listening, string machine)
    {
        // Prefer http: the certificate of an https address may be for another name. A loopback address reaches only gateways on the same
        // machine, but is better than none.
        var address = listening.Select(BindingAddress.Parse).OrderBy(static one => ListenAddresses.IsLoopbackHost(one.Host))
            .ThenBy(static one => one.Scheme != "http").First();
        return new UriBuilder(address.Scheme, IsAny(address.Host) ? machine : address.Host, address.Port, address.PathBase).Uri.ToString()
            .TrimEnd('/');
    }

    /// <summary>Kestrel listens on all addresses for any name that is neither an address nor localhost.</summary>
    private static bool IsAny(string host) =>
        IPAddress.TryParse(host.Trim('[', ']'), out var address) ? address.Equals(IPAddress.Any)
            || address.Equals(IPAddress.IPv6Any) : !host.Equals("localhost", StringComparison.OrdinalIgnoreCase);
}

/// <summary>
/// Closes open torrents that this gateway does not own, such as those whose lease could not be renewed. Asks memory only, so a database
/// that does not answer cannot delay it.
/// </summary>
internal sealed partial class TorrentOwnerWatch(
    TorrentSessions sessions, TorrentOwnership owners, TimeProvider time, ILogger<TorrentOwnerWatch> logger) : BackgroundService
{
    private static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(1);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TickInterval, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                Tick();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    private void Tick()
    {
        foreach (var torrent in sessions.Engine.Torrents)
        {
            if (owners.Owns(torrent.Hash.ToString()) || sessions.CloseAsync(torrent.Hash) is { IsCompleted: true })
                continue;
            LogLeft(logger, torrent.Hash);
        }
    }

    [LoggerMessage(640, LogLevel.Warning,
        "Left the swarm of torrent {Hash}: the lease on it could not be renewed in time, or another gateway owns it.")]
    private static partial void LogLeft(ILogger logger, InfoHash hash);
}
