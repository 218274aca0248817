using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Tests.Scripted;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests;

/// <summary>Hybrid torrents (BEP 52): one torrent with two names, and a swarm for each.</summary>
public sealed class HybridTests
{
    internal const long Size = 1_000_000;

    [Fact]
    public async Task The_DHT_is_searched_and_told_by_both_names()
    {
        using var channel = new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
        var node = new IPEndPoint(IPAddress.Loopback, channel.PortOf(AddressFamily.InterNetwork));
        using var router = new DhtNetwork(
            channel, TimeProvider.System, () =>
                new DhtSettings(true, [node.ToString()], null), node.Port, static (_, _) => throw new IOException("no names here"));
        await router.SearchAsync(NodeId.Random(), static _ => { }, default);
        await using var swarm = NewSwarm(byAlias: true);
        using var stranger = new DhtStranger(node);
        await stranger.AnnounceAsync(swarm.Torrent.Alias.ToArray(), swarm.Seeders[0].Endpoint.Port);

        await using var fixture = new SwarmFixture(swarm, new TorrentOptions
        {
            Workers = 1,
            Listen = new IPEndPoint(IPAddress.Loopback, 0),
            Dht = true,
            DhtBootstrap = [node.ToString()],
        });
        var torrent = fixture.Engine.Add(Link(swarm.Torrent));
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Equal(PeerSources.Dht, Assert.Single(torrent.GetDetails().Peers).Sources);
        byte[] ours = [127, 0, 0, 1, (byte)(fixture.Engine.Port >> 8), (byte)fixture.Engine.Port];
        foreach (var name in new[] { swarm.Torrent.Hash, swarm.Torrent.Alias })
            await Until.TrueAsync(async () => (await stranger.AskAsync(name.ToArray())).AsSpan().IndexOf(ours) >= 0);
    }

    [Theory]
    [InlineData(EncryptionPolicy.Off)]
    [InlineData(EncryptionPolicy.Require)]
    public async Task Peers_that_dial_by_the_alias_are_served(EncryptionPolicy policy)
    {
        var content = Hybrid();
        var options = new TorrentOptions { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0) };
        await using var seeder = new SwarmFixture(content, SwarmFixture.Seeders(1), options);
        var seeding = seeder.Add();
        await seeder.ReadAsync(seeding, 0, Size);
        await seeder.Swarm.Seeders[0].DisposeAsync();
        await Until.TrueAsync(() => seeding.GetStatus().Peers == 0);
        seeder.Engine.Apply(options with { Encryption = policy });

