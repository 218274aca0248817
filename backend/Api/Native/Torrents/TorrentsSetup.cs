using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Places;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Registers the services of the torrent routes.</summary>
internal static class TorrentsSetup
{
    public static void AddTorrents(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, TorrentJson.Default));
        services.AddSingleton<TorrentPlaces>().AddSingleton<TorrentList>();
        services.AddTopic<TorrentTopic, TorrentsBody>();
    }
}
