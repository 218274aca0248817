using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Sab;
using NzbDav.Catalog;
using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent;

/// <summary><c>app/*</c> and <c>auth/logout</c>: what the application is and how it is set.</summary>
internal sealed class AppCalls(QbitGate gate, Live<SabOptions> paths, Live<QbitOptions> options, IServiceProvider services) : IQbitCalls
{
    private const string SettingsElsewhere = "Settings are changed in NzbDav itself.";

    private readonly Live<SeedingOptions> _seeding = services.GetService<Live<SeedingOptions>>() ?? new(new SeedingOptions());

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("app/version", (_, _) => new(QbitReply.Text(QbitOptions.Version))),
        QbitRoute.Read("app/webapiVersion", (_, _) => new(QbitReply.Text(QbitOptions.ApiVersion))),
        QbitRoute.Read("app/buildInfo", (_, _) => new(BuildInfo())),
        QbitRoute.Read("app/defaultSavePath", (_, _) => new(QbitReply.Text(paths.Value.CompletedPath))),
        QbitRoute.Read("app/preferences", (_, _) => new(QbitReply.Json(Preferences()))),
        QbitRoute.Read("app/cookies", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("app/networkInterfaceList", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("app/networkInterfaceAddressList", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Change("app/setPreferences", static (_, _) => new(QbitReply.Forbidden(SettingsElsewhere))),
        QbitRoute.Change("app/shutdown", static (_, _) => new(QbitReply.Forbidden())),
        new("auth/logout", ApiRights.None, (call, _) => new(gate.LogOut(call))) { IsCommand = true },
    ];

    /// <summary>Some clients show it; none acts by it.</summary>
    private static QbitReply BuildInfo() => QbitReply.Json(new SortedDictionary<string, object>(StringComparer.Ordinal)
    {
        ["bitness"] = IntPtr.Size * 8,
        ["boost"] = "1.86.0",
        ["libtorrent"] = "2.0.11.0",
        ["openssl"] = "3.5.0",
        ["platform"] = OperatingSystem.IsWindows() ? "windows" : OperatingSystem.IsMacOS() ? "macos" : "linux",
        ["qt"] = "6.9.0",
        ["zlib"] = "1.3.1",
    });

    /// <summary>What clients read. A <c>max_ratio_act</c> that removes would fail the test of Sonarr and Radarr; without <c>dht</c> they refuse links without trackers.</summary>
    private SortedDictionary<string, object> Preferences()
    {
        var limits = _seeding.Value.Limits;
        return new SortedDictionary<string, object>(StringComparer.Ordinal)
        {
            ["add_stopped_enabled"] = false,
            ["add_to_top_of_queue"] = false,
            ["alt_dl_limit"] = 0,
            ["alt_up_limit"] = 0,
            ["anonymous_mode"] = false,
            ["auto_tmm_enabled"] = false,
            ["bypass_local_auth"] = options.Value.TrustsThisMachine,
            ["category_changed_tmm_enabled"] = false,
            ["dht"] = true,
            ["dl_limit"] = options.Value.DownloadLimit,
            ["dont_count_slow_torrents"] = true,
            ["encryption"] = 0,
            ["incomplete_files_ext"] = false,
            ["listen_port"] = options.Value.Port,
            ["locale"] = "en",
            ["lsd"] = options.Value.LocalDiscovery,
            ["max_active_downloads"] = Bound(_seeding.Value.MaxActiveDownloads),
            ["max_active_torrents"] = -1,
            ["max_active_uploads"] = Bound(_seeding.Value.MaxActiveSeeds),
            ["max_inactive_seeding_time"] = limits.IdleTime is { } idle ? (long)idle.TotalMinutes : -1,
            ["max_inactive_seeding_time_enabled"] = limits.IdleTime is not null,
            ["max_ratio"] = limits.Ratio ?? -1,
            ["max_ratio_act"] = 0,
            ["max_ratio_enabled"] = limits.Ratio is not null,
            ["max_seeding_time"] = limits.SeedTime is { } time ? (long)time.TotalMinutes : -1,
            ["max_seeding_time_enabled"] = limits.SeedTime is not null,
            ["pex"] = options.Value.PeerExchange,
            ["preallocate_all"] = false,
            ["queueing_enabled"] = true,
            ["refresh_interval"] = SyncCalls.RefreshMilliseconds,
            ["rss_auto_downloading_enabled"] = false,
            ["rss_processing_enabled"] = false,
            ["save_path"] = paths.Value.CompletedPath,
            ["scheduler_enabled"] = false,
            ["temp_path"] = "",
            ["temp_path_enabled"] = false,
            ["torrent_changed_tmm_enabled"] = false,
            ["torrent_content_layout"] = "Original",
            ["torrent_stop_condition"] = "None",
            ["up_limit"] = options.Value.UploadLimit,
            ["use_subcategories"] = false,
            ["web_ui_ban_duration"] = (long)options.Value.BanLifetime.TotalSeconds,
            ["web_ui_csrf_protection_enabled"] = true,
            ["web_ui_max_auth_fail_count"] = options.Value.MostFailures,
            ["web_ui_session_timeout"] = (long)QbitSessions.Lifetime.TotalSeconds,
        };
    }

    /// <summary>For the original -1 is no bound, for us 0.</summary>
    private static int Bound(int most) => most == 0 ? -1 : most;
}
