using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>All details of a torrent. A closed one has no trackers, peers or pieces.</summary>
internal sealed record TorrentDetailsBody : TorrentBody
{
    /// <summary>Its trackers.</summary>
    public IReadOnlyList<TrackerBody> Trackers { get; init; } = [];

    /// <summary>Connected peers, sorted by how much they deliver, most first.</summary>
    public IReadOnlyList<PeerBody> PeersList { get; init; } = [];

    /// <summary>The states of its pieces, in order.</summary>
    public IReadOnlyList<PieceRunBody> Runs { get; init; } = [];

    /// <summary>Bytes of each piece except the last; null while that is not known.</summary>
    public int? PieceLength { get; init; }

    /// <summary>Its own limits.</summary>
    public TorrentLimitsBody Limits { get; init; } = new(null, null);

    /// <summary>Other sources of peers: the distributed hash table, peer exchange and the local network.</summary>
    public IReadOnlyList<TrackerBody> Sources { get; init; } = [];

    /// <summary>Its web seeds: web servers that have its files.</summary>
    public IReadOnlyList<WebSeedBody> WebSeeds { get; init; } = [];

    /// <summary>
    /// Copies among connected peers: how many peers have the rarest piece, plus the share of pieces that more peers have. Below 1, no complete copy is reachable.
    /// </summary>
    public double Copies { get; init; }

    /// <summary>Its times since it was added; null without a phase.</summary>
    public TorrentTimesBody? Times { get; init; }

    /// <summary>How it is kept and seeded; null without a phase.</summary>
    public TorrentShareBody? Share { get; init; }

    /// <summary>Its folder on disk; null unless it is kept and open.</summary>
    public string? Folder { get; init; }

    /// <summary>Its files, without padding files.</summary>
    public IReadOnlyList<TorrentFileBody> Files { get; init; } = [];
}

/// <summary>A web server that has a torrent's files (BEP 19).</summary>
/// <param name="Url">Its address, without a password or a query.</param>
/// <param name="State">What it is doing.</param>
/// <param name="Reason">Why it is not asked for now, or not any more; null when it is.</param>
/// <param name="DownRate">Bytes a second from it.</param>
/// <param name="Downloaded">Bytes from it since the torrent joined its swarm.</param>
internal sealed record WebSeedBody(string Url, WebSeedState State, string? Reason, double DownRate, long Downloaded)
{
    public static WebSeedBody Of(WebSeedStatus status) =>
        new(status.Address, status.State, status.Reason, status.DownRate, status.Downloaded);
}
