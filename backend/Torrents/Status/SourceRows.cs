namespace NzbDav.Torrents.Status;

/// <summary>Lists the sources of peers other than trackers, including those that are off.</summary>
internal static class SourceRows
{
    /// <summary>The sources that have a row, in order, and their names.</summary>
    public static IReadOnlyList<(PeerSources Source, string Name)> Names { get; } =
        [(PeerSources.Dht, "DHT"), (PeerSources.Exchange, "Peer exchange"), (PeerSources.Local, "Local network")];

    /// <summary>One row for each source.</summary>
    /// <param name="ways">The rows of sources that report their own state.</param>
    /// <param name="named">Known addresses by the source that named them.</param>
    /// <param name="isPrivate">The torrent may use none of them (BEP 27).</param>
    /// <param name="exchanges">Peer exchange is switched on.</param>
    public static IReadOnlyList<TrackerStatus> List(IReadOnlyList<TrackerStatus> ways, IReadOnlyDictionary<PeerSources, int> named, bool isPrivate, bool exchanges) =>
    [
        .. Names.Select(row => RowOf(row.Source, row.Name, isPrivate ? null : Find(ways, row.Source, row.Name, exchanges)) with
        {
            Peers = named.GetValueOrDefault(row.Source),
        }),
    ];

    private static TrackerStatus RowOf(PeerSources source, string name, TrackerStatus? status) =>
        status ?? new TrackerStatus(name, TrackerState.Off, Message: null, Peers: 0, Next: null) { Source = source };

    private static TrackerStatus? Find(IReadOnlyList<TrackerStatus> ways, PeerSources source, string name, bool exchanges) => source == PeerSources.Exchange
        ? exchanges ? new TrackerStatus(name, TrackerState.Working, Message: null, Peers: 0, Next: null) { Source = source } : null
        : ways.FirstOrDefault(way => way.Source == source);
}
