using System.Net;
using System.Text;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests.Discovery.Dht;

/// <summary>Nodes of the DHT over a virtual network: only the network takes time.</summary>
public sealed class DhtNetworkTests : IDisposable
{
    private static readonly NodeId Torrent = NodeId.Of(InfoHash.Of([1, 2, 3]));
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-dht-");
    private readonly DhtWorld _world = new();

    public void Dispose()
    {
        _world.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task An_announced_peer_is_found_within_a_second_by_a_node_that_knows_only_a_router()
    {
        await _world.GrowAsync(60);
        await _world.SearchAsync(_world.Nodes[30], Torrent, _ => { });
        var (began, found) = (_world.Time.GetUtcNow(), TimeSpan.Zero);
        var peers = new List<IPEndPoint>();
        var newcomer = _world.Add(100);
        await _world.SearchAsync(newcomer, Torrent, named =>
        {
            peers.AddRange(named);
            found = _world.Time.GetUtcNow() - began;
        });
        Assert.Equal([IPEndPoint.Parse("11.31.1.1:7000")], peers);
        Assert.InRange(found, TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1));
        _world.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.InRange(newcomer.Status.Nodes, RoutingTable.BucketSize, 60);
        Assert.True(newcomer.Status.IsBootstrapped);
    }

    [Fact]
    public async Task A_peer_is_found_although_a_fifth_of_the_datagrams_and_a_third_of_the_nodes_are_lost()
    {
        await _world.GrowAsync(60);
        await _world.SearchAsync(_world.Nodes[30], Torrent, _ => { });
        for (var i = 1; i < 60; i += 3)
            _world.Nodes[i].Dispose();
        var random = new Random(7);
        _world.Network.Loses = (_, _, _) => random.Next(5) == 0;
        var peers = new List<IPEndPoint>();
        var began = _world.Time.GetUtcNow();
        var (announced, own) = (IPEndPoint.Parse("11.31.1.1:7000"), IPEndPoint.Parse("11.3.1.1:7000"));
        for (var i = 0; i < 3 && !peers.Contains(announced); i++)
            await _world.SearchAsync(_world.Nodes[2], Torrent, peers.AddRange);

        // A search without results announces too, so a later one can find that announcement.
        Assert.Contains(announced, peers);
        Assert.Empty(peers.Except([announced, own]));
        Assert.InRange(_world.Time.GetUtcNow() - began, TimeSpan.Zero, TimeSpan.FromSeconds(10));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_search_that_is_cancelled_or_cut_off_announces_nothing(bool isCutOff)
    {
        await _world.GrowAsync(40);
        var (node, address) = (_world.Nodes[5], new DatagramAddress(IPEndPoint.Parse("11.6.1.1:6881")));
        var from = _world.Network.Sent.Count;
        using var stopping = new CancellationTokenSource();
        var search = node.SearchAsync(Torrent, _ => { }, stopping.Token);
        await Until.TrueAsync(() => !node.IsResolving);

        // The first nodes have answered, and gave the tokens that an announce needs.
        _world.Time.Advance(TimeSpan.FromMilliseconds(60));
        Assert.False(search.IsCompleted);
        Assert.Contains(Since(), sent => sent.To == address && sent.Payload.AsSpan().IndexOf("5:token"u8) > 0);
        if (isCutOff)
        {
            node.Dispose();
            await search;
        }
        else
        {
            await stopping.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => search);
        }

        _world.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.DoesNotContain(Since(), sent => sent.From == address && sent.Payload.AsSpan().IndexOf("announce_peer"u8) > 0);

        IEnumerable<(DatagramAddress From, DatagramAddress To, byte[] Payload)> Since() => _world.Network.Sent.Skip(from);
    }

    [Fact]
    public async Task IPv6_has_its_own_table_and_peers_of_both_families_are_found()
    {
        await _world.GrowAsync(30, six: true);
        await _world.SearchAsync(_world.Nodes[20], Torrent, _ => { });
        var peers = new List<IPEndPoint>();
        await _world.SearchAsync(_world.Nodes[5], Torrent, peers.AddRange);
        Assert.Equal(["11.21.1.1:7000", "[2001:db8:14::1]:7000"], peers.Select(static peer => peer.ToString()).Order());
        Assert.InRange(_world.Nodes[5].Status.Nodes6, 5, 30);
    }

