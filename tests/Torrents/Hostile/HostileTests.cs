using System.Text;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests.Hostile;

/// <summary>Hostile peers: each is disconnected or at least delays no reader, and a reader gets every byte meanwhile.</summary>
public sealed class HostileTests
{
    private const long Size = 2_000_000;

    private static readonly MockTorrent Shared = SwarmFixture.OneFile(Size);

    private static readonly byte[] Greeting = HostilePeer.Handshake(Shared.Hash.Span);

    private static readonly byte[] HaveAll = HostilePeer.Message(14);

    private static readonly byte[] Unchoke = HostilePeer.Message(1);

    /// <summary>What they send, by name; the engine must close the connection.</summary>
    public static TheoryData<string> LetGo => [.. Sent.Keys];

    private static Dictionary<string, byte[][]> Sent { get; } = new(StringComparer.Ordinal)
    {
        ["garbage"] = [Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\n\r\n")],
        ["another torrent"] = [HostilePeer.Handshake(new byte[20])],
        ["an oversize length"] = [Greeting, [0xFF, 0xFF, 0xFF, 0xFF, 5]],
        ["a long message"] = [Greeting, [0, 0x40, 0, 0, 20]],
        ["a bitfield of the wrong length"] = [Greeting, HostilePeer.Message(5, new byte[1_000])],
        ["a bitfield with spare bits"] = [
            Greeting, HostilePeer.Message(5, [.. Enumerable.Repeat((byte)0xFF, (Shared.Content.PieceCount + 7) / 8)])],
        ["bitfields without end"] = [Greeting, HaveAll, .. Enumerable.Repeat(HaveAll, 1_000)],
        ["a piece that does not exist"] = [Greeting, HostilePeer.Message(4, HostilePeer.Numbers(1_000_000))],
        ["a negative piece"] = [Greeting, HostilePeer.Message(4, HostilePeer.Numbers(-1))],
        ["a short have"] = [Greeting, HostilePeer.Message(4, 1)],
        ["a huge block"] = [Greeting, HaveAll, [0x7F, 0xFF, 0xFF, 0xFF, 7, 0, 0, 0, 0, 0, 0, 0, 0]],
        ["a block without a place"] = [Greeting, HaveAll, HostilePeer.Message(7, HostilePeer.Numbers(0))],
        ["empty blocks without end"] =
            [Greeting, HaveAll, .. Enumerable.Repeat(HostilePeer.Message(7, HostilePeer.Numbers(0, 0)), 10_100)],
        ["a block beyond the end"] = [Greeting, HaveAll, HostilePeer.Message(7, [.. HostilePeer.Numbers(10_000, 0), .. new byte[16_384]])],
        ["a block at an odd place"] = [Greeting, HaveAll, HostilePeer.Message(7, [.. HostilePeer.Numbers(0, 5), .. new byte[16_384]])],
        ["a request beyond the end"] = [Greeting, HostilePeer.Message(6, HostilePeer.Numbers(10_000, 0, 16_384))],
        ["a huge request"] = [Greeting, HostilePeer.Message(6, HostilePeer.Numbers(0, 0, int.MaxValue))],
        ["a negative request"] = [Greeting, HostilePeer.Message(6, HostilePeer.Numbers(0, -16_384, 16_384))],
        ["a bencode bomb"] = [Greeting, HostilePeer.Message(20, [0, .. Encoding.ASCII.GetBytes(new string('d', 60_000))])],
        ["broken bencode"] = [Greeting, HostilePeer.Message(20, [0, .. "d1:m"u8])],
    };

    [Theory]
    [MemberData(nameof(LetGo))]
    public async Task A_peer_that_breaks_the_protocol_is_disconnected(string what)
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(async stream =>
        {
            foreach (var part in Sent[what])
                await stream.WriteAsync(part);
        });
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await peer.Closed;
        await fixture.ReadAsync(torrent, 0, Size);
    }

