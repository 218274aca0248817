using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A connected peer.</summary>
/// <param name="Address">Address and port.</param>
/// <param name="Client">Its program, according to the peer itself.</param>
/// <param name="Share">The share of the torrent that it has, 0 to 1.</param>
/// <param name="DownRate">Bytes per second from it, over the last four seconds.</param>
/// <param name="UpRate">Bytes per second to it, over the last four seconds.</param>
/// <param name="Choked">It does not answer requests.</param>
/// <param name="Interested">It wants pieces that this server has.</param>
/// <param name="Incoming">The peer opened the connection.</param>
/// <param name="Pending">Blocks that were requested from it and have not arrived.</param>
internal sealed record PeerBody(
    string Address, string? Client, double Share, double DownRate, double UpRate, bool Choked, bool Interested, bool Incoming, int Pending)
{
    /// <summary>Bytes received on this connection.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes sent on this connection.</summary>
    public long Uploaded { get; init; }

    /// <summary>This server does not answer its requests.</summary>
    public bool Choking { get; init; }

    /// <summary>It has pieces that this server wants.</summary>
    public bool Interesting { get; init; }

    /// <summary>How its address was learned; there may be several ways.</summary>
    public IReadOnlyList<PeerSourceName> Sources { get; init; } = [];

    /// <summary>How much of the connection is encrypted.</summary>
    public PeerEncryption Encryption { get; init; }

    /// <summary>The connection is by uTP, not by TCP.</summary>
    public bool Utp { get; init; }

    public static PeerBody Of(PeerStatus peer) => new(
        peer.Address.ToString(), peer.Client, peer.Progress, peer.DownRate, peer.UpRate, peer.PeerChoking, peer.PeerInterested,
        peer.IsIncoming,
        peer.Pending)
    {
        Downloaded = peer.Downloaded,
        Uploaded = peer.Uploaded,
        Choking = peer.AmChoking,
        Interesting = peer.AmInterested,
        Sources = PeerSourceNames.Of(peer.Sources),
        Encryption = peer.Encryption,
        Utp = peer.IsUtp,
    };
}

/// <summary>How a peer's address was learned.</summary>
internal enum PeerSourceName
{
    /// <summary>From a tracker.</summary>
    Tracker,

    /// <summary>From the distributed hash table (BEP 5).</summary>
    Dht,

    /// <summary>From another peer (BEP 11).</summary>
    Exchange,

    /// <summary>From the local network (BEP 14).</summary>
    Local,

    /// <summary>The peer opened the connection.</summary>
    Incoming,

    /// <summary>From the magnet link, the .torrent or a person.</summary>
    Link,

    /// <summary>The peer was reached when the torrent was open before.</summary>
    Saved,
}

/// <summary>Converts the engine's peer sources to names.</summary>
internal static class PeerSourceNames
{
    private static readonly (PeerSources Source, PeerSourceName Name)[] All =
    [
        (PeerSources.Tracker, PeerSourceName.Tracker), (PeerSources.Dht, PeerSourceName.Dht),
        (PeerSources.Exchange, PeerSourceName.Exchange), (PeerSources.Local, PeerSourceName.Local),
        (PeerSources.Incoming, PeerSourceName.Incoming), (PeerSources.Link, PeerSourceName.Link), (PeerSources.Saved, PeerSourceName.Saved),
    ];

    public static IReadOnlyList<PeerSourceName> Of(PeerSources sources) =>
        [.. All.Where(one => (sources & one.Source) != 0).Select(static one => one.Name)];
}
