using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using NzbDav.Access.Options;
using NzbDav.Catalog.Torrents;
using NzbDav.Host.Settings;
using NzbDav.Host.Sharing;
using NzbDav.Import.Queue;
using NzbDav.Library.Gateways;

namespace NzbDav.Host.Serving;

/// <summary>Registers what keeps several gateways on one catalog from working with the same torrent.</summary>
internal static class TorrentSharing
{
    public static void AddTo(IServiceCollection services, NzbDavSettings settings, CatalogSet catalog)
    {
        services.AddSingleton(provider => new TorrentOwnership(
            new TorrentOwners(catalog.Database),
            provider.GetRequiredService<TimeProvider>(),
            provider.GetService<GatewayName>()?.Name ?? QueueName.New().Value,
            () => (settings.GatewayAddress ?? GatewayAddress.Of(Listening(provider), Environment.MachineName)) + provider.GetRequiredService<LiveAccess>().Current.UrlBase));
        services.AddSingleton<SharedTorrents>();
        if (settings.Torrents.Enabled)
            services.AddHostedService<TorrentOwnerWatch>();
    }

    /// <summary>The addresses that the server listens on; before it does, those that it is going to.</summary>
    private static IEnumerable<string> Listening(IServiceProvider provider) =>
        provider.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()?.Addresses is { Count: > 0 } addresses
            ? addresses
            : ListenAddresses.Parse(provider.GetRequiredService<IConfiguration>()[WebHostDefaults.ServerUrlsKey]!);
}
