using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>A torrent as <see cref="LocalDiscovery"/> sees it. Thread-safe.</summary>
internal interface ILocalTorrent
{
    /// <summary>Its info-hash, or its alias. Immutable.</summary>
    InfoHash Hash { get; }

    /// <summary>True if it is named by its alias: the torrent with this info-hash comes first. Immutable.</summary>
    bool IsAlias { get; }

    /// <summary>True if it is known to be private; it is then not announced. Called under the service's lock: must take no lock.</summary>
    bool IsPrivate { get; }

    /// <summary>A peer in the local network shares it. Called outside the service's lock.</summary>
    void Found(IPEndPoint peer);
}
