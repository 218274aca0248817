using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>An address that may be dialled. Used under its torrent's lock.</summary>
/// <param name="endpoint">The address.</param>
/// <param name="sources">Who named it.</param>
internal sealed class KnownPeer(IPEndPoint endpoint, PeerSources sources)
{
    public IPEndPoint Endpoint { get; } = endpoint;

    /// <summary>The first that named it: it counts against the bound of that one.</summary>
    public PeerSources First { get; } = sources;

    /// <summary>All that named it.</summary>
    public PeerSources Sources { get; set; } = sources;

    /// <summary>How a saved one had been learned.</summary>
    public PeerSources Learned { get; set; }

    /// <summary>Of a saved one: times in a row that the torrent was open before and did not reach it.</summary>
    public int Misses { get; set; }

    /// <summary>Being dialled, or connected.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Its handshake came at least once.</summary>
    public bool WasReached { get; set; }

    /// <summary>When it was reached last, an encrypted handshake had failed: it is dialled without one.</summary>
    public bool IsPlain { get; set; }

    /// <summary>See <see cref="CanonicalPriority"/>; 0 while our own address is not known.</summary>
    public uint Priority { get; set; }

    /// <summary>Failures in a row.</summary>
    public int Failures { get; set; }

    /// <summary>Ticks before which it is not dialled again.</summary>
    public long NotBefore { get; set; }
}
