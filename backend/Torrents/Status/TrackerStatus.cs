namespace NzbDav.Torrents.Status;

/// <summary>A tracker of a torrent, or another source of peers.</summary>
/// <param name="Url">The tracker's address without the path and query, which may contain a user's key; only the usual path <c>/announce</c> is kept. Of another
/// source: its name.</param>
/// <param name="State">Its state.</param>
/// <param name="Message">The last message or error from it or on the way to it; null when nothing is wrong.</param>
/// <param name="Peers">Addresses in its last answer.</param>
/// <param name="Next">Latest time of the next request; null when that is not known.</param>
public sealed record TrackerStatus(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>Peers it knows that have all of the torrent; null if it does not report them.</summary>
    public int? Seeds { get; init; }

    /// <summary>Peers it knows that do not; null if it does not report them.</summary>
    public int? Leechers { get; init; }

    /// <summary>How often it saw the torrent downloaded; null if it does not report that.</summary>
    public int? Downloaded { get; init; }

    /// <summary>The kind of source.</summary>
    public PeerSources Source { get; init; } = PeerSources.Tracker;

    /// <summary>Of a tracker: its tier from 0 (BEP 12); lower tiers are preferred.</summary>
    public int? Tier { get; init; }

    /// <summary>Of a tracker: its protocol, <c>http</c>, <c>https</c> or <c>udp</c>.</summary>
    public string? Protocol => Address?.Scheme;

    /// <summary>Of a tracker: its whole address, which may contain a user's key and is never shown.</summary>
    internal Uri? Address { get; init; }

    /// <summary>A tracker that has not been asked yet.</summary>
    internal static TrackerStatus Of(Uri tracker) => new(Shown(tracker), TrackerState.Waiting, Message: null, Peers: 0, Next: null) { Address = tracker };

    /// <summary>See <see cref="Url"/>.</summary>
    public static string Shown(Uri tracker)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        var root = tracker.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped);
        return tracker.PathAndQuery == "/announce" ? root + "/announce" : root + "/…";
    }
}
