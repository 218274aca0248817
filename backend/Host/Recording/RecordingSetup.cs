using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Recording;
using NzbDav.Host.About;
using NzbDav.Library.Recordings;
using NzbDav.Usenet;

namespace NzbDav.Host.Recording;

/// <summary>Registers the services that record streams.</summary>
internal static class RecordingSetup
{
    public static void AddRecordings(this IServiceCollection services)
    {
        services.AddSingleton(provider => new Timeline(provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton(provider => new RecordingSource(
            provider.GetRequiredService<Timeline>(), provider.GetRequiredService<UsenetClient>(), provider.GetRequiredService<TreeStore>(), provider.GetRequiredService<ExtentMapStore>()));
        services.AddSingleton(provider => new Recordings(provider.GetRequiredService<RecordingSource>(), Build.Version));
        services.AddSingleton(provider => new StreamRecorder(provider.GetRequiredService<RecordingSource>(), Build.Version));
        services.AddHostedService<RecordingKeeper>();
    }
}
