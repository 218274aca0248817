using NzbDav.Api.QBittorrent.Options;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>Settings with the server's defaults and bounds. Those in <see cref="Locked"/> are set by the environment.</summary>
internal sealed class StubSettings : IQbitSettings
{
    private readonly Dictionary<string, QbitSetting> _settings = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Torrents:DownloadLimit"] = new("0", 0, 64 << 20),
        ["Torrents:UploadLimit"] = new("0", 0, 64 << 20),
        ["Torrents:AlternativeDownloadLimit"] = new("0", 0, 64 << 20),
        ["Torrents:AlternativeUploadLimit"] = new("0", 0, 64 << 20),
        ["Torrents:AlternativeTimes"] = new("none", 0, 0),
        ["Torrents:AlternativeLimits"] = new("times", 0, 0),
        ["Torrents:Dht"] = new("true", 0, 0),
        ["Torrents:PeerExchange"] = new("true", 0, 0),
        ["Torrents:Utp"] = new("dial", 0, 0),
        ["Torrents:LocalDiscovery"] = new("true", 0, 0),
        ["Torrents:DhtBootstrap"] = new("none", 0, 0),
        ["Torrents:Encryption"] = new("prefer", 0, 0),
        ["Torrents:MaxConnections"] = new("500", 10, 20_000),
        ["Torrents:MaxPeers"] = new("100", 1, 1_000),
        ["Torrents:UploadSlots"] = new("8", 1, 100),
        ["Torrents:MaxActiveDownloads"] = new("0", 0, 10_000),
        ["Torrents:MaxActiveSeeds"] = new("0", 0, 10_000),
        ["Torrents:Ratio"] = new("0", 0, 0),
        ["Torrents:SeedMinutes"] = new("0", 0, 5_256_000),
        ["Torrents:SeedIdleMinutes"] = new("0", 0, 5_256_000),
        ["Torrents:AtLimit"] = new("stop", 0, 0),
        ["Torrents:BannedAddresses"] = new("none", 0, 0),
        ["Torrents:Port"] = new("0", 0, 65_535),
        ["Torrents:PortMapping"] = new("true", 0, 0),
        ["Torrents:Proxy"] = new(null, 0, 0),
        ["Torrents:Blocklist"] = new(null, 0, 0),
        ["Torrents:Bind"] = new(null, 0, 0),
        ["Qbit:TrustLocalhost"] = new("false", 0, 0),
        ["Qbit:Networks"] = new("none", 0, 0),
        ["Qbit:MaxFailures"] = new("5", 1, 1_000),
        ["Qbit:BanMinutes"] = new("60", 1, 10_080),
    };

    private readonly Dictionary<string, QbitSetting> _defaults;

    public StubSettings() => _defaults = new(_settings, StringComparer.OrdinalIgnoreCase);

    /// <summary>Settings that cannot be changed.</summary>
    public HashSet<string> Locked { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>All applied changes.</summary>
    public List<IReadOnlyDictionary<string, string?>> Changes { get; } = [];

    public string? this[string path] => _settings[path].Value;

    public IReadOnlyDictionary<string, QbitSetting> Read() =>
        new Dictionary<string, QbitSetting>(_settings, StringComparer.OrdinalIgnoreCase);

    public Task<string?> ChangeAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken)
    {
        if (changes.Keys.FirstOrDefault(path => Locked.Contains(path)) is { } locked)
            return Task.FromResult<string?>($"NzbDav:{locked}: it is set by the environment.");
        foreach (var (path, value) in changes)
            _settings[path] = value is null ? _defaults[path] : _settings[path] with { Value = value };
        Changes.Add(changes);
        return Task.FromResult<string?>(null);
    }
}
