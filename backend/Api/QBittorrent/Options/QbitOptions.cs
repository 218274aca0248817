using System.Net;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent;

/// <summary>How the qBittorrent interface treats its callers. Immutable.</summary>
public sealed record QbitOptions
{
    /// <summary>The version of qBittorrent whose interface is described here, as <c>app/version</c> tells it.</summary>
    public const string Version = "v5.1.2";

    /// <summary>That of its Web API. From 2.14 on clients expect other answers to <c>auth/login</c> and <c>torrents/add</c>.</summary>
    public const string ApiVersion = "2.11.4";

    /// <summary>How often clients are to ask, in milliseconds: the original's default.</summary>
    internal const int RefreshMilliseconds = 1_500;

    /// <summary>False: every call is answered with 404.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>From here nobody has to log in. Empty: everybody has to.</summary>
    public IReadOnlyList<IPNetwork> Networks { get; init; } = [];

    /// <summary>Programs on this machine need not log in.</summary>
    public bool TrustsThisMachine { get; init; }

    /// <summary>NZB jobs are listed beside the torrents.</summary>
    public bool ShowsNzbJobs { get; init; }

    /// <summary>Most bytes a second to peers, over all torrents; 0: no limit.</summary>
    public long UploadLimit { get; init; }

    /// <summary>Most bytes a second from peers, over all torrents; 0: no limit.</summary>
    public long DownloadLimit { get; init; }

    /// <summary>As <see cref="UploadLimit"/>, while the alternative limits hold.</summary>
    public long AlternativeUploadLimit { get; init; }

    /// <summary>As <see cref="DownloadLimit"/>, while the alternative limits hold.</summary>
    public long AlternativeDownloadLimit { get; init; }

    /// <summary>Peers tell each other of peers.</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Peers in the same network find each other.</summary>
    public bool LocalDiscovery { get; init; } = true;

    /// <summary>The distributed hash table is asked for peers.</summary>
    public bool Dht { get; init; } = true;

    /// <summary>What everything of torrents goes through; null: nothing.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>Wrong logins in a row after which an address is banned, at least 1; qBittorrent's default.</summary>
    public int MostFailures { get; init; } = 5;

    /// <summary>How long an address is banned; qBittorrent's default.</summary>
    public TimeSpan BanLifetime { get; init; } = TimeSpan.FromHours(1);
}
