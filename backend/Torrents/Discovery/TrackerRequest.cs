using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>What a tracker is told (BEP 3, 15).</summary>
internal sealed record TrackerRequest(InfoHash Hash, InfoHash PeerId, int Port, long Uploaded, long Downloaded, long Left, TrackerEvent Event)
{
    /// <summary>Says that we are the same when our address changes; made up once for each torrent.</summary>
    public uint Key { get; init; }

    /// <summary>Datagrams sent to a UDP tracker before it counts as silent; the first is given 15 seconds, each further one twice as long (BEP 15).</summary>
    public int Tries { get; init; } = 2;

    /// <summary>Told the addresses that come after the answer: a tracker with an IPv4 and an IPv6 address is asked at both, and the first one's answer is the answer. Null = they are dropped.</summary>
    public Action<IReadOnlyList<IPEndPoint>>? More { get; init; }

    /// <summary>Peers that are wanted: whoever leaves wants none.</summary>
    public int Wanted => Event == TrackerEvent.Stopped ? 0 : 200;
}
