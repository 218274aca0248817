using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>An address that may be dialled. Used under its torrent's lock.</summary>
/// <param name="endpoint">The address.</param>
/// <param name="sources">The sources that named it.</param>
internal sealed class KnownPeer(IPEndPoint endpoint, PeerSources sources)
{
    public IPEndPoint Endpoint { get; } = endpoint;

    /// <summary>The source that named it first. It counts against that source's limit.</summary>
    public PeerSources First { get; } = sources;

    /// <summary>All sources that named it.</summary>
    public PeerSources Sources { get; set; } = sources;

    /// <summary>How a saved address was originally learned.</summary>
    public PeerSources LearnedFrom { get; set; }

    /// <summary>For a saved peer: how many times in a row the torrent was opened without reaching it.</summary>
    public int Misses { get; set; }

    /// <summary>The peer that named it has connected to it (BEP 11).</summary>
    public bool IsReachable { get; set; }

    /// <summary>It was connected by uTP, or the peer that named it says that it speaks uTP (BEP 11).</summary>
    public bool SpeaksUtp { get; set; }

    /// <summary>TCP did not reach it: the next dial is by uTP (BEP 29).</summary>
    public bool NextByUtp { get; set; }

    /// <summary>Ticks before which it is not dialled by TCP again. A dial by uTP may come earlier.</summary>
    public long ByTcpNotBefore { get; set; }

    /// <summary>True while it is being dialled or is connected.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Its handshake has arrived at least once.</summary>
    public bool WasReached { get; set; }

    /// <summary>It was last reached without encryption, after an encrypted handshake had failed: it is dialled without.</summary>
    public bool IsPlain { get; set; }

    /// <summary>
    /// It was named only as a peer of the swarm that knows a hybrid torrent by its alias, or it was last reached by the alias.
    /// </summary>
    public bool ByAlias { get; set; }

    /// <summary>
    /// True to dial it by the alias. Every second dial uses the other hash: a peer that names others (BEP 11) does not say which of the two
    /// they know.
    /// </summary>
    public bool DialsByAlias => ByAlias && Failures % 2 == 0;

    /// <summary>See <see cref="CanonicalPriority"/>; 0 while our own address is unknown.</summary>
    public uint Priority { get; set; }

    /// <summary>Failures in a row.</summary>
    public int Failures { get; set; }

    /// <summary>Ticks before which it is not dialled again.</summary>
    public long NotBefore { get; set; }
}
