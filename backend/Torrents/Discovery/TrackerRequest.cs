using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Contents of an announce (BEP 3, 15).</summary>
internal sealed record TrackerRequest(InfoHash Hash, InfoHash PeerId, int Port, long Uploaded, long Downloaded, long Left, TrackerEvent Event)
{
    /// <summary>Identifies us to the tracker when our address changes; random for each torrent.</summary>
    public uint Key { get; init; }

    /// <summary>Datagrams sent to a UDP tracker before it counts as silent. The wait is 15 seconds for the first, and doubles for each further one (BEP
    /// 15).</summary>
    public int Tries { get; init; } = 2;

    /// <summary>Receives addresses that arrive after the answer: a tracker with an IPv4 and an IPv6 address is asked at both, and the first answer counts. Null
    /// = they are dropped.</summary>
    public Action<IReadOnlyList<IPEndPoint>>? More { get; init; }

    /// <summary>Number of peers wanted: none when leaving.</summary>
    public int Wanted => Event == TrackerEvent.Stopped ? 0 : 200;
}
