using System.Net.Sockets;
using NzbDav.Catalog;
using NzbDav.Host.Settings;
using NzbDav.Library;
using NzbDav.Torrents;

namespace NzbDav.Host.Serving;

/// <summary>Puts the torrent engine together with the rest, unless it is switched off.</summary>
internal static class TorrentSetup
{
    public static void AddTo(IServiceCollection services, NzbDavSettings settings, string folder)
    {
        if (!settings.Torrents.Enabled)
        {
            services.AddSingleton(new TorrentOpener());
            return;
        }

        services.AddSingleton<TorrentMetrics>();
        services.AddSingleton(provider => Open(settings, folder, provider.GetRequiredService<TorrentMetrics>()));
        services.AddSingleton(provider => new TorrentOpener(provider.GetRequiredService<BlobStore>(), provider.GetRequiredService<TorrentSessions>()));
        services.AddHostedService<TorrentKeeper>();
    }

    /// <summary>Starts the engine.</summary>
    /// <exception cref="ServerStartException">It cannot listen.</exception>
    public static TorrentSessions Open(NzbDavSettings settings, string folder, TorrentMetrics? metrics)
    {
        try
        {
            return new TorrentSessions(new TorrentEngine(settings.Torrents.Engine(folder), TimeProvider.System, metrics), TimeProvider.System, settings.Torrents.Idle);
        }
        catch (SocketException e)
        {
            throw new ServerStartException(
                $"the torrent engine cannot listen on {settings.Torrents.ListenAddress}:{settings.Torrents.Port}: {e.Message}. Another port: NzbDav__Torrents__Port; none at all: NzbDav__Torrents__Enabled=false.", e);
        }
    }
}