        await using var leecher = new SwarmFixture(content, [], options with { Encryption = policy });
        var leeching = leecher.Engine.Add(Link(content));
        leeching.Swarm.AddPeers([new IPEndPoint(IPAddress.Loopback, seeder.Engine.Port)], PeerSources.Link, byAlias: true);
        await leecher.ReadAsync(leeching, 0, Size);
        Assert.True(Assert.Single(seeding.Swarm.Peers) is { ByAlias: true, IsIncoming: true });
        Assert.Equal(policy == EncryptionPolicy.Off ? PeerEncryption.None : PeerEncryption.Full,
            Assert.Single(seeding.GetDetails().Peers).Encryption);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_handshake_is_answered_by_the_name_it_has_and_does_not_offer_version_2(bool byAlias)
    {
        await using var swarm = NewSwarm(byAlias: false);
        await using var fixture = new SwarmFixture(
            swarm, new TorrentOptions { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        fixture.Engine.Add(File(swarm.Torrent));
        var name = byAlias ? swarm.Torrent.Alias : swarm.Torrent.Hash;
        var answer = await GreetAsync(fixture.Engine.Port, name);
        Assert.Equal(Text(name), Text(answer.AsMemory(28, 20)));
        Assert.Equal(0, answer[27] & 0x10);
    }

    [Fact]
    public async Task Requests_for_hashes_of_version_2_are_rejected_and_the_peer_stays()
    {
        await using var swarm = new ScriptedSwarm(Hybrid(), isDescribed: true);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        byte[] request = [.. Enumerable.Range(1, 48).Select(static number => (byte)number)];
        await peer.SayAsync(HostilePeer.Message(21, request));
        await peer.HearsAsync(23);
        Assert.Equal(request, Assert.Single(peer.Heard(23)));
        Assert.False(peer.IsClosed);

        await peer.SayAsync(HostilePeer.Message(21, request.AsSpan(1)));
        Assert.True(peer.IsClosed);
    }

    /// <summary>A peer that names others does not say which of the two names they know.</summary>
    [Fact]
    public async Task Peers_that_one_of_the_second_swarm_names_are_dialled_by_the_alias_and_then_by_the_hash()
    {
        await using var swarm = new ScriptedSwarm(Hybrid(), isDescribed: true);
        var speaker = await swarm.DialAsync();
        speaker.Reachable.SetResult();
        await speaker.IsGreetedAsync();
        await speaker.SayAsync(HostilePeer.Handshake(swarm.Content.Alias.Span), HostilePeer.Message(ScriptedPeer.HaveNone));
        await speaker.SayAsync(HostilePeer.Message(ScriptedPeer.Extended, [0, .. "d1:md6:ut_pexi7eee"u8]));
        var named = new ScriptedPeer(swarm.Content, 4_000);
        var output = new ArrayBufferWriter<byte>();
        ExchangeMessage.Write(output, [new ExchangedPeer(named.Remote, ExchangeFlags.None)], []);
        await speaker.SayAsync(HostilePeer.Message(ScriptedPeer.Extended, [ExtensionHandshake.OurExchangeId, .. output.WrittenSpan]));
        await swarm.DialledAsync();
        Assert.Equal(Text(swarm.Content.Alias), swarm.NameFor(named).ToString());

        await Until.TrueAsync(() => swarm.Torrent.Swarm.Context.Connections.DialsOf(swarm.Torrent.Swarm) == 0);
        swarm.Time.Advance(TimeSpan.FromSeconds(2));
        await swarm.DialledAsync();
        Assert.Equal(swarm.Content.HashText, swarm.NameFor(named).ToString());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_link_cannot_take_another_torrents_name(bool isFirst)
    {
        var (one, other) = (Hybrid(), SwarmFixture.OneFile(Size, seed: 8));
        var options = new TorrentOptions
        { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0), Encryption = EncryptionPolicy.Require };
        await using var fixture = new SwarmFixture(one, [], options);
        var claim = MagnetLink.Read($"magnet:?xt=urn:btih:{one.HashText}&xt=urn:btmh:1220{other.HashText}{new string('0', 24)}").Value!;
        var claiming = isFirst ? fixture.Engine.Add(claim) : null;
        if (isFirst)
            Assert.Equal(other.HashText, claiming!.Swarm.Alias.ToString());
        var claimed = fixture.Engine.Add(File(other));
        claiming ??= fixture.Engine.Add(claim);
        Assert.Null(claiming.Swarm.Alias);

        await using var stranger = new SwarmFixture(other, [], options);
        var visiting = stranger.Add();
        visiting.AddPeers(new IPEndPoint(IPAddress.Loopback, fixture.Engine.Port));
        await Until.TrueAsync(() => claimed.GetStatus().Peers == 1);
        Assert.Equal(0, claiming.GetStatus().Peers);

        // What the one leaves behind stays the other's.
        await claiming.DisposeAsync();
        await visiting.DisposeAsync();
        await Until.TrueAsync(() => claimed.GetStatus().Peers == 0);
        stranger.Add().AddPeers(new IPEndPoint(IPAddress.Loopback, fixture.Engine.Port));
        await Until.TrueAsync(() => claimed.GetStatus().Peers == 1);
    }

    [Fact]
    public void A_disguised_name_stays_until_it_was_removed_as_often_as_added()
    {
        var (names, name) = (new DisguisedHashes(), InfoHash.Of([1]));
        var disguise = StreamKeys.Disguise(name);
        names.Add(name);
        names.Add(name);
        names.Remove(name);
        Assert.Equal(name, names.Find(disguise));
        names.Remove(name);
        Assert.Null(names.Find(disguise));
    }

    internal static MockTorrent Hybrid(bool isPrivate = false) =>
        new("film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]), isPrivate, isHybrid: true);

    internal static Swarm NewSwarm(bool byAlias, bool isPrivate = false) =>
        new(Hybrid(isPrivate), SwarmFixture.Seeders(1, new SeederOptions { ByAlias = byAlias }));

    internal static Metainfo File(MockTorrent torrent, params IReadOnlyList<string> trackers) =>
        Metainfo.Read(torrent.TorrentFile(trackers)).Value!;

    internal static MagnetLink Link(MockTorrent torrent, params IReadOnlyList<string> trackers) =>
        MagnetLink.Read($"{torrent.Magnet([], trackers)}&xt=urn:btmh:1220{Convert.ToHexStringLower(torrent.NewerHash)}").Value!;

    internal static string Text(ReadOnlyMemory<byte> name) => Convert.ToHexStringLower(name.Span);

    private static async Task<byte[]> GreetAsync(int port, ReadOnlyMemory<byte> name)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port);
        await using var stream = client.GetStream();
        await stream.WriteAsync(HostilePeer.Handshake(name.Span));
        var answer = new byte[68];
        await stream.ReadExactlyAsync(answer);
        return answer;
    }

    /// <summary>A node that asks another (BEP 5), and answers nothing.</summary>
    private sealed class DhtStranger(IPEndPoint node) : IDisposable
    {
        private readonly UdpClient _client = new(new IPEndPoint(IPAddress.Loopback, 0));

        public async Task AnnounceAsync(byte[] name, int port)
        {
            var answer = await AskAsync(name);
            var token = answer.AsSpan(answer.AsSpan().IndexOf("5:token8:"u8) + 9, 8).ToArray();
            await SendAsync([
                .. "d1:ad2:id20:abcdefghij01234567899:info_hash20:"u8, .. name, .. Encoding.ASCII.GetBytes($"4:porti{port}e5:token8:"),
                .. token,
                .. "e1:q13:announce_peer1:t2:bb1:y1:qe"u8]);
        }

        public Task<byte[]> AskAsync(byte[] name) =>
            SendAsync([.. "d1:ad2:id20:abcdefghij01234567899:info_hash20:"u8, .. name, .. "e1:q9:get_peers1:t2:bb1:y1:qe"u8]);

        public void Dispose() => _client.Dispose();

        private async Task<byte[]> SendAsync(byte[] query)
        {
            await _client.SendAsync(query, node);
            while (true)
            {
                var answer = (await _client.ReceiveAsync()).Buffer;
                if (answer.AsSpan().IndexOf("1:t2:bb"u8) >= 0)
                    return answer;
            }
        }
    }
}
