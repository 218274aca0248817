using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>A connected peer.</summary>
public sealed record PeerStatus
{
    /// <summary>The address at which it can be reached, if known; otherwise the one it connected from.</summary>
    public required IPEndPoint Address { get; init; }

    /// <summary>Its program, as it says; null before it has.</summary>
    public string? Client { get; init; }

    /// <summary>Share of the torrent that it has, 0 … 1.</summary>
    public double Share { get; init; }

    /// <summary>Bytes of blocks a second from it, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks a second to it, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes of blocks from it since it connected.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes of blocks to it since it connected.</summary>
    public long Uploaded { get; init; }

    /// <summary>It does not answer requests.</summary>
    public bool IsChoking { get; init; }

    /// <summary>It wants pieces from us.</summary>
    public bool IsInterested { get; init; }

    /// <summary>We do not answer its requests.</summary>
    public bool IsChoked { get; init; }

    /// <summary>It has pieces that we want.</summary>
    public bool IsInteresting { get; init; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; init; }

    /// <summary>Which part of the connection is encrypted.</summary>
    public PeerEncryption Encryption { get; init; }

    /// <summary>The connection is by uTP (BEP 29), not by TCP.</summary>
    public bool IsUtp { get; init; }

    /// <summary>It connected to us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>Blocks that were requested from it and have not arrived.</summary>
    public int Pending { get; init; }
}

/// <summary>How a peer's address was learned. One address may come from several sources.</summary>
[Flags]
public enum PeerSources
{
    /// <summary>Not known.</summary>
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

    /// <summary>It was reached while the torrent was open earlier.</summary>
    Saved = 64,
}

/// <summary>What of a connection is encrypted (message-stream encryption).</summary>
public enum PeerEncryption
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The handshake; the rest is plain.</summary>
    Handshake,

    /// <summary>Everything.</summary>
    Full,
}
