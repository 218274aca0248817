using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Repair;
using NzbDav.Library.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>Registers the services that check and repair posts.</summary>
internal static class UpkeepServices
{
    public static void AddUpkeep(this IServiceCollection services)
    {
        services.AddSingleton<HealthStore>();
        services.AddSingleton<HealthDesk>();
        services.AddSingleton<HealthView>();
        services.AddSingleton<PostRepairer>();
        services.AddSingleton(provider => new FailureRecordingRepairer(provider.GetRequiredService<PostRepairer>(),
            provider.GetRequiredService<HealthStore>(), provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<IPostRepairer>(provider => provider.GetRequiredService<FailureRecordingRepairer>());
        services.AddSingleton<IArticleProber, ProviderProber>();
        services.AddSingleton<IHealthReader, FileReader>();
        services.AddSingleton<IReplacements, ArrReplacements>();

        // Health checks are not notified of their own repairs.
        services.AddSingleton(provider => new HealthTools(
            provider.GetRequiredService<HealthStore>(),
            provider.GetRequiredService<HoldStore>(),
            provider.GetRequiredService<TreeStore>(),
            provider.GetRequiredService<ExtentMapStore>(),
            provider.GetRequiredService<IArticleProber>(),
            provider.GetRequiredService<PostRepairer>(),
            provider.GetRequiredService<IHealthReader>(),
            provider.GetRequiredService<IReplacements>(),
            provider.GetRequiredService<Live<HealthOptions>>(),
            provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<HealthRunner>();
        services.AddSingleton<HealthKeeper>().AddHostedService(provider => provider.GetRequiredService<HealthKeeper>());
        services.AddTopic<HealthTopic, HealthNewsBody>();
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, UpkeepJson.Default));
    }
}
