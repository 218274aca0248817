using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>The info dictionary, from peers and to them (BEP 9).</summary>
public sealed class MetadataTests
{
    private const byte Extended = 20;

    /// <summary>The peers' number for ut_metadata.</summary>
    private const byte TheirId = 3;

    private const int PieceSize = 16_384;

    private static readonly MockTorrent Large = new(
        "film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]), infoPadding: 3 << 20);

    private static readonly int Pieces = (Large.Info.Length + PieceSize - 1) / PieceSize;

    [Fact]
    public async Task A_peer_is_asked_for_at_most_sixteen_pieces_at_once_and_for_each_once()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: false);
        var peer = await ConnectAsync(swarm);
        var most = 0;
        for (var sent = 0; sent < Pieces; sent++)
        {
            var asked = Asked(peer);
            most = Math.Max(most, asked.Count - sent);
            await peer.SayAsync(Data(asked[sent]));
        }

        Assert.Equal(Large.HashText, (await swarm.Torrent.DescribeAsync(default)).Hash.ToString());
        Assert.Equal(16, most);
        Assert.Equal(Enumerable.Range(0, Pieces), Asked(peer).Order());
    }

    [Fact]
    public async Task Several_peers_each_send_a_part_of_the_metadata()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: false);
        ScriptedPeer[] peers = [await ConnectAsync(swarm), await ConnectAsync(swarm), await ConnectAsync(swarm)];
        await ServeAllAsync(swarm, peers);
        Assert.All(peers, static peer => Assert.InRange(Asked(peer).Count, Pieces / 4, Pieces / 2));
        Assert.Equal(Enumerable.Range(0, Pieces), peers.SelectMany(Asked).Order());
    }

    [Fact]
    public async Task A_rejected_piece_is_requested_from_another_peer_at_once_and_later_from_the_same_one()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: false);
        var peer = await ConnectAsync(swarm);
        var rejected = Asked(peer);
        foreach (var piece in rejected)
            await peer.SayAsync(Message(MetadataMessage.Reject, piece));
        Assert.Equal(rejected.Count, Asked(peer).Count);

        var other = await ConnectAsync(swarm);
        Assert.Equal(rejected, Asked(other));
        foreach (var piece in rejected)
            await other.SayAsync(Message(MetadataMessage.Reject, piece));

        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => Asked(peer).Count > rejected.Count);
        await ServeAllAsync(swarm, [peer, other], from: [rejected.Count, rejected.Count]);
    }

    [Fact]
    public async Task A_piece_of_a_silent_peer_is_requested_from_another_and_accepted_if_it_arrives_late()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(100_000), isDescribed: false);
        var info = swarm.Content.Info;
        var silent = await ConnectAsync(swarm);
        var other = await ConnectAsync(swarm);
        Assert.Equal([0], Asked(silent));
        Assert.Empty(Asked(other));
        swarm.Time.Advance(TimeSpan.FromSeconds(4));
        await other.HearsAsync(Extended, 2);
        Assert.Equal([0], Asked(other));

        await silent.SayAsync(Data(0, info));
        await swarm.Torrent.DescribeAsync(default);
    }

    [Fact]
    public async Task A_liar_among_several_senders_is_found_and_banned()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: false);
        var liar = await ConnectAsync(swarm);
        var honest = await ConnectAsync(swarm);
        await ServeAllAsync(swarm, [liar, honest], from: null,
            (peer, piece) => peer == liar && piece == 1 ? Data(piece, new byte[Large.Info.Length]) : Data(piece));
        Assert.Equal(1, swarm.Torrent.GetStatus().Peers);
    }

    [Fact]
    public async Task A_false_metadata_size_is_replaced_by_the_one_that_more_peers_announce()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: false);
        var liar = await ConnectAsync(swarm, size: 60 << 20);
        Assert.NotEmpty(Asked(liar));
        ScriptedPeer[] peers = [await ConnectAsync(swarm), await ConnectAsync(swarm)];
        await ServeAllAsync(swarm, peers);
    }

    [Fact]
    public async Task At_most_64_metadata_pieces_wait_for_a_peer_that_does_not_read_and_the_rest_are_rejected()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: true);
        var peer = await ConnectAsync(swarm);

        // The first answer is on its way and goes no further: so many wait behind it.
        peer.Jam = new TaskCompletionSource();
        await peer.SayAsync(Message(MetadataMessage.Request, 0, ExtensionHandshake.OurMetadataId));
        await peer.IsJammedAsync();
        await peer.SayAsync([.. Enumerable.Range(1, Pieces - 1)
            .Select(static piece => Message(MetadataMessage.Request, piece, ExtensionHandshake.OurMetadataId))]);
        peer.Jam.SetResult();
        await peer.HearsAsync(Extended, 1 + Pieces);

        var answers = Heard(peer).ToLookup(static answer => answer.Message.Type);
        Assert.Equal(Enumerable.Range(0, 65), answers[MetadataMessage.Data].Select(static answer => answer.Message.Piece));
        Assert.Equal(Enumerable.Range(65, Pieces - 65), answers[MetadataMessage.Reject].Select(static answer => answer.Message.Piece));
        Assert.All(answers[MetadataMessage.Data], static answer => Assert.Equal(Data(answer.Message.Piece)[6..], answer.Payload));
        Assert.Equal(1, swarm.Torrent.GetStatus().Peers);
    }

    [Fact]
    public async Task A_second_extension_handshake_changes_only_what_it_names()
    {
        await using var swarm = new ScriptedSwarm(Large, isDescribed: true);
        var peer = await ConnectAsync(swarm);
        await peer.SayAsync(Handshake("d4:reqqi7ee"));
        await peer.SayAsync(Message(MetadataMessage.Request, 0, ExtensionHandshake.OurMetadataId));
        await peer.HearsAsync(Extended, 2);
        Assert.Equal(0, Assert.Single(Heard(peer)).Message.Piece);

        // BEP 10: 0 switches it off.
        await peer.SayAsync(Handshake("d1:md11:ut_metadatai0eee"));
        await peer.SayAsync(Message(MetadataMessage.Request, 1, ExtensionHandshake.OurMetadataId));
        await peer.SayAsync(Handshake("d1:md11:ut_metadatai3eee"));
        await peer.SayAsync(Message(MetadataMessage.Request, 2, ExtensionHandshake.OurMetadataId));
        await Until.TrueAsync(() => Heard(peer).Any(static answer => answer.Message.Piece == 2));
        Assert.DoesNotContain(Heard(peer), static answer => answer.Message.Piece == 1);
    }

    [Fact]
    public async Task A_magnet_link_that_turns_out_private_drops_peers_that_no_tracker_named()
    {
        var content = new MockTorrent(
            "film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]), isPrivate: true);
        await using var swarm = new ScriptedSwarm(content, isDescribed: false);
        var peer = await ConnectAsync(swarm);
        await peer.SayAsync(Data(0, content.Info));
        Assert.True((await swarm.Torrent.DescribeAsync(default)).IsPrivate);

        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 0);
        Assert.Equal("The torrent is private: its peers come from its tracker alone.", swarm.Torrent.GetStatus().LastDisconnectReason);
        swarm.Torrent.AddPeers(new IPEndPoint(IPAddress.Loopback, 2_000));
        Assert.Equal(0, swarm.Torrent.Swarm.Book.Known);
    }

    private static async Task<ScriptedPeer> ConnectAsync(ScriptedSwarm swarm, int size = 0)
    {
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        size = size > 0 ? size : swarm.Content.Info.Length;
        await peer.SayAsync(
            Handshake(string.Create(CultureInfo.InvariantCulture, $"d1:md11:ut_metadatai{TheirId}ee13:metadata_sizei{size}ee")));
        return peer;
    }

    /// <summary>Serves whatever the peers are asked for until the torrent is described.</summary>
    private static async Task ServeAllAsync(
        ScriptedSwarm swarm, ScriptedPeer[] peers, int[]? from = null, Func<ScriptedPeer, int, byte[]>? data = null)
    {
        var served = from ?? new int[peers.Length];
        var described = swarm.Torrent.DescribeAsync(default);
        for (var round = 0; round < 10 * Pieces && !described.IsCompleted; round++)
        {
            for (var i = 0; i < peers.Length; i++)
            {
                var asked = Asked(peers[i]);
                if (served[i] == asked.Count)
                    continue;
                await peers[i].SayAsync(data?.Invoke(peers[i], asked[served[i]]) ?? Data(asked[served[i]]));
                served[i]++;
            }

            swarm.Time.Advance(TimeSpan.FromMilliseconds(20));
        }

        Assert.Equal(swarm.Content.HashText, (await described).Hash.ToString());
    }

    /// <summary>The pieces that the engine asked a peer for, in order.</summary>
    private static List<int> Asked(ScriptedPeer peer) =>
        [.. Heard(peer).Where(static message => message.Message.Type == MetadataMessage.Request)
            .Select(static message => message.Message.Piece)];

    private static IEnumerable<(MetadataMessage Message, byte[] Payload)> Heard(ScriptedPeer peer)
    {
        foreach (var payload in peer.Heard(Extended).Where(static payload => payload[0] == TheirId))
        {
            Assert.True(MetadataMessage.TryRead(payload.AsSpan(1), out var message));
            yield return (message, payload[1..]);
        }
    }

    private static byte[] Handshake(string dictionary) => HostilePeer.Message(Extended, [0, .. Encoding.ASCII.GetBytes(dictionary)]);

    private static byte[] Data(int piece) => Data(piece, Large.Info);

    private static byte[] Data(int piece, ReadOnlyMemory<byte> info) =>
        Message(MetadataMessage.Data, piece, ExtensionHandshake.OurMetadataId, info.Length,
            info.Slice(piece * PieceSize, Math.Min(PieceSize, info.Length - (piece * PieceSize))));

    private static byte[] Message(
        int type, int piece, byte id = ExtensionHandshake.OurMetadataId, int size = 0, ReadOnlyMemory<byte> data = default)
    {
        var head = new ArrayBufferWriter<byte>();
        MetadataMessage.Write(head, type, piece, size);
        return HostilePeer.Message(Extended, [id, .. head.WrittenSpan, .. data.Span]);
    }
}
