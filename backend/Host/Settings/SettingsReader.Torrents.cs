using System.Globalization;
using System.Net;
using NzbDav.Catalog.Torrents;
using NzbDav.Content.Proxies;
using NzbDav.Seeding;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>Torrents: their limits, how they are kept and seeded, and their network.</summary>
public sealed partial class SettingsReader
{
    /// <summary>64 GiB per second.</summary>
    private const int MostKiBps = 64 << 20;

    private TorrentSettings ReadTorrents()
    {
        var defaults = new TorrentSettings();
        var address = defaults.ListenAddress;
        if (ReadRaw("Torrents:ListenAddress", SettingKind.Text, address.ToString()) is { } text && !IPAddress.TryParse(text, out address!))
            Fault("Torrents:ListenAddress", $"'{text}' is not an address such as 0.0.0.0 or 192.168.1.2.");
        var texts = Names("Torrents:AlternativeTimes", []);
        if (WeekTimes.Parse(texts) is not { } times)
        {
            times = WeekTimes.None;
            Fault("Torrents:AlternativeTimes", $"'{string.Join(',', texts)}' are not times such as mon-fri 08:00-18:00, sat 10:00-24:00.");
        }

        return ReadNetwork(new TorrentSettings
        {
            Enabled = Flag("Torrents:Enabled", defaults.Enabled),
            ListenAddress = address ?? defaults.ListenAddress,
            Port = Number("Torrents:Port", defaults.Port, 0, 65_535),
            CacheMiB = Number("Torrents:CacheMiB", defaults.CacheMiB, 0, 64 << 20),
            WatchedReserveGiB = Number("Torrents:WatchedReserveGiB", defaults.WatchedReserveGiB, 0, 1 << 20),
            BudgetMiB = Number("Torrents:BudgetMiB", defaults.BudgetMiB, 16, 65_536),
            MaxPeers = Number("Torrents:MaxPeers", defaults.MaxPeers, 1, 1_000),
            MaxConnections = Number("Torrents:MaxConnections", defaults.MaxConnections, 10, 20_000),
            UploadSlots = Number("Torrents:UploadSlots", defaults.UploadSlots, 1, 100),
            DownloadLimit = Number("Torrents:DownloadLimit", defaults.DownloadLimit, 0, MostKiBps),
            UploadLimit = Number("Torrents:UploadLimit", defaults.UploadLimit, 0, MostKiBps),
            AlternativeTimes = times,
            AlternativeLimits = ReadAlternativeLimits(),
            AlternativeDownloadLimit = Number("Torrents:AlternativeDownloadLimit", defaults.AlternativeDownloadLimit, 0, MostKiBps),
            AlternativeUploadLimit = Number("Torrents:AlternativeUploadLimit", defaults.AlternativeUploadLimit, 0, MostKiBps),
            PeerExchange = Flag("Torrents:PeerExchange", defaults.PeerExchange),
            Utp = ReadUtp(),
            LocalDiscovery = Flag("Torrents:LocalDiscovery", defaults.LocalDiscovery),
            PrivateHosts = ReadHosts("Torrents:PrivateHosts"),
            KeepFolder = ReadKeepFolder(),
            Seeding = ReadSeeding(),
            Idle = TimeSpan.FromMinutes(Number("Torrents:IdleMinutes", (int)defaults.Idle.TotalMinutes, 1, 10_080)),
        });
    }

    private AlternativeLimits ReadAlternativeLimits()
    {
        switch (Choice("Torrents:AlternativeLimits", "times"))
        {
            case null or "times":
                return AlternativeLimits.AtTimes;
            case "always":
                return AlternativeLimits.Always;
            case "never":
                return AlternativeLimits.Never;
            case { } text:
                Fault("Torrents:AlternativeLimits", $"'{text}' is not one of times, always and never.");
                return AlternativeLimits.AtTimes;
        }
    }

    private string? ReadKeepFolder()
    {
        var folder = Text("Torrents:KeepFolder");
        if (folder is null || Path.IsPathRooted(folder))
            return folder;
        Fault("Torrents:KeepFolder", $"'{folder}' is not an absolute path.");
        return null;
    }

    private SeedingOptions ReadSeeding()
    {
        var defaults = new SeedingOptions();
        return new SeedingOptions
        {
            KeepCategories = Names("Torrents:KeepCategories", []),
            Categories = ReadCategoryPolicies(),
            Limits = new SharePolicy
            {
                Ratio = ReadRatio(),
                SeedTime = Number("Torrents:SeedMinutes", 0, 0, 5_256_000) is > 0 and var minutes ? TimeSpan.FromMinutes(minutes) : null,
                IdleTime = Number("Torrents:SeedIdleMinutes", 0, 0, 5_256_000) is > 0 and var idle ? TimeSpan.FromMinutes(idle) : null,
                NeedsBoth = Picked("Torrents:SeedUntil", "either", ("either", false), ("both", true)),
                AtLimit = Picked("Torrents:AtLimit", "stop", ("stop", LimitAction.Stop), ("remove", LimitAction.Remove),
                    ("removeData", LimitAction.RemoveData)),
            },
            KeepPrivate = Flag("Torrents:KeepPrivate", defaults.KeepPrivate),
            KeepFree = (long)Number("Torrents:KeepFreeMiB", (int)(defaults.KeepFree >> 20), 0, 67_108_864) << 20,
            MaxActiveDownloads = Number("Torrents:MaxActiveDownloads", defaults.MaxActiveDownloads, 0, 10_000),
            MaxActiveSeeds = Number("Torrents:MaxActiveSeeds", defaults.MaxActiveSeeds, 0, 10_000),
            WaitForCopy = Flag("Torrents:WaitForCopy", defaults.WaitForCopy),
            CopyTimeout = TimeSpan.FromMinutes(Number("Torrents:CopyMinutes", (int)defaults.CopyTimeout.TotalMinutes, 0, 525_600)),
        };
    }

