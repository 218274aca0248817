namespace NzbDav.Torrents.Status;

/// <summary>A tracker of a torrent, or another way to find peers.</summary>
/// <param name="Url">Its address without what may be a person's key: path and query of all but the usual <c>/announce</c> are left out. For what is no tracker its name.</param>
/// <param name="State">How it stands.</param>
/// <param name="Message">What it, or the way to it, said last; null when nothing is wrong.</param>
/// <param name="Peers">Addresses in its last answer.</param>
/// <param name="Next">When it is asked again at the latest; null when that is not known.</param>
public sealed record TrackerStatus(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>Peers it knows that have all of the torrent; null if it has not said.</summary>
    public int? Seeds { get; init; }

    /// <summary>Peers it knows that do not; null if it has not said.</summary>
    public int? Leechers { get; init; }

    /// <summary>How often it saw the torrent downloaded; null if it has not said.</summary>
    public int? Downloaded { get; init; }

    /// <summary>What kind of way it is.</summary>
    public PeerSources Source { get; init; } = PeerSources.Tracker;

    /// <summary>Of a tracker: its tier from 0 (BEP 12); those of a lower one are preferred.</summary>
    public int? Tier { get; init; }

    /// <summary>Of a tracker: how it is spoken to, <c>http</c>, <c>https</c> or <c>udp</c>.</summary>
    public string? Protocol => Address?.Scheme;

    /// <summary>Of a tracker: its whole address, which may hold a person's key and is shown to nobody.</summary>
    internal Uri? Address { get; init; }

    /// <summary>One that was not asked yet.</summary>
    internal static TrackerStatus Of(Uri tracker) => new(Shown(tracker), TrackerState.Waiting, Message: null, Peers: 0, Next: null) { Address = tracker };

    /// <summary>See <see cref="Url"/>.</summary>
    public static string Shown(Uri tracker)
    {
        ArgumentNullException.ThrowIfNull(tracker);
        var root = tracker.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped);
        return tracker.PathAndQuery == "/announce" ? root + "/announce" : root + "/…";
    }
}
