using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// One of the two networks, IPv4 (BEP 5) or IPv6 (BEP 32): its routing table, its searches, and our id there. Used under the DHT's lock.
/// </summary>
/// <param name="family">IPv4 or IPv6.</param>
/// <param name="own">Our id from the last run, or a random one.</param>
internal sealed class DhtFamily(AddressFamily family, NodeId own)
{
    /// <summary>Number of nodes that must report the same address of ours before it is believed.</summary>
    private const int LeastVotes = 5;

    private const int MostVotes = 50;

    private readonly Dictionary<UInt128, DatagramAddress> _votes = [];

    public AddressFamily Family => family;

    /// <summary>4 or 16.</summary>
    public int AddressBytes => family == AddressFamily.InterNetwork ? 4 : 16;

    public RoutingTable Table { get; private set; } = new(own);

    /// <summary>Searches in progress.</summary>
    public List<DhtLookup> Lookups { get; } = [];

    /// <summary>Nodes from the last run, which are asked first.</summary>
    public List<DhtContact> Saved { get; set; } = [];

    /// <summary>True once a search for nodes has found some.</summary>
    public bool IsBootstrapped { get; set; }

    /// <summary>Clock reading in ticks at which the next search for nodes starts, if there are too few.</summary>
    public long NextBootstrap { get; set; }

    /// <summary>Pause between that search and the one after it, in ticks.</summary>
    public long Pause { get; set; } = 5 * TimeSpan.TicksPerSecond;

    /// <summary>
    /// Counts a node's report of our address (BEP 42). When enough agree and our id does not match the address, our id is replaced and the
    /// known nodes are kept.
    /// </summary>
    public void Vote(DatagramAddress voter, DatagramAddress ours, long now)
    {
        if (ours.Family != family || ours.IsLocal || voter.IsLocal)
            return;
        if (_votes.Count >= MostVotes)
            _votes.Clear();
        _votes[voter.AddressNumber] = ours.WithPort(0);
        if (Table.Own.Fits(ours) || _votes.Values.Count(vote => vote == ours.WithPort(0)) < LeastVotes)
            return;
        var nodes = Table.Nodes.ToArray();
        Table = new RoutingTable(NodeId.For(ours));
        foreach (var node in nodes)
            Table.Answered(node.Contact, now);
    }
}