    private Dictionary<string, CategoryPolicy> ReadCategoryPolicies()
    {
        var policies = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase);
        foreach (var text in Names("Torrents:CategoryPolicies", []))
        {
            if (CategoryPolicy.Parse(text) is not { } read)
                Fault("Torrents:CategoryPolicies", $"'{text}' is not a policy such as {CategoryPolicy.Example}.");
            else if (!policies.TryAdd(read.Category, read.Policy))
                Fault("Torrents:CategoryPolicies", $"'{read.Category}' has two policies.");
        }

        return policies;
    }

    /// <summary>0: no limit.</summary>
    private double? ReadRatio()
    {
        if (Text("Torrents:Ratio", "0") is not { } text)
            return null;
        if (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var ratio)
            && ratio is >= 0 and <= 10_000)
            return ratio > 0 ? ratio : null;
        Fault("Torrents:Ratio", $"'{text}' is not a ratio such as 1.5; 0 is no limit.");
        return null;
    }

    /// <summary>One of several words; the first of them if the text is none of these.</summary>
    private T Picked<T>(string path, string otherwise, params (string Word, T Value)[] words)
    {
        var text = Choice(path, otherwise) ?? otherwise;
        foreach (var (word, value) in words)
        {
            if (word.Equals(text, StringComparison.OrdinalIgnoreCase))
                return value;
        }

        Fault(path, $"'{text}' is not one of {string.Join(", ", words.Select(static word => word.Word))}.");
        return words[0].Value;
    }

    private TorrentSettings ReadNetwork(TorrentSettings settings) => settings with
    {
        Encryption = ReadEncryption(),
        Bind = ReadBind(),
        Proxy = ReadProxy("Torrents:Proxy"),
        Blocklist = ReadBlocklist(),
        BannedAddresses = ReadBannedAddresses(),
        PortMapping = Flag("Torrents:PortMapping", settings.PortMapping),
        Dht = Flag("Torrents:Dht", settings.Dht),
        DhtBootstrap = ReadBootstrap(),
    };

    private string? ReadBind()
    {
        var text = Text("Torrents:Bind");
        if (text is not null && text.AsSpan().ContainsAny(" /\0"))
            Fault("Torrents:Bind", $"'{text}' is neither an address such as 10.8.0.2 nor an interface such as wg0.");
        return text;
    }

    private string? ReadBlocklist()
    {
        var path = Text("Torrents:Blocklist");
        if (path is not null && !Path.IsPathFullyQualified(path))
            Fault("Torrents:Blocklist", $"'{path}' is not an absolute path.");
        return path;
    }

    private List<IPAddress> ReadBannedAddresses()
    {
        var addresses = new List<IPAddress>();
        foreach (var text in Names("Torrents:BannedAddresses", []))
        {
            if (IPAddress.TryParse(text, out var address))
                addresses.Add(address);
            else
                Fault("Torrents:BannedAddresses", $"'{text}' is not an address such as 203.0.113.7.");
        }

        return addresses;
    }

    private ProxyAddress? ReadProxy(string path)
    {
        if (Secret(path) is not { } text)
            return null;

        // The text is not repeated: it may contain a password.
        if (!ProxyAddress.TryParse(text, out var proxy))
            Fault(path, "it is not an address such as socks5://user:password@host:1080 or http://host:8080.");
        return proxy;
    }

    private IReadOnlyList<string> ReadBootstrap()
    {
        var nodes = Names("Torrents:DhtBootstrap", []) ?? [];
        foreach (var node in nodes)
        {
            var colon = node.LastIndexOf(':');
            if (colon <= 0 || Uri.CheckHostName(node[..colon]) == UriHostNameType.Unknown
                || !ushort.TryParse(node.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port) || port == 0)
                Fault("Torrents:DhtBootstrap", $"'{node}' is not a node such as router.example.com:6881 or [2001:db8::1]:6881.");
        }

        return nodes;
    }

    private UtpPolicy ReadUtp()
    {
        switch (Choice("Torrents:Utp", "dial"))
        {
            case null or "dial":
                return UtpPolicy.Dial;
            case "on":
                return UtpPolicy.On;
            case "off":
                return UtpPolicy.Off;
            case var text:
                Fault("Torrents:Utp", $"'{text}' is not one of dial, on and off.");
                return UtpPolicy.Dial;
        }
    }

    private EncryptionPolicy ReadEncryption()
    {
        switch (Choice("Torrents:Encryption", "prefer"))
        {
            case null or "prefer":
                return EncryptionPolicy.Prefer;
            case "require":
                return EncryptionPolicy.Require;
            case "off":
                return EncryptionPolicy.Off;
            case { } text:
                Fault("Torrents:Encryption", $"'{text}' is not one of prefer, require and off.");
                return EncryptionPolicy.Prefer;
        }
    }
}
