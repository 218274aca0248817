using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog;

namespace NzbDav.Api.Native.Torrents;

/// <summary>What the routes of torrents need.</summary>
internal static class TorrentsSetup
{
    public static void AddTorrents(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, TorrentJson.Default));
        services.AddSingleton<TorrentPlaces>().AddSingleton<TorrentList>();
        services.AddTopic<TorrentTopic, TorrentsBody>();
    }
}
