using System.Buffers;
using System.Net;
using System.Text;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Peer exchange in both directions (BEP 11).</summary>
public sealed class ExchangeTests
{
    private const byte Extended = 20;

    /// <summary>The peers' number for ut_pex.</summary>
    private const byte TheirId = 7;

    private static readonly IPAddress Six = IPAddress.Parse("2001:db8::7");

    [Fact]
    public async Task A_peer_is_told_of_the_others_within_a_second_and_then_of_changes_once_a_minute()
    {
        await using var swarm = new ScriptedSwarm(4);
        var seeder = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        var six = await swarm.ConnectAsync(ScriptedPeer.HaveNone, Six);
        var listener = await ListenAsync(swarm);
        Assert.Empty(Told(listener));

        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await HearsAsync(listener, 1);
        Assert.Equal(
            [new ExchangedPeer(seeder.Remote, ExchangeFlags.Seed | ExchangeFlags.Reachable),
                new ExchangedPeer(six.Remote, ExchangeFlags.Reachable)],
            Told(listener)[0]);

        seeder.Dispose();
        var other = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 3);
        swarm.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Single(Told(listener));
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await HearsAsync(listener, 2);
        Assert.Equal([new ExchangedPeer(other.Remote, ExchangeFlags.Reachable)], Told(listener)[1]);
        Assert.Contains("7:dropped6:", Encoding.Latin1.GetString(Payloads(listener)[1]), StringComparison.Ordinal);

