using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Access.Outbound;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Settings;
using NzbDav.Import.Steps;
using NzbDav.Library.Opening;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Host.Serving;

/// <summary>Registers the torrent engine, unless it is switched off.</summary>
internal static partial class TorrentSetup
{
    public static void AddTo(IServiceCollection services, NzbDavSettings settings, string folder)
    {
        if (!settings.Torrents.Enabled)
        {
            services.AddSingleton(new TorrentOpener());
            return;
        }

        services.AddSingleton<TorrentMetrics>();
        services.AddSingleton(provider =>
        {
            // Create it first, so that it is disposed last: ownership of torrents is given up after they are closed.
            provider.GetService<TorrentOwnership>();
            var own = provider.GetRequiredService<OwnNetworks>();
            var book = provider.GetRequiredService<SettingsBook>();
            var sessions = Open(
                settings,
                folder,
                GuardedTimers.Of(provider, TimeProvider.System),
                provider.GetRequiredService<TorrentMetrics>(),
                Guard(() => book.Current.Torrents.PrivateHosts, provider.GetRequiredService<ILoggerFactory>(), own),
                Notice(provider.GetRequiredService<ILoggerFactory>()));
            own.Router = () => sessions.Engine.PortMapping.ExternalAddress;
            return sessions;
        });
        services.AddSingleton<TorrentLayouts>();
        services.AddSingleton<ITorrentLayoutCorrector, TorrentLayoutCorrector>();
        services.AddSingleton<TorrentOpener>();
        services.AddSingleton<SeedingRunner>().AddSingleton<TorrentShelf>().TryAddSingleton(TimeProvider.System);
        services.AddHostedService<TorrentSeeder>();
        services.AddHostedService<TorrentKeeper>();
    }

    /// <summary>
    /// The guard for connections to trackers, web seeds and peers: their addresses come from the .torrent, from trackers and from other
    /// peers, which must not be able to reach private networks that way.
    /// </summary>
    /// <param name="privateHosts">See <see cref="TorrentSettings.PrivateHosts"/>.</param>
    /// <param name="loggers">Logs each refused host once.</param>
    /// <param name="own">What counts as private; null: what the system reports.</param>
    public static OutboundGuard Guard(Func<IReadOnlyList<string>> privateHosts, ILoggerFactory loggers, OwnNetworks? own = null)
    {
        var logger = loggers.CreateLogger(typeof(TorrentSetup));
        return new OutboundGuard(privateHosts, "NzbDav__Torrents__PrivateHosts", refusal => LogRefused(logger, refusal), own);
    }

    /// <summary>Starts the engine.</summary>
    /// <exception cref="ServerStartException">It cannot listen.</exception>
    public static TorrentSessions Open(
        NzbDavSettings settings, string folder, TimeProvider time, TorrentMetrics? metrics, OutboundGuard trackers,
        Action<string>? notice = null)
    {
        try
        {
            var engine = new TorrentEngine(
                settings.Torrents.Engine(folder),
                time,
                metrics,
                pool: null,
                connect => trackers.CreateHandler((addresses, port, cancellationToken) => connect(addresses, port, cancellationToken)),
                trackers.ResolveAsync,
                notice,
                new OutboundRules(trackers.AllowsPeer, trackers.RefusalOf));
            return new TorrentSessions(engine, time, settings.Torrents.Idle);
        }
        catch (SocketException e)
        {
            throw new ServerStartException(
                $"the torrent engine cannot listen on {settings.Torrents.ListenAddress}:{settings.Torrents.Port}: {e.Message}. Another " +
                $"port: NzbDav__Torrents__Port; none at all: NzbDav__Torrents__Enabled=false.", e);
        }
    }

    private static Action<string> Notice(ILoggerFactory loggers)
    {
        var logger = loggers.CreateLogger(typeof(TorrentSetup));
        return notice => LogNotice(logger, notice);
    }

    [LoggerMessage(481, LogLevel.Information, "{Notice}")]
    private static partial void LogNotice(ILogger logger, string notice);

    [LoggerMessage(454, LogLevel.Warning, "A tracker or web seed is not contacted: {Refusal}")]
    private static partial void LogRefused(ILogger logger, string refusal);
}
