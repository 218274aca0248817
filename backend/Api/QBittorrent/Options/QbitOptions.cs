using System.Net;

namespace NzbDav.Api.QBittorrent;

/// <summary>How the qBittorrent interface treats its callers. Immutable.</summary>
public sealed record QbitOptions
{
    /// <summary>The version of qBittorrent whose interface is described here, as <c>app/version</c> tells it.</summary>
    public const string Version = "v5.1.2";

    /// <summary>That of its Web API. From 2.14 on clients expect other answers to <c>auth/login</c> and <c>torrents/add</c>.</summary>
    public const string ApiVersion = "2.11.4";

    /// <summary>False: every call is answered with 404.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>From here nobody has to log in. Empty: everybody has to.</summary>
    public IReadOnlyList<IPNetwork> Networks { get; init; } = [];

    /// <summary>Programs on this machine need not log in.</summary>
    public bool TrustsThisMachine { get; init; }

    /// <summary>NZB jobs are listed beside the torrents.</summary>
    public bool ShowsNzbJobs { get; init; }

    /// <summary>Most bytes a second to peers, over all torrents; 0: no limit. Shown, not set here.</summary>
    public long UploadLimit { get; init; }

    /// <summary>Most bytes a second from peers, over all torrents; 0: no limit. Shown, not set here.</summary>
    public long DownloadLimit { get; init; }

    /// <summary>Peers tell each other of peers. Shown, not set here.</summary>
    public bool PeerExchange { get; init; } = true;

    /// <summary>Peers in the same network find each other. Shown, not set here.</summary>
    public bool LocalDiscovery { get; init; } = true;

    /// <summary>The port at which peers reach this server. Shown, not set here.</summary>
    public int Port { get; init; }

    /// <summary>Wrong logins in a row after which an address is banned, at least 1; qBittorrent's default.</summary>
    public int MostFailures { get; init; } = 5;

    /// <summary>How long an address is banned; qBittorrent's default.</summary>
    public TimeSpan BanLifetime { get; init; } = TimeSpan.FromHours(1);
}