    [Fact]
    public async Task Saved_nodes_bootstrap_the_DHT_when_the_router_is_gone()
    {
        await _world.GrowAsync(30);
        var node = _world.Add(100, folder: _folder.FullName);
        await _world.SearchAsync(node, Torrent, _ => { });
        node.Dispose();
        _world.Network.Find("11.101.1.1:6881")!.Dispose();
        Assert.True(File.Exists(Path.Combine(_folder.FullName, "dht.dat")));

        _world.Nodes[0].Dispose();
        await _world.SearchAsync(_world.Nodes[10], Torrent, _ => { });
        var peers = new List<IPEndPoint>();
        var again = _world.Add(101, folder: _folder.FullName);
        await _world.SearchAsync(again, Torrent, peers.AddRange);
        Assert.Contains(IPEndPoint.Parse("11.11.1.1:7000"), peers);
    }

    [Fact]
    public async Task An_id_that_does_not_match_the_external_address_is_replaced()
    {
        await _world.GrowAsync(20);
        var id = IdOf(5);
        Assert.True(id.Fits(new DatagramAddress(IPEndPoint.Parse("11.6.1.1:6881"))));
    }

    [Fact]
    public async Task A_query_is_answered_as_BEP_5_says_and_an_announce_without_its_token_is_refused()
    {
        await _world.GrowAsync(10);
        var stranger = _world.Join(150);
        var answers = new List<string>();
        stranger.Register((_, datagram) =>
        {
            // A node that sends a query is pinged to see whether it answers.
            if (Encoding.Latin1.GetString(datagram) is var text
                && text.Contains("1:y1:r", StringComparison.Ordinal) | text.Contains("1:y1:e", StringComparison.Ordinal))
                answers.Add(text);
            return true;
        });
        var target = new DatagramAddress(IPEndPoint.Parse("11.4.1.1:6881"));
        Ask("d1:ad2:id20:abcdefghij0123456789e1:q4:ping1:t2:aa1:y1:qe");
        Assert.Contains("1:t2:aa", answers[0], StringComparison.Ordinal);
        Assert.EndsWith("1:y1:re", answers[0], StringComparison.Ordinal);
        Ask("d1:ad2:id20:abcdefghij01234567899:info_hash20:mnopqrstuvwxyz123456e1:q9:get_peers1:t2:bb1:y1:qe");
        var token = answers.Find(static answer => answer.Contains("5:token8:", StringComparison.Ordinal))!.Split("5:token8:")[1][..8];
        Announce("12345678");
        Assert.Contains("li203e9:Bad Tokene", answers[^1], StringComparison.Ordinal);
        Announce(token);
        Ask("d1:ad2:id20:abcdefghij01234567899:info_hash20:mnopqrstuvwxyz123456e1:q9:get_peers1:t2:dd1:y1:qe");
        Assert.Contains("6:valuesl6:\u000b\u0097\u0001\u0001\u0015\u00b3e", answers[^1], StringComparison.Ordinal);
        Ask("d1:ad2:id20:abcdefghij0123456789e1:q5:dance1:t2:ee1:y1:qe");
        Assert.Contains("li204e", answers[^1], StringComparison.Ordinal);

        void Ask(string query)
        {
            stranger.Send(target, Encoding.Latin1.GetBytes(query));
            _world.Time.Advance(TimeSpan.FromSeconds(1));
        }

        void Announce(string with) =>
            Ask($"d1:ad2:id20:abcdefghij01234567899:info_hash20:mnopqrstuvwxyz1234564:porti5555e5:token8:{with}e1:q13:announce_peer1:t2:cc1:y1:qe");
    }

    [Fact]
    public async Task Answers_are_rate_limited_per_address_and_in_total()
    {
        await _world.GrowAsync(20);
        var from = _world.Network.Sent.Count;
        var node = new DatagramAddress(IPEndPoint.Parse("11.4.1.1:6881"));
        var query = Encoding.Latin1.GetBytes(
            "d1:ad2:id20:abcdefghij01234567899:info_hash20:mnopqrstuvwxyz123456e1:q9:get_peers1:t2:bb1:y1:qe");
        foreach (var number in Enumerable.Range(0, 200))
        {
            var channel = _world.Join(200 + number);
            for (var i = 0; i < 20; i++)
                channel.Send(node, query);
        }

        _world.Time.Advance(TimeSpan.FromMilliseconds(30));
        var answers = _world.Network.Sent.Skip(from).Where(sent => sent.From == node && sent.Payload.AsSpan().IndexOf("5:token"u8) > 0)
            .ToArray();
        Assert.InRange(answers.Sum(static answer => answer.Payload.Length), 10_000, DhtAllowance.BytesPerSecond + 1_500);
        Assert.All(answers.GroupBy(static answer => answer.To), static group => Assert.InRange(group.Count(), 1, DhtAllowance.PerAddress));
    }

