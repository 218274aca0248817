using System.Buffers.Binary;
using System.Net;
using System.Text;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>
/// What peers say beyond the first protocol: allowed fast and suggestions (BEP 6), upload only (BEP 21), pieces that are gone (BEP 54).
/// </summary>
public sealed class ExtensionTests
{
    private const byte Have = 4;
    private const int Block = 16_384;

    [Fact]
    public void The_allowed_fast_set_matches_the_examples_of_the_specification()
    {
        // BEP 6: 80.4.4.200, an info-hash of twenty times 0xaa, 1,313 pieces.
        var hash = new InfoHash([.. Enumerable.Repeat((byte)0xaa, 20)]);
        Assert.Equal([1059, 431, 808, 1217, 287, 376, 1188], AllowedFast.Of(IPAddress.Parse("80.4.4.200"), hash, 1_313, 7));
        Assert.Equal(
            [1059, 431, 808, 1217, 287, 376, 1188, 353, 508], AllowedFast.Of(IPAddress.Parse("::ffff:80.4.4.200"), hash, 1_313, 9));
        Assert.Empty(AllowedFast.Of(IPAddress.Parse("2001:db8::1"), hash, 1_313, 7));
        Assert.Equal([0, 1, 2], AllowedFast.Of(IPAddress.Parse("80.4.4.200"), hash, 3, 10).Order());
    }

    [Fact]
    public async Task A_choked_newcomer_gets_each_allowed_fast_piece_about_once()
    {
        await using var swarm = new ScriptedSwarm(20, new TorrentOptions { UploadSlots = 1 });
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 20);
        await swarm.ConnectLeecherAsync();
        var newcomer = await swarm.ConnectLeecherAsync();
        var allowed = newcomer.Heard(ScriptedPeer.AllowedFast).Select(static payload => BinaryPrimitives.ReadInt32BigEndian(payload))
            .ToArray();
        Assert.Equal(AllowedFast.Of(newcomer.Remote.Address, swarm.Torrent.Hash, 20, 10), allowed);

