namespace NzbDav.Torrents.Status;

/// <summary>A tracker of a torrent, or another source of peers.</summary>
/// <param name="Url">The tracker's address without path and query, which may contain a user's key; only the usual path <c>/announce</c> is
/// kept. For another source, its name.</param>
/// <param name="State">Its state.</param>
/// <param name="Message">Latest message from it, or error in reaching it; null = none.</param>
/// <param name="Peers">Number of addresses in its last answer.</param>
/// <param name="Next">Latest time of the next request; null if unknown.</param>
public sealed record TrackerStatus(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>Peers known to it that have the whole torrent; null if it does not report them.</summary>
    public int? Seeds { get; init; }

    /// <summary>Peers known to it that do not have the whole torrent; null if it does not report them.</summary>
    public int? Leechers { get; init; }

    /// <summary>How often the torrent was downloaded, as it reports; null if it does not.</summary>
    public int? Downloaded { get; init; }

    /// <summary>The kind of source.</summary>
    public PeerSources Source { get; init; } = PeerSources.Tracker;

    /// <summary>For a tracker: its tier, from 0 (BEP 12); lower tiers are preferred.</summary>
    public int? Tier { get; init; }

    /// <summary>For a tracker: its protocol, <c>http</c>, <c>https</c> or <c>udp</c>.</summary>
    public string? Protocol => Address?.Scheme;

    /// <summary>For a tracker: its full address, which may contain a user's key and is never shown.</summary>
    internal Uri? Address { get; init; }

    /// <summary>The status of a tracker that has not been asked yet.</summary>
    internal static TrackerStatus Of(Uri tracker) =>
        new(Shown(tracker), TrackerState.Waiting, Message: null, Peers: 0, Next: null) { Address = tracker };

    /// <summary>The form of a tracker's address that is shown: see <see cref="Url"/>.</summary>
    public static string Shown(Uri tracker)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        var root = tracker.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped);
        return tracker.PathAndQuery == "/announce" ? root + "/announce" : root + "/…";
    }
}

/// <summary>State of a tracker.</summary>
public enum TrackerState
{
    /// <summary>It answered the last request.</summary>
    Working,

    /// <summary>It has not been asked, or has not answered yet.</summary>
    Waiting,

    /// <summary>It refused, could not be reached, or cannot be asked.</summary>
    Failed,

    /// <summary>It is switched off, or not allowed for a private torrent. Never the state of a tracker.</summary>
    Off,
}

/// <summary>Size of a torrent's swarm according to its trackers.</summary>
/// <param name="Seeds">Peers that have the whole torrent: the largest number that a tracker reports; null: none reports it.</param>
/// <param name="Leechers">Peers that do not: the largest number that a tracker reports; null: none reports it.</param>
/// <param name="Tracker">The first tracker that is working, as <see cref="TrackerStatus.Url"/>; null: none is.</param>
public sealed record SwarmSize(int? Seeds, int? Leechers, string? Tracker)
{
    /// <summary>Nothing is known.</summary>
    public static SwarmSize Unknown { get; } = new(null, null, null);

    /// <summary>The largest counts that these trackers report. Not their sums, because several trackers may know the same peer.</summary>
    public static SwarmSize Of(IReadOnlyList<TrackerStatus> trackers)
    {
        ArgumentNullException.ThrowIfNull(trackers);
        return new SwarmSize(
            trackers.Max(static tracker => tracker.Seeds), trackers.Max(static tracker => tracker.Leechers),
            trackers.FirstOrDefault(static tracker => tracker.State == TrackerState.Working)?.Url);
    }
}

/// <summary>Lists the sources of peers other than trackers, including those that are off.</summary>
internal static class SourceRows
{
    /// <summary>The sources that get a row, in order, with their names.</summary>
    public static IReadOnlyList<(PeerSources Source, string Name)> Names { get; } =
        [(PeerSources.Dht, "DHT"), (PeerSources.Exchange, "Peer exchange"), (PeerSources.Local, "Local network")];

    /// <summary>Returns one row per source.</summary>
    /// <param name="sources">The rows of sources that report their own state.</param>
    /// <param name="named">Number of known addresses by the source that named them.</param>
    /// <param name="isPrivate">True if the torrent is private and may use none of them (BEP 27).</param>
    /// <param name="exchanges">True if peer exchange is switched on.</param>
    public static IReadOnlyList<TrackerStatus> List(
        IReadOnlyList<TrackerStatus> sources, IReadOnlyDictionary<PeerSources, int> named, bool isPrivate, bool exchanges) =>
    [
        .. Names.Select(row => RowOf(row.Source, row.Name, isPrivate ? null : Find(sources, row.Source, row.Name, exchanges)) with
        {
            Peers = named.GetValueOrDefault(row.Source),
        }),
    ];

    private static TrackerStatus RowOf(PeerSources source, string name, TrackerStatus? status) =>
        status ?? new TrackerStatus(name, TrackerState.Off, Message: null, Peers: 0, Next: null) { Source = source };

    private static TrackerStatus? Find(IReadOnlyList<TrackerStatus> sources, PeerSources source, string name, bool exchanges) =>
        source == PeerSources.Exchange
        ? exchanges ? new TrackerStatus(name, TrackerState.Working, Message: null, Peers: 0, Next: null) { Source = source } : null
        : sources.FirstOrDefault(other => other.Source == source);
}
