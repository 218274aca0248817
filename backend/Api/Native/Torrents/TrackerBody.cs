using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A tracker of a torrent, or another way to find its peers.</summary>
/// <param name="Url">Its address, without what may be a person's key; of what is no tracker its name.</param>
/// <param name="State">How it stands.</param>
/// <param name="Message">What it, or the way to it, said last; null when nothing is wrong.</param>
/// <param name="Peers">Of a tracker: addresses in its last answer. Of another way: known addresses that it named.</param>
/// <param name="Next">When it is asked again at the latest; null when that is not known.</param>
internal sealed record TrackerBody(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>What kind of way it is.</summary>
    public PeerSourceName Source { get; init; }

    /// <summary>Of a tracker: its tier from 0; those of a lower one are preferred.</summary>
    public int? Tier { get; init; }

    /// <summary>Of a tracker: http, https or udp.</summary>
    public string? Protocol { get; init; }

    /// <summary>Peers it knows that have all of the torrent; null if it has not said.</summary>
    public int? Seeds { get; init; }

    /// <summary>Peers it knows that do not; null if it has not said.</summary>
    public int? Leechers { get; init; }

    /// <summary>How often it saw the torrent downloaded; null if it has not said.</summary>
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
