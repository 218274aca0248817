using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Status;

/// <summary>All that can be said of an open torrent at one moment.</summary>
public sealed record TorrentDetails
{
    /// <summary>Connected peers, those that give most first.</summary>
    public required IReadOnlyList<PeerStatus> Peers { get; init; }

    /// <summary>Its trackers.</summary>
    public required IReadOnlyList<TrackerStatus> Trackers { get; init; }

    /// <summary>The other ways to find peers: the DHT, peer exchange and the local network, in this order. <see cref="TrackerStatus.Peers"/> are known addresses that it named.</summary>
    public IReadOnlyList<TrackerStatus> Sources { get; init; } = [];

    /// <summary>What it holds; null while not described.</summary>
    public TorrentInfo? Info { get; init; }

    /// <summary>Pieces in order; empty while not described.</summary>
    public IReadOnlyList<PieceRun> Runs { get; init; } = [];

    /// <summary>Bytes held of each file of <see cref="Info"/>, in its order.</summary>
    public IReadOnlyList<long> FileBytes { get; init; } = [];
}