        await newcomer.SayAsync(ScriptedPeer.Request, allowed[0], 0, Block);
        await newcomer.HearsAsync(ScriptedPeer.Piece);
        Assert.False(newcomer.IsServed);
        for (var i = 0; i < 10 * SwarmFixture.PieceLength * 3 / 2 / Block; i++)
            await newcomer.SayAsync(ScriptedPeer.Request, allowed[1], 0, Block);
        await newcomer.HearsAsync(ScriptedPeer.Reject);
        Assert.Single(newcomer.Heard(ScriptedPeer.Reject));
    }

    [Fact]
    public async Task A_peer_that_already_has_enough_gets_no_allowed_fast_set()
    {
        await using var swarm = new ScriptedSwarm(20);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 20);
        var peer = await swarm.DialAsync();
        peer.Reachable.SetResult();
        await peer.IsGreetedAsync();
        await peer.SayAsync(HostilePeer.Handshake(swarm.Content.Hash.Span), HostilePeer.Message(5, 0xFF, 0xC0, 0));
        Assert.Empty(peer.Heard(ScriptedPeer.AllowedFast));
    }

    [Fact]
    public async Task Only_allowed_fast_pieces_are_requested_from_a_peer_that_chokes_us()
    {
        await using var swarm = new ScriptedSwarm(4);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        peer.Serves = true;
        await peer.SayAsync(ScriptedPeer.AllowedFast, 2);
        await peer.SayAsync(ScriptedPeer.AllowedFast, 1_000_000);
        await swarm.ReadAsync(2);
        Assert.All(peer.Heard(ScriptedPeer.Request), static payload => Assert.Equal(2, payload[3]));

        swarm.Torrent.FetchAll(true);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.All(peer.Heard(ScriptedPeer.Request), static payload => Assert.Equal(2, payload[3]));
    }

    [Fact]
    public async Task A_peer_that_allows_a_piece_and_rejects_it_is_not_asked_again()
    {
        await using var swarm = new ScriptedSwarm(4);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.AllowedFast, 2);
        swarm.Torrent.FetchAll(true);
        await peer.HearsAsync(ScriptedPeer.Request);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        var asked = peer.Heard(ScriptedPeer.Request);
        foreach (var request in asked)
            await peer.SayAsync(HostilePeer.Message(ScriptedPeer.Reject, request));
        swarm.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(asked.Count, peer.Heard(ScriptedPeer.Request).Count);
    }

    [Fact]
    public async Task A_suggested_piece_is_fetched_first_when_nothing_is_read()
    {
        await using var swarm = new ScriptedSwarm(8);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Suggest, 5);
        swarm.Torrent.FetchAll(true);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await peer.HearsAsync(ScriptedPeer.Request);
        Assert.Equal(5, peer.Heard(ScriptedPeer.Request)[0][3]);
    }

    [Fact]
    public async Task Peers_are_told_when_we_become_upload_only_and_when_we_stop_being_it()
    {
        await using var swarm = new ScriptedSwarm(2);
        await swarm.ConnectSeederAsync();
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        Assert.Equal([false], UploadOnly(peer));
        await swarm.ReadAsync(0, 2);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => UploadOnly(peer).Count == 2);

        await InterestTests.EvictAsync(swarm, 0);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => UploadOnly(peer).Count == 3);
        Assert.Equal([false, true, false], UploadOnly(peer));
        Assert.True(ExtensionHandshake.TryRead("d11:upload_onlyi1ee"u8, default, out var told) && told.IsUploadOnly);
        Assert.True(ExtensionHandshake.TryRead("d11:upload_onlyi0ee"u8, told, out told) && !told.IsUploadOnly);
    }

    [Fact]
    public async Task Connected_peers_are_told_of_a_changed_port_once()
    {
        await using var swarm = new ScriptedSwarm(2);
        swarm.Torrent.Swarm.Context.Port = 6_881;
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.HearsAsync(ScriptedPeer.Extended);
        swarm.Torrent.Swarm.Context.Port = 50_123;
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => Ports(peer) is [6_881, 50_123]);
        swarm.Time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal([6_881, 50_123], Ports(peer));
    }

    [Fact]
    public async Task An_evicted_piece_is_announced_as_lost_to_peers_that_support_it_and_rejected_to_all()
    {
        await using var swarm = new ScriptedSwarm(4);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(1);
        var speaker = await swarm.ConnectLeecherAsync();
        await speaker.SayAsync(Handshake("d1:md11:lt_donthavei9eee"));
        var other = await swarm.ConnectLeecherAsync();
        await other.SayAsync(Handshake("d1:mdee"));
        await InterestTests.EvictAsync(swarm, 1);

        await Until.TrueAsync(() => speaker.Heard(ScriptedPeer.Extended).Any(static payload => payload[0] == 9));
        Assert.Equal([9, 0, 0, 0, 1], Assert.Single(speaker.Heard(ScriptedPeer.Extended), static payload => payload[0] == 9));
        await other.SayAsync(ScriptedPeer.Request, 1, 0, Block);
        await other.HearsAsync(ScriptedPeer.Reject);
        Assert.Single(other.Heard(ScriptedPeer.Extended));
    }

    [Fact]
    public async Task A_piece_that_a_peer_lost_is_not_requested_from_it_until_it_has_it_again()
    {
        await using var swarm = new ScriptedSwarm(4);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        peer.Serves = true;
        await peer.SayAsync(Lost(2));
        await peer.SayAsync(Lost(2));
        await peer.SayAsync(ScriptedPeer.Unchoke);
        Assert.Equal((0, 1), (Availability(swarm, 2), Availability(swarm, 1)));
        swarm.Torrent.FetchAll(true);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 3);
        Assert.DoesNotContain(peer.Heard(ScriptedPeer.Request), static payload => payload[3] == 2);

        await peer.SayAsync(Have, 2);
        Assert.Equal(1, Availability(swarm, 2));
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 4);
        peer.Dispose();
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 0);
        Assert.Equal((0, 0), (Availability(swarm, 2), Availability(swarm, 1)));
    }

    [Fact]
    public async Task A_lost_message_for_a_nonexistent_piece_ends_the_connection()
    {
        await using var swarm = new ScriptedSwarm(4);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(Lost(4));
        Assert.True(peer.IsClosed);
    }

    internal static byte[] Handshake(string dictionary) =>
        HostilePeer.Message(ScriptedPeer.Extended, [0, .. Encoding.ASCII.GetBytes(dictionary)]);

    private static byte[] Lost(byte piece) =>
        HostilePeer.Message(ScriptedPeer.Extended, [ExtensionHandshake.OurDontHaveId, 0, 0, 0, piece]);

    private static List<int> Ports(ScriptedPeer peer) =>
    [
        .. peer.Heard(ScriptedPeer.Extended).Where(static payload => payload[0] == 0)
            .Select(static payload => ExtensionHandshake.TryRead(payload.AsSpan(1), default, out var told) ? told.Port : -1),
    ];

    private static int Availability(ScriptedSwarm swarm, int piece)
    {
        lock (swarm.Torrent.Swarm.Gate)
            return swarm.Torrent.Swarm.Table!.Availability(piece);
    }

    internal static List<bool> UploadOnly(ScriptedPeer peer) =>
    [
        .. peer.Heard(ScriptedPeer.Extended).Where(static payload => payload[0] == 0)
            .Select(static payload => ExtensionHandshake.TryRead(payload.AsSpan(1), default, out var told) && told.IsUploadOnly),
    ];
}
