using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>The interest sent to peers, and what happens to seeds that need nothing from each other.</summary>
public sealed class InterestTests
{
    private const byte Have = 4;
    private const byte Bitfield = 5;

    [Fact]
    public async Task We_are_not_interested_in_a_peer_until_it_has_a_piece_that_we_lack()
    {
        await using var swarm = new ScriptedSwarm(4);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync(Have, 0);
        Assert.Empty(peer.Heard(ScriptedPeer.Interested));

        await peer.SayAsync(Have, 3);
        await peer.HearsAsync(ScriptedPeer.Interested);
        await peer.SayAsync(Have, 2);
        Assert.Single(peer.Heard(ScriptedPeer.Interested));
    }

    [Fact]
    public async Task We_are_interested_in_a_seed_before_anything_is_read()
    {
        await using var swarm = new ScriptedSwarm(4);
        var seeder = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        Assert.Single(seeder.Heard(ScriptedPeer.Interested));
        swarm.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Empty(seeder.Heard(ScriptedPeer.NotInterested));
    }

    [Fact]
    public async Task Not_interested_is_sent_when_a_peer_has_nothing_new_and_interested_again_after_an_eviction()
    {
        await using var swarm = new ScriptedSwarm(4, new TorrentOptions { Memory = 8 << 20 });
        await swarm.ConnectSeederAsync();
        var partial = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await partial.SayAsync(Have, 1);
        await partial.HearsAsync(ScriptedPeer.Interested);
        await swarm.ReadAsync(1);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await partial.HearsAsync(ScriptedPeer.NotInterested);

        await EvictAsync(swarm, 1);
        await partial.HearsAsync(ScriptedPeer.Interested, 2);
    }

    [Fact]
    public async Task Interest_is_withdrawn_a_minute_after_the_last_reader_left_and_declared_again_with_the_next()
    {
        await using var swarm = new ScriptedSwarm(4);
        var seeder = await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
        swarm.Time.Advance(TimeSpan.FromSeconds(50));
        await swarm.ReadAsync(0);
        swarm.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Empty(seeder.Heard(ScriptedPeer.NotInterested));
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await seeder.HearsAsync(ScriptedPeer.NotInterested);

        // One that connects now is of no interest either.
        var late = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        Assert.Empty(late.Heard(ScriptedPeer.Interested));
        await swarm.ReadAsync(1);
        Assert.Equal((2, 1), (seeder.Heard(ScriptedPeer.Interested).Count, late.Heard(ScriptedPeer.Interested).Count));
    }

    [Fact]
    public async Task With_skipped_files_we_are_upload_only_once_the_others_are_held_and_until_a_skipped_one_is_read()
    {
        const int Length = 2 * SwarmFixture.PieceLength;
        var content = new MockTorrent("set", SwarmContent.Make(7, SwarmFixture.PieceLength, [new("a.mkv", Length), new("b.mkv", Length)]));
        await using var swarm = new ScriptedSwarm(content, isDescribed: true);
        var seeder = await swarm.ConnectSeederAsync();
        swarm.Torrent.Swarm.Select(new FetchOrder { Files = [1, 0] });
        swarm.Torrent.FetchAll(true);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 2);
        Assert.Equal([false], ExtensionTests.UploadOnly(seeder));
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await seeder.HearsAsync(ScriptedPeer.NotInterested);
        Assert.Equal([false, true], ExtensionTests.UploadOnly(seeder));

        var file = swarm.Torrent.Swarm.Table!.Info.Files[1];
        await using (var reader = swarm.Torrent.Open(file).OpenReader(0, 1, ReadIntent.Playback))
        {
            await seeder.HearsAsync(ScriptedPeer.Interested, 2);
            using var lease = await reader.NextAsync(CancellationToken.None);
            swarm.Time.Advance(TimeSpan.FromSeconds(1));
            await Until.TrueAsync(() => ExtensionTests.UploadOnly(seeder).SequenceEqual([false, true, false]));
        }

        swarm.Torrent.Swarm.Select(new FetchOrder { EdgesOnly = true });
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 4);
    }

    [Fact]
    public async Task Seeds_that_need_nothing_from_each_other_disconnect_when_places_are_short()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { MostPeers = 3 });
        var seeder = await swarm.ConnectSeederAsync();
        var leecher = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var uploader = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await uploader.SayAsync(ExtensionTests.Handshake("d11:upload_onlyi1ee"));
        await swarm.ReadAsync(0, 2);
        swarm.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.False(seeder.IsClosed || uploader.IsClosed);

        var next = swarm.DialAsync();
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        (await next).Reachable.SetResult();
        await Until.TrueAsync(() => seeder.IsClosed && uploader.IsClosed);
        Assert.False(leecher.IsClosed);
        Assert.Equal("Neither side wants anything from the other.", swarm.Torrent.GetStatus().LastDisconnectReason);
    }

    [Fact]
    public async Task A_bitfield_with_pieces_that_we_lack_is_answered_together_with_the_handshake()
    {
        await using var swarm = new ScriptedSwarm(8);
        var peer = await swarm.DialAsync();
        peer.Reachable.SetResult();
        await peer.IsGreetedAsync();
        await peer.SayAsync(Hostile.HostilePeer.Handshake(swarm.Content.Hash.Span), Hostile.HostilePeer.Message(Bitfield, 0x01));
        Assert.Single(peer.Heard(ScriptedPeer.Interested));
        Assert.Equal(2, peer.Sends);
    }

    [Fact]
    public async Task Trackers_are_not_told_that_evicted_pieces_are_missing_again()
    {
        await using var swarm = new ScriptedSwarm(3);
        await swarm.ConnectSeederAsync();
        Assert.Equal(3 * SwarmFixture.PieceLength, swarm.Torrent.Swarm.ReadLeft());
        await swarm.ReadAsync(0, 1);
        await EvictAsync(swarm, 0);
        Assert.Equal(2 * SwarmFixture.PieceLength, swarm.Torrent.Swarm.ReadLeft());

        // It had everything once; but a torrent that lacks pieces is no seed.
        await swarm.ReadAsync(0, 3);
        await EvictAsync(swarm, 0);
        Assert.Equal(SwarmFixture.PieceLength, swarm.Torrent.Swarm.ReadLeft());
    }

    internal static async Task EvictAsync(ScriptedSwarm swarm, int piece)
    {
        // Another user takes all of the memory for a moment.
        var all = swarm.Pool.Budget.Limit;
        swarm.Pool.Budget.Reserve(all);
        swarm.Pool.Budget.Release(all);
        await Until.TrueAsync(() =>
        {
            lock (swarm.Torrent.Swarm.Gate)
                return !swarm.Torrent.Swarm.Table!.Have[piece];
        });
    }
}
