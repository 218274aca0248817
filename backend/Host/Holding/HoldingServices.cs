using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;
using NzbDav.Seeding;

namespace NzbDav.Host.Holding;

/// <summary>Registers the services that find out which files libraries use.</summary>
internal static class HoldingServices
{
    public static void AddHolding(this IServiceCollection services)
    {
        services.AddSingleton(provider => new LibraryKeeper(
            provider.GetRequiredService<HoldStore>(),
            provider.GetRequiredService<UnwantedItems>(),
            provider.GetRequiredService<UnwantedDeleter>(),
            provider.GetRequiredService<TreeStore>(),
            provider.GetRequiredService<AliasStore>(),
            () => LibraryWatch.Sources(provider.GetRequiredService<Live<KeepingOptions>>(), provider.GetRequiredService<ArrInstances>(),
                provider.GetRequiredService<HoldStore>()),
            cancellationToken => ListSeedingAsync(provider, cancellationToken),
            provider.GetRequiredService<Live<KeepingOptions>>(),
            provider.GetRequiredService<ILogger<LibraryKeeper>>()));
        services.AddSingleton<LibraryView>();
        services.AddHostedService<LibraryWatch>();
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, HoldingJson.Default));
    }

    /// <summary>
    /// Info-hashes of the torrents that are still to be seeded. While torrents are switched off: of all in the list, as they may be
    /// switched on again.
    /// </summary>
    public static async ValueTask<IReadOnlySet<string>> ListSeedingAsync(IServiceProvider services, CancellationToken cancellationToken) =>
        services.GetService<TorrentShelf>() is { } shelf
            ? (await shelf.ListAsync(cancellationToken))
                .Where(static torrent => torrent.IsToSeed).Select(static torrent => torrent.Hash).ToHashSet(StringComparer.Ordinal)
            : (await services.GetRequiredService<TorrentStore>().ListAsync(cancellationToken))
                .Where(static entry => entry.Removed is null).Select(static entry => entry.Hash).ToHashSet(StringComparer.Ordinal);
}
