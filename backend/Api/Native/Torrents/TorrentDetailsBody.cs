using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;
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
    /// Copies among connected peers: how many peers have the rarest piece, plus the share of pieces that more peers have. Below 1, no
    /// complete copy is reachable.
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

/// <summary>A torrent's times since it was added, across restarts.</summary>
/// <param name="Added">When it was added.</param>
/// <param name="Completed">When all wanted bytes had arrived; null: not yet.</param>
/// <param name="LastActive">When a byte was last received from or sent to a peer; null: never.</param>
/// <param name="ActiveSeconds">Total time in its swarm.</param>
/// <param name="SeedingSeconds">Time in its swarm while complete.</param>
/// <param name="IdleSeconds">The part of that since a byte was last sent to a peer.</param>
internal sealed record TorrentTimesBody(DateTimeOffset Added, DateTimeOffset? Completed, DateTimeOffset? LastActive, double ActiveSeconds,
    double SeedingSeconds, double IdleSeconds)
{
    public static TorrentTimesBody Of(TorrentView torrent) => new(
        torrent.Entry.Added, torrent.Entry.Completed, torrent.Entry.LastActive,
        torrent.Totals.Active.TotalSeconds, torrent.Totals.Seeding.TotalSeconds, torrent.Totals.Idle.TotalSeconds);
}

/// <summary>A file of a torrent.</summary>
/// <param name="ItemId">Its id in the tree; null if it is not there.</param>
/// <param name="Path">Its path in the torrent; if the torrent is closed and its .torrent is not known, its name in the tree.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="Have">Bytes of it that are here; null if the torrent is closed.</param>
internal sealed record TorrentFileBody(string? ItemId, string Path, long Size, long? Have)
{
    /// <summary>Its number in the torrent, counting padding files; null if that is not known.</summary>
    public int? Index { get; init; }

    /// <summary>Its download priority while the torrent is kept; null if the torrent is not in the list.</summary>
    public FilePriority? Priority { get; init; }
}

/// <summary>Consecutive pieces in the same state.</summary>
/// <param name="State">Their state.</param>
/// <param name="Length">Number of pieces.</param>
internal sealed record PieceRunBody(PieceState State, int Length);

/// <summary>Limits of one torrent, in addition to those of the settings. They persist across restarts.</summary>
/// <param name="UpRate">Bytes per second to its peers, at least 1024; null: no limit of its own.</param>
/// <param name="DownRate">Bytes per second from its peers, at least 16384; null: no limit of its own. It applies to playback too.</param>
internal sealed record TorrentLimitsBody(long? UpRate, long? DownRate);

/// <summary>A tracker of a torrent, or another source of its peers.</summary>
/// <param name="Url">The tracker's address, without parts that may be a personal key; for other sources, the name.</param>
/// <param name="State">Its state.</param>
/// <param name="Message">The latest message of the tracker or of the network on the way to it; null when nothing is wrong.</param>
/// <param name="Peers">For a tracker: number of addresses in its last answer. For other sources: number of known addresses learned from
/// it.</param>
/// <param name="Next">The latest time at which it is asked again; null when that is not known.</param>
internal sealed record TrackerBody(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>Kind of the source.</summary>
    public PeerSourceName Source { get; init; }

    /// <summary>For a tracker: its tier, from 0. Lower tiers are preferred.</summary>
    public int? Tier { get; init; }

    /// <summary>For a tracker: http, https or udp.</summary>
    public string? Protocol { get; init; }

    /// <summary>Number of peers with all of the torrent, according to the tracker; null if it has not said.</summary>
    public int? Seeds { get; init; }

    /// <summary>Number of peers without all of the torrent, according to the tracker; null if it has not said.</summary>
    public int? Leechers { get; init; }

    /// <summary>Number of completed downloads, according to the tracker; null if it has not said.</summary>
    public int? Downloaded { get; init; }

    public static TrackerBody Of(TrackerStatus status) => new(status.Url, status.State, status.Message, status.Peers, status.Next)
    {
        Source = PeerSourceNames.Of(status.Source)[0],
        Tier = status.Tier,
        Protocol = status.Protocol,
        Seeds = status.Seeds,
        Leechers = status.Leechers,
        Downloaded = status.Downloaded,
    };
}