    [Fact]
    public async Task Truncated_and_damaged_messages_do_no_harm()
    {
        await _world.GrowAsync(10);
        var seeds = _world.Network.Sent.TakeLast(200).Select(static sent => sent.Payload).DistinctBy(static payload => payload.Length)
            .ToArray();
        var stranger = _world.Join(150);
        var target = _world.Network.Find("11.4.1.1:6881")!;
        var random = new Random(11);
        foreach (var seed in seeds)
        {
            for (var length = 0; length < seed.Length; length++)
                target.Handlers.Offer(stranger.Addresses[0], seed.AsSpan(0, length));
            for (var i = 0; i < 300; i++)
            {
                var changed = seed.ToArray();
                for (var j = random.Next(1, 6); j > 0; j--)
                    changed[random.Next(changed.Length)] = (byte)random.Next(256);
                target.Handlers.Offer(stranger.Addresses[0], changed);
            }
        }

        _world.Time.Advance(TimeSpan.FromMinutes(1));
        await _world.SearchAsync(_world.Nodes[2], Torrent, _ => { });
        var peers = new List<IPEndPoint>();
        await _world.SearchAsync(_world.Nodes[3], Torrent, peers.AddRange);
        Assert.Contains(IPEndPoint.Parse("11.3.1.1:7000"), peers);
    }

    [Fact]
    public async Task Silent_nodes_leave_the_table_and_the_others_stay()
    {
        await _world.GrowAsync(40);

        // Two full buckets and more, wherever the ids lie.
        Assert.True(_world.Nodes[3].Status.Nodes > 11);
        for (var i = 12; i < 40; i++)
            _world.Nodes[i].Dispose();
        for (var i = 0; i < 3_600; i++)
            _world.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(_world.Nodes[3].Status.Nodes, RoutingTable.BucketSize, 11);
    }

    [Fact]
    public async Task A_search_without_any_answer_ends_with_no_peers()
    {
        var node = _world.Add(5);
        Assert.Equal(0, await _world.SearchAsync(node, Torrent, _ => { }));
        Assert.False(node.Status.IsBootstrapped);
    }

    [Fact]
    public async Task A_peer_that_announces_to_us_is_found_at_once()
    {
        var first = _world.Add(0, bootstrap: ["11.2.1.1:6881"]);
        var second = _world.Add(1);
        var peers = new List<IPEndPoint>();
        first.Watch(Torrent, peers.AddRange);
        var waiting = first.SearchAsync(Torrent, _ => { }, default);
        await Until.TrueAsync(() => !first.IsResolving);
        await _world.SearchAsync(second, Torrent, _ => { });
        _world.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([IPEndPoint.Parse("11.2.1.1:7000")], peers.Distinct());
        first.Dispose();
        await waiting;
    }

    [Fact]
    public void State_round_trips_and_garbage_reads_as_nothing()
    {
        var state = new DhtState(NodeId.Random(), NodeId.Random(), [new(NodeId.Random(), new(IPEndPoint.Parse("11.2.1.1:1")))],
            [new(NodeId.Random(), new(IPEndPoint.Parse("[2001:db8::1]:2")))]);
        var bytes = state.Write();
        var read = DhtState.Read(bytes)!;
        Assert.Equal((state.Id, state.Id6), (read.Id, read.Id6));
        Assert.Equal(state.Nodes.Concat(state.Nodes6), read.Nodes.Concat(read.Nodes6));
        for (var length = 0; length < bytes.Length; length++)
            Assert.Null(DhtState.Read(bytes.AsSpan(0, length)));
    }

    private NodeId IdOf(int number)
    {
        var address = _world.Network.Find($"11.{number + 1}.1.1:6881")!.Addresses[0];
        Assert.True(DhtMessage.TryRead(_world.Network.Sent.Last(sent => sent.From == address).Payload, out var message));
        return message.Id!.Value;
    }
}
