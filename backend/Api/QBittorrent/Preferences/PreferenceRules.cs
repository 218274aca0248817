using System.Globalization;
using System.Net;
using NzbDav.Access.Keys;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>All preferences that are settings here. Names and units of preferences are qBittorrent's.</summary>
internal static class PreferenceRules
{
    private const string Times = "Torrents:AlternativeTimes";
    private const string Ratio = "Torrents:Ratio";
    private const string Bind = "Torrents:Bind";
    private const string Networks = "Qbit:Networks";

    /// <summary>A limit of 0 means "reached at once" to clients, but "no limit" here, so the smallest ratio stands for it.</summary>
    private const double LeastRatio = 0.001;

    private static readonly string[] Encryptions = ["prefer", "require", "off"];
    private static readonly string[] Actions = ["stop", "remove", "", "removeData"];

    public static IReadOnlyList<PreferenceRule> All { get; } =
    [
        PreferenceRule.Rate("dl_limit", "Torrents:DownloadLimit"),
        PreferenceRule.Rate("up_limit", "Torrents:UploadLimit"),
        PreferenceRule.Rate("alt_dl_limit", "Torrents:AlternativeDownloadLimit"),
        PreferenceRule.Rate("alt_up_limit", "Torrents:AlternativeUploadLimit"),
        new(source => PreferenceSchedule.Describe(source.List(Times)), static (values, _) => [(Times, PreferenceSchedule.TextOf(values))]),
        PreferenceRule.Flag("dht", "Torrents:Dht"),
        PreferenceRule.Flag("pex", "Torrents:PeerExchange"),
        PreferenceRule.Flag("lsd", "Torrents:LocalDiscovery"),
        PreferenceRule.Of("dht_bootstrap_nodes", "Torrents:DhtBootstrap", static source =>
            string.Join(", ", source.List("Torrents:DhtBootstrap")), static (values, _) => Joined(values.Text("dht_bootstrap_nodes"))),

        // 0 is both, 1 TCP only, 2 uTP only, which does not exist here. Clients read 1 unless uTP is on, and write that back.
        PreferenceRule.Of(
            "bittorrent_protocol",
            "Torrents:Utp",
            static source => source.Text("Torrents:Utp") == "on" ? 0L : 1L,
            static (values, source) => values.Number("bittorrent_protocol") switch
            {
                0 or 2 => "on",
                1 when source.Text("Torrents:Utp") == "on" => "dial",
                _ => source.Text("Torrents:Utp"),
            }),
        PreferenceRule.Of(
            "encryption",
            "Torrents:Encryption",
            static source => (long)Math.Max(0, Array.IndexOf(Encryptions, source.Text("Torrents:Encryption"))),
            static (values, source) =>
                values.Number("encryption") is >= 0 and <= 2 and var choice ? Encryptions[choice] : source.Text("Torrents:Encryption")),
        PreferenceRule.Count("max_connec", "Torrents:MaxConnections"),
        PreferenceRule.Count("max_connec_per_torrent", "Torrents:MaxPeers"),
        PreferenceRule.Count("max_uploads_per_torrent", "Torrents:UploadSlots"),
        PreferenceRule.Count("max_active_downloads", "Torrents:MaxActiveDownloads", none: 0),
        PreferenceRule.Count("max_active_uploads", "Torrents:MaxActiveSeeds", none: 0),

        // Without queueing there are no limits on active torrents. Queueing is always reported as on: otherwise the *arrs refuse to set an
        // order.
        new(static _ => Values(("queueing_enabled", true)),
            static (_, _) => [("Torrents:MaxActiveDownloads", "0"), ("Torrents:MaxActiveSeeds", "0")]),
        new(
            static source => Values(
                ("max_ratio_enabled", source.Decimal(Ratio) > 0), ("max_ratio", source.Decimal(Ratio) is > 0 and var ratio ? ratio : -1.0)),
            static (values, _) => [(Ratio, IsOn(values, "max_ratio", values.Decimal("max_ratio"))
                ? Math.Clamp(values.Decimal("max_ratio"), LeastRatio, 10_000).ToString("0.###", CultureInfo.InvariantCulture) : "0")]),
        Minutes("max_seeding_time", "Torrents:SeedMinutes"),
        Minutes("max_inactive_seeding_time", "Torrents:SeedIdleMinutes"),

        // 2 is super seeding, which is not supported.
        PreferenceRule.Of(
            "max_ratio_act",
            "Torrents:AtLimit",
            static source => (long)Math.Max(0, Array.IndexOf(Actions, source.Text("Torrents:AtLimit"))),
            static (values, source) =>
                values.Number("max_ratio_act") is var action and (0 or 1 or 3) ? Actions[action] : source.Text("Torrents:AtLimit")),
        PreferenceRule.Of(
            "banned_IPs", BannedAddresses, static source => string.Join('\n', source.List(BannedAddresses)),
            static (values, _) => ListOf(values.Text("banned_IPs").Split('\n', StringSplitOptions.TrimEntries)
                .Where(static text => IPAddress.TryParse(text, out var _)))),

        PreferenceRule.Of(
            "listen_port", "Torrents:Port", static source => source.Number("Torrents:Port") is > 0 and var port ? port : source.Port,
            static (values, source) => source.Bounded("Torrents:Port", values.Number("listen_port")))
            with { Needs = ApiRights.Manage, IsForTrustedNetworks = true },
        PreferenceRule.Flag("upnp", "Torrents:PortMapping") with { Needs = ApiRights.Manage },
        new(ReadProxy, ChangeProxy) { Needs = ApiRights.Manage },
        new(
            static source => Values(("ip_filter_enabled", source.Text("Torrents:Blocklist") is { Length: > 0 }),
                ("ip_filter_path", source.Text("Torrents:Blocklist") ?? "")),
            static (values, _) => [("Torrents:Blocklist", (values.Flag("ip_filter_enabled") || !values.Changes("ip_filter_enabled"))
                && values.Text("ip_filter_path") is { Length: > 0 } path ? path : null)]) { Needs = ApiRights.Manage },
        new(ReadInterface, ChangeInterface) { Needs = ApiRights.Manage },
        PreferenceRule.Flag("bypass_local_auth", "Qbit:TrustLocalhost") with { Needs = ApiRights.Manage },
        new(
            static source => Values(("bypass_auth_subnet_whitelist_enabled", source.List(Networks).Length > 0),
                ("bypass_auth_subnet_whitelist", string.Join('\n', source.List(Networks)))),
            static (values, _) =>
                [(Networks, values.Flag("bypass_auth_subnet_whitelist_enabled") || !values.Changes("bypass_auth_subnet_whitelist_enabled")
                ? Joined(values.Text("bypass_auth_subnet_whitelist")) : null)]) { Needs = ApiRights.Manage },
        PreferenceRule.Count("web_ui_max_auth_fail_count", "Qbit:MaxFailures") with { Needs = ApiRights.Manage },
        PreferenceRule.Of(
            "web_ui_ban_duration", "Qbit:BanMinutes", static source => source.Number("Qbit:BanMinutes") * 60, static (values, source) =>
                source.Bounded("Qbit:BanMinutes", (values.Number("web_ui_ban_duration") + 59) / 60)) with { Needs = ApiRights.Manage },
    ];

