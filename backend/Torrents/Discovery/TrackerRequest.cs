using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Contents of an announce (BEP 3, 15).</summary>
/// <param name="Hash">The torrent.</param>
/// <param name="PeerId">Ours.</param>
/// <param name="Port">Where peers can reach us; 0 = nowhere.</param>
/// <param name="Uploaded">Bytes of blocks handed to peers' connections since "started".</param>
/// <param name="Downloaded">Bytes of blocks received since then, those that were bad or not needed included.</param>
/// <param name="Left">See <see cref="Scheduling.Swarm.ReadLeft"/>.</param>
/// <param name="Event">Why it is sent.</param>
internal sealed record TrackerRequest(
    InfoHash Hash, InfoHash PeerId, int Port, long Uploaded, long Downloaded, long Left, TrackerEvent Event)
{
    /// <summary>Identifies us to the tracker when our address changes; random for each torrent.</summary>
    public uint Key { get; init; }

    /// <summary>
    /// Part of <see cref="Downloaded"/>: bytes of pieces whose hash was wrong. Not a field of the protocol; libtorrent sends it too.
    /// </summary>
    public long Corrupt { get; init; }

    /// <summary>Part of <see cref="Downloaded"/>: bytes of blocks that were not needed. As <see cref="Corrupt"/>.</summary>
    public long Redundant { get; init; }

    /// <summary>
    /// Announce to an HTTP tracker at an address of each family (BEP 7), so that peers of both hear of us. Not for private torrents,
    /// whose trackers may count a transfer twice.
    /// </summary>
    public bool InBothFamilies { get; init; }

    /// <summary>See <see cref="TrackerAnswer.TrackerId"/>.</summary>
    public string? TrackerId { get; init; }

    /// <summary>Datagrams sent to a UDP tracker before it counts as silent. The wait is 15 seconds for the first, and doubles for each
    /// further one (BEP 15).</summary>
    public int Tries { get; init; } = 2;

    /// <summary>Receives addresses that arrive after the answer: a tracker with an IPv4 and an IPv6 address is asked at both, and the first
    /// answer counts. Null = they are dropped.</summary>
    public Action<IReadOnlyList<IPEndPoint>>? More { get; init; }

    /// <summary>Number of peers wanted: none when leaving.</summary>
    public int Wanted => Event == TrackerEvent.Stopped ? 0 : 200;
}

/// <summary>The event of an announce (BEP 3).</summary>
internal enum TrackerEvent
{
    None,
    Started,
    Stopped,
    Completed,
}

/// <summary>Peers of a torrent that a tracker knows.</summary>
/// <param name="Seeds">Peers that have all of it.</param>
/// <param name="Leechers">Peers that do not.</param>
/// <param name="Downloaded">How often it was downloaded; null if the tracker did not say.</param>
internal sealed record TrackerCounts(int Seeds, int Leechers, int? Downloaded);
