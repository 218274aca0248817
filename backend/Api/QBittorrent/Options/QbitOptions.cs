using System.Net;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent.Options;

/// <summary>Options of the qBittorrent interface. Immutable.</summary>
public sealed record QbitOptions
{
    /// <summary>The version of qBittorrent whose interface is implemented here, as returned by <c>app/version</c>.</summary>
    public const string Version = "v5.1.2";

    /// <summary>
    /// The version of its Web API. From 2.14 on, clients expect different answers to <c>auth/login</c> and <c>torrents/add</c>.
    /// </summary>
    public const string ApiVersion = "2.11.4";

    /// <summary>How often clients should poll, in milliseconds: qBittorrent's default.</summary>
    internal const int RefreshMilliseconds = 1_500;

    /// <summary>False: every call is answered with 404.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>Networks whose clients need not log in; empty: none.</summary>
    public IReadOnlyList<IPNetwork> Networks { get; init; } = [];

    /// <summary>Programs on this machine need not log in.</summary>
    public bool TrustsThisMachine { get; init; }

    /// <summary>True if NZB jobs are listed with the torrents.</summary>
    public bool ShowsNzbJobs { get; init; }

    /// <summary>Most bytes per second to peers, over all torrents; 0: no limit.</summary>
    public long UploadLimit { get; init; }

    /// <summary>Most bytes per second from peers, over all torrents; 0: no limit.</summary>
    public long DownloadLimit { get; init; }

    /// <summary>Like <see cref="UploadLimit"/>, while the alternative limits apply.</summary>
    public long AlternativeUploadLimit { get; init; }

    /// <summary>Like <see cref="DownloadLimit"/>, while the alternative limits apply.</summary>
    public long AlternativeDownloadLimit { get; init; }

    /// <summary>Whether peers exchange addresses of other peers.</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Whether peers in the same network find each other.</summary>
    public bool LocalDiscovery { get; init; } = true;

    /// <summary>Whether the distributed hash table is used to find peers.</summary>
    public bool Dht { get; init; } = true;

    /// <summary>The proxy for all torrent traffic; null: none.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>Wrong logins in a row after which an address is banned, at least 1; qBittorrent's default.</summary>
    public int MostFailures { get; init; } = 5;

    /// <summary>How long an address is banned; qBittorrent's default.</summary>
    public TimeSpan BanLifetime { get; init; } = TimeSpan.FromHours(1);
}
