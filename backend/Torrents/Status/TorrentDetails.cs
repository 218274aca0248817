using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Status;

/// <summary>Full state of an open torrent at one moment.</summary>
public sealed record TorrentDetails
{
    /// <summary>Connected peers, the fastest senders first.</summary>
    public required IReadOnlyList<PeerStatus> Peers { get; init; }

    /// <summary>Its trackers.</summary>
    public required IReadOnlyList<TrackerStatus> Trackers { get; init; }

    /// <summary>
    /// The other sources of peers: the DHT, peer exchange and the local network, in this order. Their <see cref="TrackerStatus.Peers"/> is
    /// the number of known addresses from that source.
    /// </summary>
    public IReadOnlyList<TrackerStatus> Sources { get; init; } = [];

    /// <summary>Its web seeds (BEP 19), in the order in which they were named.</summary>
    public IReadOnlyList<WebSeedStatus> WebSeeds { get; init; } = [];

    /// <summary>Its info dictionary; null before it is described.</summary>
    public TorrentInfo? Info { get; init; }

    /// <summary>States of all pieces in order, as runs; empty before it is described.</summary>
    public IReadOnlyList<PieceRun> Runs { get; init; } = [];

    /// <summary>Bytes held of each file of <see cref="Info"/>, in the same order.</summary>
    public IReadOnlyList<long> FileBytes { get; init; } = [];
}

/// <summary>Consecutive pieces in the same state.</summary>
/// <param name="State">Their state.</param>
/// <param name="Length">Number of pieces, at least 1.</param>
public readonly record struct PieceRun(PieceState State, int Length);

/// <summary>State of a piece, for display.</summary>
public enum PieceState
{
    /// <summary>Verified and held, in memory or on disk.</summary>
    Held,

    /// <summary>Not held, but a reader will need it, or the whole torrent is fetched.</summary>
    Wanted,

    /// <summary>Not held and not wanted.</summary>
    Missing,
}
