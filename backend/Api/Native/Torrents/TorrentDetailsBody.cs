namespace NzbDav.Api.Native.Torrents;

/// <summary>All that can be said of a torrent. One that is closed has neither trackers nor peers nor pieces.</summary>
internal sealed record TorrentDetailsBody : TorrentBody
{
    /// <summary>Its trackers.</summary>
    public IReadOnlyList<TrackerBody> Trackers { get; init; } = [];

    /// <summary>Connected peers, those that give most first.</summary>
    public IReadOnlyList<PeerBody> PeersList { get; init; } = [];

    /// <summary>Pieces in order.</summary>
    public IReadOnlyList<PieceRunBody> Runs { get; init; } = [];

    /// <summary>Bytes of each piece but the last; null while that is not known.</summary>
    public int? PieceLength { get; init; }

    /// <summary>Its own limits.</summary>
    public TorrentLimitsBody Limits { get; init; } = new(null, null);

    /// <summary>The other ways to find peers: the distributed hash table, peer exchange and the local network.</summary>
    public IReadOnlyList<TrackerBody> Sources { get; init; } = [];

    /// <summary>Copies among connected peers: how many have the rarest piece, and the share of pieces that more have. Below 1: no whole copy is in reach.</summary>
    public double Copies { get; init; }

    /// <summary>What it has done so far; null without a phase.</summary>
    public TorrentTimesBody? Times { get; init; }

    /// <summary>How it is kept and seeded; null without a phase.</summary>
    public TorrentShareBody? Share { get; init; }

    /// <summary>Its folder on disk, while it is kept and open.</summary>
    public string? Folder { get; init; }

    /// <summary>Its files, padding left out.</summary>
    public IReadOnlyList<TorrentFileBody> Files { get; init; } = [];
}
