using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Answers the queries of other nodes, and stores the peers that they announce (BEP 5, 32). Used under the DHT's lock.</summary>
/// <param name="channel">Sends the answers.</param>
/// <param name="four">Our node in IPv4.</param>
/// <param name="six">Our node in IPv6.</param>
internal sealed class DhtResponder(IDatagramChannel channel, DhtFamily four, DhtFamily six)
{
    /// <summary>Most peers in one answer. Together with eight nodes they take 0.7 KB for IPv4, 1.5 KB for IPv6.</summary>
    private const int MaxPeersPerAnswer = 50;

    private readonly DhtTokens _tokens = new();
    private readonly DhtPeerStore _store = new();
    private readonly DhtAllowance _allowance = new();
    private readonly DhtWriter _writer = new();
    private readonly Dictionary<NodeId, Action<IReadOnlyList<IPEndPoint>>> _watchers = [];

    /// <summary>Reports the peers that are announced here for a torrent.</summary>
    public void Watch(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found) => _watchers[torrent] = found;

    /// <summary>Ends <see cref="Watch"/>, unless another callback watches the same torrent by now.</summary>
    public void Unwatch(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found)
    {
        if (_watchers.TryGetValue(torrent, out var watcher) && watcher == found)
            _watchers.Remove(torrent);
    }

    /// <summary>Removes peers that have not been announced again.</summary>
    public void Expire(long now) => _store.Expire(now);

    /// <summary>Answers a query, if the allowance permits it.</summary>
    /// <param name="family">The network in which it arrived.</param>
    /// <param name="from">Address of the sender.</param>
    /// <param name="message">The query.</param>
    /// <param name="now">Clock reading in ticks.</param>
    /// <param name="told">Receives callbacks to run outside the lock.</param>
    /// <returns>The sender's id; null if the query was not answered.</returns>
    public NodeId? Answer(DhtFamily family, DatagramAddress from, in DhtMessage message, long now, List<Action> told)
    {
        if (message.Transaction.Length is 0 or > 32 || message.Id is not { } id || !_allowance.Allows(from, now))
            return null;
        ReadOnlySpan<byte> answer;
        if (message.Query.SequenceEqual("ping"u8))
            answer = _writer.Answer(message.Transaction, family.Table.Own, from, nodes: null, nodes6: null, token: null, []);
        else if (message.Query.SequenceEqual("find_node"u8) && message.Target is { } target)
            answer = Nodes(family, from, message, target, token: null, []);
        else if (message.Query.SequenceEqual("get_peers"u8) && message.Target is { } wanted)
            answer = Nodes(
                family, from, message, wanted, _tokens.Make(from, now), _store.List(wanted, family.AddressBytes, MaxPeersPerAnswer, now));
        else if (message.Query.SequenceEqual("announce_peer"u8) && message.Target is { } torrent)
            answer = Announce(family, from, message, torrent, now, told);
        else
            answer = _writer.Error(message.Transaction, 204, "Method Unknown"u8);
        channel.Send(from, answer);
        _allowance.Count(answer.Length);
        return id;
    }

    private ReadOnlySpan<byte> Nodes(
        DhtFamily family, DatagramAddress from, scoped in DhtMessage message, NodeId target, byte[]? token, List<DatagramAddress> values)
    {
        var (wantsFour, wantsSix) = message.Want is (false, false) ? (family.AddressBytes == 4, family.AddressBytes == 16) : message.Want;
        return _writer.Answer(
            message.Transaction,
            family.Table.Own,
            from,
            wantsFour ? four.Table.Closest(target, RoutingTable.BucketSize) : null,
            wantsSix ? six.Table.Closest(target, RoutingTable.BucketSize) : null,
            token,
            values);
    }

    private ReadOnlySpan<byte> Announce(
        DhtFamily family, DatagramAddress from, scoped in DhtMessage message, NodeId torrent, long now, List<Action> told)
    {
        var peer = from.WithPort(message.HasImpliedPort ? from.Port : message.Port);
        if (!_tokens.IsValid(message.Token, from, now))
            return _writer.Error(message.Transaction, 203, "Bad Token"u8);
        if (peer.Port == 0)
            return _writer.Error(message.Transaction, 203, "No Port"u8);
        _store.Add(torrent, peer, now);
        if (_watchers.TryGetValue(torrent, out var found))
            told.Add(() => found([peer.ToEndPoint()]));
        return _writer.Answer(message.Transaction, family.Table.Own, from, nodes: null, nodes6: null, token: null, []);
    }
}

/// <summary>
/// Limits the cost of queries from strangers: an answer can be seven times as long as its query, and the sender address of a query can be
/// forged. Not a token bucket, because it also counts the answers to each address; both counts restart every second. Used under the DHT's
/// lock.
/// </summary>
internal sealed class DhtAllowance
{
    /// <summary>Most bytes of answers per second.</summary>
    public const int BytesPerSecond = 50_000;

    /// <summary>Most answers to one address per second. A lookup asks a node once or twice.</summary>
    public const int PerAddress = 10;

    private readonly Dictionary<UInt128, int> _queries = [];
    private long _since;
    private int _bytes;

    /// <summary>True if a query from this address may be answered now.</summary>
    public bool Allows(DatagramAddress address, long now)
    {
        if (now - _since >= TimeSpan.TicksPerSecond)
        {
            _since = now;
            _bytes = 0;
            _queries.Clear();
        }

        var answered = _queries.GetValueOrDefault(address.AddressNumber);
        if (_bytes >= BytesPerSecond || (answered >= PerAddress && !address.IsLocal))
            return false;
        _queries[address.AddressNumber] = answered + 1;
        return true;
    }

    /// <summary>Counts an answer that was sent.</summary>
    public void Count(int bytes) => _bytes += bytes;
}