    [Fact]
    public async Task A_peer_that_sends_unrequested_blocks_is_disconnected_and_corrupts_nothing()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(async stream =>
        {
            await stream.WriteAsync(Greeting);
            await stream.WriteAsync(HaveAll);
            for (var i = 0; ; i++)
                await stream.WriteAsync(HostilePeer.Message(7, [.. HostilePeer.Numbers(i % 30, i % 4 * 16_384), .. new byte[16_384]]));
        });
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await fixture.ReadAsync(torrent, 0, Size);
        await peer.Closed;
    }

    [Fact]
    public async Task A_peer_that_answers_all_requests_with_garbage_is_banned()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(static stream => AnswerAsync(stream, static (_, block) => Random.Shared.NextBytes(block)));
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await fixture.ReadAsync(torrent, 0, Size);
    }

    [Fact]
    public async Task Floods_of_requests_and_unknown_messages_take_no_memory()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(async stream =>
        {
            await stream.WriteAsync(Greeting);
            await stream.WriteAsync(HostilePeer.Message(15));
            await stream.WriteAsync(HostilePeer.Message(2));
            var flood = Enumerable.Range(0, 1_000).SelectMany(
                i => HostilePeer.Message(6, HostilePeer.Numbers(i % 30, 0, 16_384)).Concat(HostilePeer.Message(99, 1, 2, 3))).ToArray();
            while (true)
                await stream.WriteAsync(flood);
        });
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await fixture.ReadAsync(torrent, 0, Size);
        await peer.Closed;
    }

    [Fact]
    public async Task A_silent_peer_delays_no_reader()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(static _ => Task.CompletedTask);
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await fixture.ReadAsync(torrent, 0, Size);
    }

    [Fact]
    public async Task A_peer_that_claims_all_pieces_and_rejects_every_request_delays_no_reader()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        await using var peer = new HostilePeer(static async stream =>
        {
            await stream.WriteAsync(Greeting);
            await stream.WriteAsync(HaveAll);
            await stream.WriteAsync(Unchoke);
            await foreach (var request in HostilePeer.RequestsAsync(stream))
                await stream.WriteAsync(HostilePeer.Message(16, request));
        });
        var torrent = fixture.Add();
        torrent.AddPeers(peer.Endpoint);
        await fixture.ReadAsync(torrent, 0, Size);
    }

    [Fact]
    public async Task A_stranger_that_floods_the_port_is_disconnected()
    {
        await using var fixture = new SwarmFixture(Shared, SwarmFixture.Seeders(1));
        using var client = new System.Net.Sockets.TcpClient();
        await client.ConnectAsync("127.0.0.1", fixture.Engine.Port);
        var buffer = new byte[64 << 10];
        await Assert.ThrowsAnyAsync<IOException>(async () =>
        {
            while (true)
                await client.GetStream().WriteAsync(buffer);
        });
        await fixture.ReadAsync(fixture.Add(), 0, Size);
    }

    [Fact]
    public async Task Metadata_of_an_impossible_size_is_not_requested()
    {
        await using var swarm = new Swarm(Shared, new SeederOptions());
        await using var fixture = new SwarmFixture(swarm);
        await using var peer = new HostilePeer(static async stream =>
        {
            await stream.WriteAsync(Greeting);
            await stream.WriteAsync(HostilePeer.Message(20, [0, .. "d1:md11:ut_metadatai1ee13:metadata_sizei2000000000ee"u8]));
        });
        var torrent = fixture.Engine.Add(MagnetLink.Read(Shared.Magnet([peer.Endpoint.ToString()], [])).Value!);
        torrent.AddPeers(swarm.Endpoints);
        await torrent.DescribeAsync(default);
        await fixture.ReadAsync(torrent, 0, Size);
    }

    private static async Task AnswerAsync(System.Net.Sockets.NetworkStream stream, Action<byte[], byte[]> fill)
    {
        await stream.WriteAsync(Greeting);
        await stream.WriteAsync(HaveAll);
        await stream.WriteAsync(Unchoke);
        await foreach (var request in HostilePeer.RequestsAsync(stream))
        {
            var length = System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(request.AsSpan(8));
            var block = new byte[length];
            fill(request, block);
            await stream.WriteAsync(HostilePeer.Message(7, [.. request[..8], .. block]));
        }
    }
}
