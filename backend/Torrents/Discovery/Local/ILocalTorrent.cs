using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>A torrent as <see cref="LocalDiscovery"/> sees it. Thread-safe.</summary>
internal interface ILocalTorrent
{
    /// <summary>Its name in the swarm.</summary>
    InfoHash Hash { get; }

    /// <summary>It is known to be private: it is not announced. Asked for under the service's lock: must take none.</summary>
    bool IsPrivate { get; }

    /// <summary>Somebody in the local network shares it. Called outside the service's lock.</summary>
    void Found(IPEndPoint peer);
}
