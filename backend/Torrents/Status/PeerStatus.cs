using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>A connected peer.</summary>
public sealed record PeerStatus
{
    /// <summary>The address at which it can be reached, if known; otherwise the one that it connected from.</summary>
    public required IPEndPoint Address { get; init; }

    /// <summary>Its client name, as sent by the peer; null until then.</summary>
    public string? Client { get; init; }

    /// <summary>Share of the torrent that it has, 0 … 1.</summary>
    public double Progress { get; init; }

    /// <summary>Bytes of blocks per second from it, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks per second to it, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes of blocks from it since it connected.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes of blocks to it since it connected.</summary>
    public long Uploaded { get; init; }

    /// <summary>True if the peer is choking us: it answers no requests.</summary>
    public bool PeerChoking { get; init; }

    /// <summary>True if the peer is interested: it wants pieces from us.</summary>
    public bool PeerInterested { get; init; }

    /// <summary>True if we are choking the peer: we answer none of its requests.</summary>
    public bool AmChoking { get; init; }

    /// <summary>True if we are interested: it has pieces that we want.</summary>
    public bool AmInterested { get; init; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; init; }

    /// <summary>Which part of the connection is encrypted.</summary>
    public PeerEncryption Encryption { get; init; }

    /// <summary>True for a connection by uTP (BEP 29), false for TCP.</summary>
    public bool IsUtp { get; init; }

    /// <summary>True if it connected to us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>Blocks requested from it that have not arrived.</summary>
    public int Pending { get; init; }
}

/// <summary>How a peer's address was learned. One address may come from several sources.</summary>
[Flags]
public enum PeerSources
{
    /// <summary>Unknown.</summary>
    None = 0,

    /// <summary>A tracker named it.</summary>
    Tracker = 1,

    /// <summary>A node of the distributed hash table named it (BEP 5).</summary>
    Dht = 2,

    /// <summary>Another peer named it (BEP 11).</summary>
    Exchange = 4,

    /// <summary>It announced itself in the local network (BEP 14).</summary>
    Local = 8,

    /// <summary>It connected to us.</summary>
    Incoming = 16,

    /// <summary>The magnet link, the .torrent or the user named it.</summary>
    Link = 32,

    /// <summary>It was reached when the torrent was open before.</summary>
    Saved = 64,
}

/// <summary>Which part of a connection is encrypted (message stream encryption).</summary>
public enum PeerEncryption
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The handshake; the rest is plain text.</summary>
    Handshake,

    /// <summary>Everything.</summary>
    Full,
}
