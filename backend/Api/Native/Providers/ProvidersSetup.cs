using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Events;

namespace NzbDav.Api.Native.Providers;

/// <summary>Registers the services of the provider routes. The host adds an <see cref="IProviderNumbers"/>.</summary>
internal static class ProvidersSetup
{
    public static void AddProviders(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, ProviderJson.Default));
        services.AddSingleton<ProviderList>().AddSingleton<ProviderTester>().AddSingleton<KnownArticles>();
        services.AddTopic<ProviderTopic, ProvidersBody>();
    }
}
