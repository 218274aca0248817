using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A connected peer.</summary>
/// <param name="Address">Address and port.</param>
/// <param name="Client">Its program, by its own word.</param>
/// <param name="Share">What it has of the torrent, 0 to 1.</param>
/// <param name="DownRate">Bytes a second from it, over the last four seconds.</param>
/// <param name="UpRate">Bytes a second to it, over the last four seconds.</param>
/// <param name="Choked">It does not answer requests.</param>
/// <param name="Interested">It wants pieces of ours.</param>
/// <param name="Incoming">It came to us.</param>
/// <param name="Pending">Blocks that it was asked for and that have not come.</param>
internal sealed record PeerBody(string Address, string? Client, double Share, double DownRate, double UpRate, bool Choked, bool Interested, bool Incoming, int Pending)
{
    /// <summary>Bytes from it since it is connected.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes to it since it is connected.</summary>
    public long Uploaded { get; init; }

    /// <summary>We do not answer its requests.</summary>
    public bool Choking { get; init; }

    /// <summary>It has pieces that are wanted here.</summary>
    public bool Interesting { get; init; }

    /// <summary>How its address was learned; it may have come by several ways.</summary>
    public IReadOnlyList<PeerSourceName> Sources { get; init; } = [];

    /// <summary>What of the connection is encrypted.</summary>
    public PeerEncryption Encryption { get; init; }

    public static PeerBody Of(PeerStatus peer) => new(
        peer.Address.ToString(), peer.Client, peer.Share, peer.DownRate, peer.UpRate, peer.IsChoking, peer.IsInterested, peer.IsIncoming, peer.Pending)
    {
        Downloaded = peer.Downloaded,
        Uploaded = peer.Uploaded,
        Choking = peer.IsChoked,
        Interesting = peer.IsInteresting,
        Sources = PeerSourceNames.Of(peer.Sources),
        Encryption = peer.Encryption,
    };
}
