using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// The known nodes of one family: up to eight for each number of leading bits in common with our id (BEP 5). Contains only nodes that have
/// answered. Used under the DHT's lock.
/// </summary>
/// <param name="own">Our id.</param>
internal sealed class RoutingTable(NodeId own)
{
    /// <summary>Nodes in a bucket (BEP 5).</summary>
    public const int BucketSize = 8;

    /// <summary>Consecutive unanswered queries after which a node is bad.</summary>
    private const int MostFailures = 2;

    /// <summary>Silence in ticks after which a node is questionable (BEP 5).</summary>
    public static readonly long QuestionableTicks = 15 * TimeSpan.TicksPerMinute;

    private readonly List<DhtNode>[] _buckets = [.. Enumerable.Range(0, NodeId.Bits).Select(static _ => new List<DhtNode>(0))];
    private readonly long[] _changed = new long[NodeId.Bits];
    private readonly Dictionary<DatagramAddress, DhtNode> _nodes = [];
    private readonly HashSet<UInt128> _addresses = [];

    /// <summary>Our id.</summary>
    public NodeId Own => own;

    /// <summary>Number of nodes.</summary>
    public int Count => _nodes.Count;

    /// <summary>All nodes.</summary>
    public IEnumerable<DhtNode> Nodes => _nodes.Values;

    /// <summary>True if a node at this address is in the table.</summary>
    public bool Knows(DatagramAddress address) => _nodes.ContainsKey(address);

    /// <summary>
    /// Records that a node answered. The node is added if its bucket has room, or in place of one that is bad or has been silent for long.
    /// If its id matches its address (BEP 42), it may also replace one whose id does not.
    /// </summary>
    public void Answered(DhtContact contact, long now)
    {
        if (contact.Id == own)
            return;
        if (_nodes.TryGetValue(contact.Address, out var known))
        {
            if (known.Contact.Id == contact.Id)
            {
                (known.LastAnswered, known.Failures) = (now, 0);
                _changed[contact.Id.Shared(own)] = now;
                return;
            }

            // The node was restarted, or another one has its address now.
            Remove(known);
        }

        // One node per address: a host with many ids at one address tries to fill the table.
        if (!contact.Address.IsLocal && _addresses.Contains(contact.Address.AddressNumber))
            return;
        var node = new DhtNode(contact, now);
        var bucket = _buckets[contact.Id.Shared(own)];
        if (bucket.Count >= BucketSize)
        {
            var victim = bucket.Find(static other => other.Failures >= MostFailures)
                ?? bucket.Find(other => now - other.LastAnswered > 2 * QuestionableTicks)
                ?? (node.Fits ? bucket.Find(static other => !other.Fits) : null);
            if (victim is null)
                return;
            Remove(victim);
        }

        bucket.Add(node);
        _nodes[contact.Address] = node;
        _addresses.Add(contact.Address.AddressNumber);
        _changed[contact.Id.Shared(own)] = now;
    }

    /// <summary>
    /// Records that a node did not answer. A bad node is removed, unless hardly any are left: then our own connection may be down.
    /// </summary>
    public void Failed(DatagramAddress address)
    {
        if (_nodes.TryGetValue(address, out var node) && ++node.Failures >= MostFailures && Count > BucketSize)
            Remove(node);
    }

    /// <summary>The closest nodes, without bad ones.</summary>
    public List<DhtContact> Closest(NodeId target, int most) =>
        [.. _nodes.Values.Where(static node => node.Failures < MostFailures).OrderBy(node => node.Contact.Id.To(target)).Take(most)
            .Select(static node => node.Contact)];

    /// <summary>The questionable node that has been silent for longest; null if there is none.</summary>
    public DhtNode? Questionable(long now)
    {
        DhtNode? oldest = null;
        foreach (var node in _nodes.Values)
        {
            if (now - node.LastAnswered > QuestionableTicks && (oldest is null || node.LastAnswered < oldest.LastAnswered))
                oldest = node;
        }

        return oldest;
    }

    /// <summary>
    /// An id to search for in a bucket without activity for a quarter of an hour (BEP 5); null if there is none. The bucket then counts as
    /// refreshed.
    /// </summary>
    public NodeId? Stale(long now)
    {
        var deepest = Array.FindLastIndex(_buckets, static bucket => bucket.Count > 0);
        for (var bits = 0; bits <= Math.Min(deepest + 1, NodeId.Bits - 1); bits++)
        {
            if (now - _changed[bits] <= QuestionableTicks)
                continue;
            _changed[bits] = now;
            return own.Neighbour(bits);
        }

        return null;
    }

    private void Remove(DhtNode node)
    {
        _nodes.Remove(node.Contact.Address);
        _buckets[node.Contact.Id.Shared(own)].Remove(node);
        _addresses.Remove(node.Contact.Address.AddressNumber);
    }
}

/// <summary>A node in the routing table. Used under the DHT's lock.</summary>
internal sealed class DhtNode(DhtContact contact, long seen)
{
    public DhtContact Contact { get; } = contact;

    /// <summary>When it last answered, in ticks of 100 ns.</summary>
    public long LastAnswered { get; set; } = seen;

    /// <summary>Consecutive unanswered queries.</summary>
    public int Failures { get; set; }

    /// <summary>True if its id matches its address (BEP 42).</summary>
    public bool Fits { get; } = contact.Id.Fits(contact.Address);
}
