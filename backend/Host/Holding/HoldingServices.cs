using NzbDav.Catalog;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>Puts together what finds out what libraries have.</summary>
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