        // A silent peer is let go after 150 seconds, which would be told.
        swarm.Time.Advance(TimeSpan.FromSeconds(80));
        Assert.Equal(2, Told(listener).Count);
    }

    [Fact]
    public async Task A_message_has_at_most_fifty_peers_and_the_next_one_the_rest()
    {
        await using var swarm = new ScriptedSwarm(4);
        for (var i = 0; i < 60; i++)
            await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var listener = await ListenAsync(swarm);

        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await HearsAsync(listener, 1);
        swarm.Time.Advance(TimeSpan.FromSeconds(60));
        await HearsAsync(listener, 2);
        Assert.Equal([50, 10], Told(listener).Select(static told => told.Count));
        Assert.Equal(60, Told(listener).SelectMany(static told => told).Distinct().Count());
    }

    [Fact]
    public async Task Peers_of_a_private_torrent_are_neither_sent_nor_accepted()
    {
        await using var swarm = new ScriptedSwarm(Private, isDescribed: true) { Source = PeerSources.Tracker };
        await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        var listener = await ListenAsync(swarm);
        await listener.SayAsync(Message(new IPEndPoint(IPAddress.Loopback, 4_000)));
        swarm.Time.Advance(TimeSpan.FromSeconds(90));

        Assert.Empty(Told(listener));
        Assert.Contains("6:ut_pexi0e", Encoding.Latin1.GetString(listener.Heard(Extended)[0]), StringComparison.Ordinal);
        Assert.False(swarm.Torrent.Swarm.Book.Allows(PeerSources.Exchange));
        Assert.Equal(2, swarm.Torrent.Swarm.Book.Known);
    }

    [Fact]
    public async Task Exchanged_peers_are_dialled_before_the_metadata_is_known_but_none_are_sent()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(100_000), isDescribed: false);
        var speaker = await ListenAsync(swarm);
        var four = swarm.Expect();
        var six = swarm.Expect(Six);
        await speaker.SayAsync(Message(four.Remote, six.Remote));
        await swarm.DialledAsync();
        await swarm.DialledAsync();
        four.Reachable.SetResult();
        six.Reachable.SetResult();
        await four.IsGreetedAsync();
        await six.IsGreetedAsync();

        Assert.Equal(
            [PeerSources.Link, PeerSources.Exchange, PeerSources.Exchange],
            swarm.Torrent.GetDetails().Peers.OrderBy(static peer => peer.Address.Port).Select(static peer => peer.Sources));
        await four.GreetAsync(ScriptedPeer.HaveAll);
        swarm.Time.Advance(TimeSpan.FromSeconds(90));
        Assert.Empty(Told(speaker));
    }

    [Fact]
    public async Task Messages_that_come_too_often_are_ignored_and_a_long_one_is_truncated()
    {
        await using var swarm = new ScriptedSwarm(4);
        var speaker = await ListenAsync(swarm);
        await speaker.SayAsync(Message([.. Enumerable.Range(5_000, 300).Select(static port => new IPEndPoint(IPAddress.Loopback, port))]));
        Assert.Equal(101, swarm.Torrent.Swarm.Book.Known);

        for (var message = 0; message < 100; message++)
            await speaker.SayAsync(Message(new IPEndPoint(IPAddress.Loopback, 10_000 + message)));
        Assert.Equal(104, swarm.Torrent.Swarm.Book.Known);

        swarm.Time.Advance(TimeSpan.FromSeconds(50));
        await speaker.SayAsync(Message(new IPEndPoint(IPAddress.Loopback, 20_000)));
        await speaker.SayAsync(Message(new IPEndPoint(IPAddress.Loopback, 20_001)));
        Assert.Equal((105, null), (swarm.Torrent.Swarm.Book.Known, swarm.Torrent.GetStatus().LastDisconnectReason));
    }

    [Fact]
    public async Task Addresses_of_the_local_network_are_neither_accepted_from_nor_sent_to_remote_peers()
    {
        await using var swarm = new ScriptedSwarm(4, new TorrentOptions { MostPeers = 2 });
        await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var far = await ListenAsync(swarm, IPAddress.Parse("192.0.2.7"));
        await far.SayAsync(Message(
            [.. new[] { "127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.0.1", "169.254.1.1", "fe80::1", "fd00::1", "224.0.0.1",
                "192.0.2.8" }.Select(static text => new IPEndPoint(IPAddress.Parse(text), 4_000))]));
        swarm.Time.Advance(TimeSpan.FromSeconds(90));

        Assert.Equal(3, swarm.Torrent.Swarm.Book.Known);
        Assert.Empty(Told(far));
    }

    [Fact]
    public async Task Peer_exchange_that_is_switched_off_is_neither_offered_nor_used()
    {
        await using var swarm = new ScriptedSwarm(4, new TorrentOptions { PeerExchange = false, MostPeers = 2 });
        await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var listener = await ListenAsync(swarm);
        await listener.SayAsync(Message(new IPEndPoint(IPAddress.Loopback, 4_000)));
        swarm.Time.Advance(TimeSpan.FromSeconds(90));

        Assert.Contains("6:ut_pexi0e", Encoding.Latin1.GetString(listener.Heard(Extended)[0]), StringComparison.Ordinal);
        Assert.Empty(Told(listener));
        Assert.Equal(2, swarm.Torrent.Swarm.Book.Known);
    }

    [Fact]
    public async Task Who_is_connected_by_uTP_is_named_so_and_who_is_named_so_is_known_for_it()
    {
        await using var swarm = new ScriptedSwarm(4, new TorrentOptions { MostPeers = 2 });
        var other = await swarm.DialAsync();
        other.IsUtp = true;
        other.Reachable.SetResult();
        await other.IsGreetedAsync();
        await other.GreetAsync(ScriptedPeer.HaveNone);
        var listener = await ListenAsync(swarm);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await HearsAsync(listener, 1);
        Assert.Equal([new ExchangedPeer(other.Remote, ExchangeFlags.Utp | ExchangeFlags.Reachable)], Told(listener)[0]);

        // There is no room to dial what the listener names.
        var (one, two) = (IPEndPoint.Parse("127.0.0.1:4000"), IPEndPoint.Parse("127.0.0.1:4001"));
        var output = new ArrayBufferWriter<byte>();
        ExchangeMessage.Write(output, [new ExchangedPeer(one, ExchangeFlags.Utp), new ExchangedPeer(two, ExchangeFlags.None)], []);
        await listener.SayAsync(HostilePeer.Message(Extended, [ExtensionHandshake.OurExchangeId, .. output.WrittenSpan]));
        var book = swarm.Torrent.Swarm.Book;
        await Until.TrueAsync(() => book.Known == 4);
        KnownPeer?[] named = [book.Next(long.MaxValue), book.Next(long.MaxValue)];
        Assert.Equal([(one, true), (two, false)],
            named.Select(static peer => (peer!.Endpoint, peer.SpeaksUtp)).OrderBy(static peer => peer.Endpoint.Port));
    }

    private static MockTorrent Private =>
        new("film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]), isPrivate: true);

    private static async Task<ScriptedPeer> ListenAsync(ScriptedSwarm swarm, IPAddress? address = null)
    {
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone, address);
        await peer.SayAsync(HostilePeer.Message(Extended, [0, .. Encoding.ASCII.GetBytes($"d1:md6:ut_pexi{TheirId}eee")]));
        return peer;
    }

    private static byte[] Message(params IPEndPoint[] added)
    {
        var output = new ArrayBufferWriter<byte>();
        ExchangeMessage.Write(output, [.. added.Select(static endpoint => new ExchangedPeer(endpoint, ExchangeFlags.None))], []);
        return HostilePeer.Message(Extended, [ExtensionHandshake.OurExchangeId, .. output.WrittenSpan]);
    }

    private static async Task HearsAsync(ScriptedPeer peer, int messages) => await Until.TrueAsync(() => Payloads(peer).Count >= messages);

    private static List<byte[]> Payloads(ScriptedPeer peer) =>
        [.. peer.Heard(Extended).Where(static payload => payload[0] == TheirId).Select(static payload => payload[1..])];

    private static List<List<ExchangedPeer>> Told(ScriptedPeer peer) => Payloads(peer).ConvertAll(static payload =>
    {
        var added = new List<ExchangedPeer>();
        Assert.True(ExchangeMessage.TryRead(payload, added, int.MaxValue));
        return added;
    });
}
