using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A tracker of a torrent, or another source of its peers.</summary>
/// <param name="Url">The tracker's address, without parts that may be a personal key; for other sources, the name.</param>
/// <param name="State">Its state.</param>
/// <param name="Message">The latest message of the tracker or of the network on the way to it; null when nothing is wrong.</param>
/// <param name="Peers">For a tracker: number of addresses in its last answer. For other sources: number of known addresses learned from it.</param>
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
