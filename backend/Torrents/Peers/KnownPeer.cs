using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>An address that may be dialled. Used under its torrent's lock.</summary>
internal sealed class KnownPeer(IPEndPoint endpoint)
{
    public IPEndPoint Endpoint { get; } = endpoint;

    /// <summary>Being dialled, or connected.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Its handshake came at least once.</summary>
    public bool WasReached { get; set; }

    /// <summary>Failures in a row.</summary>
    public int Failures { get; set; }

    /// <summary>Ticks before which it is not dialled again.</summary>
    public long NotBefore { get; set; }
}
