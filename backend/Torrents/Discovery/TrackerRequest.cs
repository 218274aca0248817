using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Contents of an announce (BEP 3, 15).</summary>
/// <param name="Hash">The torrent's info-hash or alias.</param>
/// <param name="PeerId">Our peer id.</param>
/// <param name="Port">Port at which peers can reach us; 0 = none.</param>
/// <param name="Uploaded">Bytes of blocks passed to peers' connections since "started".</param>
/// <param name="Downloaded">Bytes of blocks received since "started", including those that were corrupt or not needed.</param>
/// <param name="Left">See <see cref="Scheduling.Swarm.ReadLeft"/>.</param>
/// <param name="Event">The event that the announce reports.</param>
internal sealed record TrackerRequest(
    InfoHash Hash, InfoHash PeerId, int Port, long Uploaded, long Downloaded, long Left, TrackerEvent Event)
{
    /// <summary>Identifies us to the tracker when our address changes. Random for each torrent.</summary>
    public uint Key { get; init; }

    /// <summary>
    /// Bytes of pieces that failed their hash check, a part of <see cref="Downloaded"/>. Not a field of the protocol, but libtorrent sends
    /// it too.
    /// </summary>
    public long Corrupt { get; init; }

    /// <summary>
    /// Bytes of blocks that were not needed, a part of <see cref="Downloaded"/>. Sent for the same reason as <see cref="Corrupt"/>.
    /// </summary>
    public long Redundant { get; init; }

    /// <summary>
    /// True to announce to an HTTP tracker at an address of each family (BEP 7), so that peers of both learn our address. False for private
    /// torrents, whose trackers may count a transfer twice.
    /// </summary>
    public bool InBothFamilies { get; init; }

    /// <summary>See <see cref="TrackerAnswer.TrackerId"/>.</summary>
    public string? TrackerId { get; init; }

    /// <summary>
    /// Number of datagrams sent to a UDP tracker before it counts as silent. The first wait lasts 15 seconds, each further one twice as
    /// long (BEP 15).
    /// </summary>
    public int Tries { get; init; } = 2;

    /// <summary>
    /// Receives addresses that arrive after the answer: a tracker with an IPv4 and an IPv6 address is asked at both, and the first answer
    /// counts. Null = such addresses are dropped.
    /// </summary>
    public Action<IReadOnlyList<IPEndPoint>>? More { get; init; }

    /// <summary>Number of peers requested; 0 with "stopped".</summary>
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

/// <summary>Numbers of a torrent's peers as known to a tracker.</summary>
/// <param name="Seeds">Peers that have the whole torrent.</param>
/// <param name="Leechers">Peers that do not have all of it.</param>
/// <param name="Downloaded">How often it was downloaded; null if the tracker did not tell.</param>
internal sealed record TrackerCounts(int Seeds, int Leechers, int? Downloaded);
