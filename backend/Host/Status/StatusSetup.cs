using NzbDav.Api.Native.Events;
using NzbDav.Api.Native.Providers;

namespace NzbDav.Host.Status;

/// <summary>Registers the services that report the server's state.</summary>
internal static class StatusSetup
{
    public static void AddStatus(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, StatusJson.Default));
        services.AddSingleton<IProviderNumbers, ProviderNumbers>();
        services.AddSingleton<SeriesRecorder>().AddHostedService(provider => provider.GetRequiredService<SeriesRecorder>());
        services.AddSingleton<StatusReporter>();
        services.AddTopic<StatusTopic, StatusBody>();
    }
}
