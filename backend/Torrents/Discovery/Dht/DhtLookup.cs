using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// A search in one family (BEP 5): asks the closest known nodes, then the closest of the nodes in their answers, until the eight closest
/// have answered. Used under the DHT's lock, except for its callbacks.
/// </summary>
/// <param name="family">The network to search.</param>
/// <param name="kind">Search for nodes or for peers.</param>
/// <param name="target">The id to search for.</param>
internal sealed class DhtLookup(DhtFamily family, DhtQueryKind kind, NodeId target)
{
    /// <summary>Most nodes remembered; more distant ones are dropped.</summary>
    private const int MostCandidates = 200;

    /// <summary>Concurrent queries. BEP 5 leaves the number open, Kademlia uses three. Each slow node adds one, up to eight.</summary>
    private const int LeastWidth = 4;
    private const int MostWidth = 8;

    private readonly List<DhtCandidate> _candidates = [];
    private readonly HashSet<DatagramAddress> _seen = [];
    private readonly HashSet<DnsEndPoint> _names = [];
    private readonly HashSet<DatagramAddress> _peers = [];
    private int _waiting;
    private int _slow;
    private int _width = LeastWidth;

    public DhtFamily Family => family;

    public DhtQueryKind Kind => kind;

    public NodeId Target => target;

    /// <summary>TCP port to announce at the end; 0 = none.</summary>
    public int AnnouncedPort { get; init; }

    /// <summary>Receives peers not reported before. Called outside the DHT's lock.</summary>
    public Action<IReadOnlyList<IPEndPoint>>? Found { get; init; }

    /// <summary>Called at the end, with the number of nodes that answered. Called outside the DHT's lock.</summary>
    public Action<int>? Finished { get; init; }

    /// <summary>Number of nodes that answered.</summary>
    public int Answers { get; private set; }

    /// <summary>True once the search was cancelled or has ended.</summary>
    public bool HasEnded { get; set; }

    /// <summary>True when no node is left to ask or wait for.</summary>
    public bool IsDone => _waiting == 0 && (_slow == 0 || Answers > 0) && Next() is null;

    /// <summary>Adds a node. One with an unknown id is asked first.</summary>
    public void Add(DatagramAddress address, NodeId? id)
    {
        if (id != family.Table.Own && _seen.Add(address))
            Insert(new DhtCandidate(address, id));
    }

    /// <summary>Adds a node by its host name. It is asked first.</summary>
    public void Add(DnsEndPoint name)
    {
        if (_names.Add(name))
            Insert(new DhtCandidate(default, id: null) { Name = name });
    }

    /// <summary>The node to ask now; null if there is none.</summary>
    public DhtCandidate? Next()
    {
        if (_waiting >= _width)
            return null;
        var alive = 0;
        foreach (var candidate in _candidates)
        {
            if (!candidate.IsQueried)
                return candidate;
            if (!candidate.HasFailed && (!candidate.IsSlow || candidate.HasAnswered) && candidate.Id is not null
                && ++alive >= RoutingTable.BucketSize)
                return null;
        }

        return null;
    }

    public void MarkQueried(DhtCandidate candidate)
    {
        candidate.IsQueried = true;
        _waiting++;
    }

    public void Slow(DhtCandidate candidate)
    {
        candidate.IsSlow = true;
        _slow++;
        _waiting--;
        _width = Math.Min(MostWidth, _width + 1);
    }

    public void Failed(DhtCandidate candidate)
    {
        candidate.HasFailed = true;
        CountAnswered(candidate);
    }

    public void Answered(DhtCandidate candidate, byte[]? token)
    {
        CountAnswered(candidate);
        candidate.HasAnswered = true;
        candidate.Token = token;
        Answers++;
    }

    /// <summary>Returns the peers that are new to this search.</summary>
    public List<IPEndPoint> AddPeers(IEnumerable<DatagramAddress> peers) =>
        [.. peers.Where(_peers.Add).Select(static peer => peer.ToEndPoint())];

    /// <summary>The closest nodes that gave a token for announcing. A router known only by its name stores no peers.</summary>
    public IEnumerable<DhtCandidate> Announceable() => _candidates.Where(
        static candidate => candidate is { HasAnswered: true, Token: not null, Name: null }).Take(RoutingTable.BucketSize);

    private void Insert(DhtCandidate candidate)
    {
        var at = _candidates.BinarySearch(
            candidate, Comparer<DhtCandidate>.Create((left, right) => Distance(left).CompareTo(Distance(right))));
        _candidates.Insert(at < 0 ? ~at : at, candidate);
        if (_candidates.Count <= MostCandidates)
            return;
        if (_candidates[^1] is { IsQueried: false })
            _candidates.RemoveAt(_candidates.Count - 1);
    }

    private void CountAnswered(DhtCandidate candidate)
    {
        if (candidate.IsSlow)
            _slow--;
        else
            _waiting--;
    }

    private NodeId Distance(DhtCandidate candidate) => candidate.Id is { } id ? id.To(target) : default;
}

/// <summary>A node known to a lookup. Used under the DHT's lock.</summary>
/// <param name="address">Its address; the default value if only its name is known.</param>
/// <param name="id">Its id; null if unknown.</param>
internal sealed class DhtCandidate(DatagramAddress address, NodeId? id)
{
    public DatagramAddress Address { get; } = address;

    /// <summary>Its host name, if only the proxy can resolve it; null if its address is known.</summary>
    public DnsEndPoint? Name { get; init; }

    public NodeId? Id { get; set; } = id;

    public bool IsQueried { get; set; }

    /// <summary>True if it is slow to answer: another node is asked as well, but its answer still counts.</summary>
    public bool IsSlow { get; set; }

    public bool HasFailed { get; set; }

    public bool HasAnswered { get; set; }

    /// <summary>Token required to announce to this node.</summary>
    public byte[]? Token { get; set; }
}
