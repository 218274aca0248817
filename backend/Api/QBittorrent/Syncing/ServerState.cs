using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Preferences;
using NzbDav.Api.Sab.Calls;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Api.QBittorrent.Syncing;

/// <summary>Totals of the whole server: <c>server_state</c> of <c>sync/maindata</c>, and <c>transfer/info</c>. Thread-safe.</summary>
internal sealed class ServerState(IServiceProvider services, Disks disks, SpeedLimits limits)
{
    private readonly TorrentSessions? _sessions = services.GetService<TorrentSessions>();

    /// <summary>The members by name. Session totals come from the engine, all-time totals from the torrents.</summary>
    public SortedDictionary<string, object?> Read(IReadOnlyList<QbitTorrent> torrents)
    {
        var (down, up) = _sessions?.Engine.Payload ?? (0, 0);
        var (everDown, everUp) = (torrents.Sum(static torrent => torrent.Downloaded), torrents.Sum(static torrent => torrent.Uploaded));
        return new SortedDictionary<string, object?>(StringComparer.Ordinal)
        {
            ["alltime_dl"] = Math.Max(down, everDown),
            ["alltime_ul"] = Math.Max(up, everUp),
            ["average_time_queue"] = 0L,
            ["connection_status"] = _sessions is null ? "disconnected" : "connected",
            ["dht_nodes"] = _sessions?.Engine.Dht is { } dht ? (long)dht.Nodes + dht.Nodes6 : 0L,
            ["dl_info_data"] = down,
            ["dl_info_speed"] = torrents.Sum(static torrent => torrent.DownSpeed),
            ["dl_rate_limit"] = limits.Download,
            ["free_space_on_disk"] = disks.Space.Free,
            ["global_ratio"] = everDown > 0 && everUp > 0 ? ((double)everUp / everDown).ToString("F2", CultureInfo.InvariantCulture) : "-",
            ["last_external_address_v4"] = "",
            ["last_external_address_v6"] = "",
            ["queued_io_jobs"] = 0L,
            ["queueing"] = true,
            ["read_cache_hits"] = "0",
            ["read_cache_overload"] = "0",
            ["refresh_interval"] = (long)QbitOptions.RefreshMilliseconds,
            ["total_buffers_size"] = _sessions?.Engine.Pool.Budget.Reserved ?? 0,
            ["total_peer_connections"] = torrents.Sum(static torrent => torrent.Seeds + torrent.Leechers),
            ["total_queued_size"] = 0L,
            ["total_wasted_session"] = 0L,
            ["up_info_data"] = up,
            ["up_info_speed"] = torrents.Sum(static torrent => torrent.UpSpeed),
            ["up_rate_limit"] = limits.Upload,
            ["use_alt_speed_limits"] = limits.IsAlternative,
            ["use_subcategories"] = false,
            ["write_cache_overload"] = "0",
        };
    }
}
