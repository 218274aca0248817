using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>Registers the services that find out which files libraries use.</summary>
internal static class HoldingServices
{
    public static void AddHolding(this IServiceCollection services)
    {
        services.AddSingleton<HoldCollector>();
        services.AddSingleton(provider => new LibraryKeeper(
            provider.GetRequiredService<HoldStore>(),
            provider.GetRequiredService<HoldCollector>(),
            provider.GetRequiredService<TreeStore>(),
            provider.GetRequiredService<AliasStore>(),
            () => LibraryWatch.Sources(provider.GetRequiredService<Live<KeepingOptions>>(), provider.GetRequiredService<ArrInstances>(), provider.GetRequiredService<HoldStore>()),
            provider.GetRequiredService<Live<KeepingOptions>>(),
            provider.GetRequiredService<ILogger<LibraryKeeper>>()));
        services.AddSingleton<LibraryView>();
        services.AddHostedService<LibraryWatch>();
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, HoldingJson.Default));
    }
}