    /// <summary>The setting with the addresses that clients banned.</summary>
    public const string BannedAddresses = "Torrents:BannedAddresses";

    /// <summary>Formats a list for a setting; null: empty.</summary>
    public static string? ListOf(IEnumerable<string> items) =>
        string.Join(',', items.Distinct(StringComparer.OrdinalIgnoreCase)) is { Length: > 0 } text ? text : null;

    private static string? Joined(string text) =>
        ListOf(text.Split([',', ';', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));

    private static Dictionary<string, object> Values(params (string Name, object Value)[] values) =>
        values.ToDictionary(static pair => pair.Name, static pair => pair.Value, StringComparer.Ordinal);

    /// <summary>A limit with a separate switch. If a client sends only the limit, it is on unless it is negative.</summary>
    private static bool IsOn(PreferenceValues values, string name, double limit) =>
        limit >= 0 && (values.Flag(name + "_enabled") || (values.Changes(name) && !values.Changes(name + "_enabled")));

    private static PreferenceRule Minutes(string name, string path) => new(
        source => Values((name + "_enabled", source.Number(path) > 0), (name, source.Number(path) is > 0 and var minutes ? minutes : -1L)),
        (values, source) =>
            [(path, IsOn(values, name, values.Number(name)) ? source.Bounded(path, Math.Max(1, values.Number(name))) : "0")]);

    /// <summary>The proxy's preferences, without the password.</summary>
    private static Dictionary<string, object> ReadProxy(PreferenceSource source) => Values(
        ("proxy_type", source.Proxy?.Kind switch { ProxyKind.Socks5 => "SOCKS5", ProxyKind.Http => "HTTP", _ => "None" }),
        ("proxy_ip", source.Proxy?.Host ?? ""),
        ("proxy_port", (long)(source.Proxy?.Port ?? 8_080)),
        ("proxy_auth_enabled", source.Proxy is { User.Length: > 0 }),
        ("proxy_username", source.Proxy?.User ?? ""),
        ("proxy_password", ""));

    /// <summary>
    /// A password that is not sent is kept only if kind, host, port and user stay the same: it must not go to another proxy.
    /// </summary>
    private static IEnumerable<(string Path, string? Value)> ChangeProxy(PreferenceValues values, PreferenceSource source)
    {
        const string Path = "Torrents:Proxy";
        var scheme = values.Text("proxy_type").ToUpperInvariant() switch { "SOCKS5" => "socks5", "HTTP" => "http", _ => null };
        var host = values.Text("proxy_ip").Trim();
        if (scheme is null || host.Length == 0)
            return [(Path, null)];
        var isSame = source.Proxy is not null && !values.Changes("proxy_type") && !values.Changes("proxy_ip")
            && !values.Changes("proxy_port")
            && !values.Changes("proxy_username");
        var user = values.Flag("proxy_auth_enabled") || (values.Changes("proxy_username") && !values.Changes("proxy_auth_enabled"))
            ? values.Text("proxy_username") : "";
        var password = values.Changes("proxy_password") ? values.Text("proxy_password") : isSame ? source.Proxy!.Password : "";
        var login = user.Length == 0 ? "" : $"{Uri.EscapeDataString(user)}:{Uri.EscapeDataString(password)}@";
        if (host.Contains(':', StringComparison.Ordinal) && host[0] != '[')
            host = $"[{host}]";
        return [(Path,
            string.Create(CultureInfo.InvariantCulture, $"{scheme}://{login}{host}:{Math.Clamp(values.Number("proxy_port"), 1, 65_535)}"))];
    }

    private static Dictionary<string, object> ReadInterface(PreferenceSource source)
    {
        var bind = source.Text(Bind) ?? "";
        var isAddress = IPAddress.TryParse(bind, out _);
        return Values(("current_network_interface", isAddress ? "" : bind), ("current_interface_address", isAddress ? bind : ""));
    }

    private static IEnumerable<(string Path, string? Value)> ChangeInterface(PreferenceValues values, PreferenceSource source)
    {
        var (name, address) = (values.Text("current_network_interface"), values.Text("current_interface_address"));
        var any = address is "" or "0.0.0.0" or "::";
        return [(Bind, any ? name.Length > 0 ? name : null : address)];
    }
}
