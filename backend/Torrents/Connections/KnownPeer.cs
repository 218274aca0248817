using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>An address that may be dialled. Used under its torrent's lock.</summary>
/// <param name="endpoint">The address.</param>
/// <param name="sources">The sources that named it.</param>
internal sealed class KnownPeer(IPEndPoint endpoint, PeerSources sources)
{
    public IPEndPoint Endpoint { get; } = endpoint;

    /// <summary>The source that named it first, against whose limit it counts.</summary>
    public PeerSources First { get; } = sources;

    /// <summary>All sources that named it.</summary>
    public PeerSources Sources { get; set; } = sources;

    /// <summary>How a saved address was originally learned.</summary>
    public PeerSources Learned { get; set; }

    /// <summary>For a saved peer: how many times in a row the torrent was open without reaching it.</summary>
    public int Misses { get; set; }

    /// <summary>A peer that named it has connected to it (BEP 11).</summary>
    public bool IsReachable { get; set; }

    /// <summary>It was connected by uTP, or a peer that named it says that it speaks uTP (BEP 11).</summary>
    public bool SpeaksUtp { get; set; }

    /// <summary>It could not be reached by TCP: the next dial is by uTP (BEP 29).</summary>
    public bool NextByUtp { get; set; }

    /// <summary>Ticks before which it is not dialled by TCP again, if it is dialled by uTP meanwhile.</summary>
    public long ByTcpNotBefore { get; set; }

    /// <summary>True while it is being dialled or is connected.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Its handshake has arrived at least once.</summary>
    public bool WasReached { get; set; }

    /// <summary>True when an encrypted handshake had failed before it was last reached: it is dialled without one.</summary>
    public bool IsPlain { get; set; }

    /// <summary>
    /// It was named as a peer of the swarm that knows a hybrid torrent by its alias, and not as one of the other; or it was last reached by
    /// it.
    /// </summary>
    public bool ByAlias { get; set; }

    /// <summary>
    /// Dial it by the alias. Every second dial is not: a peer that names others (BEP 11) does not say which of the two hashes they know.
    /// </summary>
    public bool DialsByAlias => ByAlias && Failures % 2 == 0;

    /// <summary>See <see cref="CanonicalPriority"/>; 0 while our own address is not known.</summary>
    public uint Priority { get; set; }

    /// <summary>Failures in a row.</summary>
    public int Failures { get; set; }

    /// <summary>Ticks before which it is not dialled again.</summary>
    public long NotBefore { get; set; }
}
