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

    /// <summary>Its files, padding left out.</summary>
    public IReadOnlyList<TorrentFileBody> Files { get; init; } = [];
}
