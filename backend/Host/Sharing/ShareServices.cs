using NzbDav.Catalog.Database;
using NzbDav.Catalog.Gateways;
using NzbDav.Import.Queue;
using NzbDav.Usenet.Providers.Shares;

namespace NzbDav.Host.Sharing;

/// <summary>Registers what several gateways on one database share the accounts' connections by. With SQLite there is one gateway, which has them all.</summary>
internal static class ShareServices
{
    public static void AddShares(this IServiceCollection services, CatalogOptions options)
    {
        if (options.Connection is null)
            return;
        services.AddSingleton<ShareBook>();
        services.AddSingleton(_ => GatewayName.Take(options.ConfigFolder));
        services.AddSingleton(static provider => new QueueName(provider.GetRequiredService<GatewayName>().Name));
        services.AddSingleton(static provider =>
        {
            var name = provider.GetRequiredService<GatewayName>();
            return new ConnectionShares(provider.GetRequiredService<CatalogDatabase>(), name.Name) { Former = name.Former };
        });
        services.AddHostedService<ShareKeeper>();
    }
}
