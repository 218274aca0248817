using NzbDav.Fakes;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>How fast peers are served.</summary>
public sealed class UploadTests
{
    private const int Block = 16_384;

    /// <summary>The store's, the torrent's.</summary>
    private const int OtherTimers = 2;

    private static readonly TorrentOptions OneBlockPerSecond = new() { Rates = new TransferRates(0, Block), UploadSlots = 2 };

    [Fact]
    public async Task The_rate_limit_is_kept()
    {
        await using var swarm = await HoldingAsync(OneBlockPerSecond);
        var peer = await swarm.ConnectLeecherAsync();
        for (var block = 0; block < 3; block++)
            await peer.SayAsync(ScriptedPeer.Request, 0, block * Block, Block);
        for (var sent = 1; sent <= 2; sent++)
        {
            await peer.HearsAsync(ScriptedPeer.Piece, sent);
            await swarm.Time.WhenArmedAsync(OtherTimers + 1);
            swarm.Time.Advance(TimeSpan.FromMilliseconds(999));
            Assert.Equal(OtherTimers + 1, swarm.Time.ArmedTimers);
            Assert.Equal(sent, peer.Heard(ScriptedPeer.Piece).Count);
            swarm.Time.Advance(TimeSpan.FromMilliseconds(1));
        }

        await peer.HearsAsync(ScriptedPeer.Piece, 3);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Bytes.Uploaded == 3 * Block);
    }

    [Fact]
    public async Task A_block_that_could_not_be_sent_does_not_count_as_uploaded()
    {
        await using var swarm = await HoldingAsync(new TorrentOptions { UploadSlots = 2 });
        var peer = await swarm.ConnectLeecherAsync();
        await peer.SayAsync(ScriptedPeer.Request, 0, 0, Block);
        await peer.HearsAsync(ScriptedPeer.Piece);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Bytes.Uploaded == Block);
        peer.Jam = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await peer.SayAsync(ScriptedPeer.Request, 0, Block, Block);
        await peer.IsJammedAsync();
        peer.Jam.SetException(new IOException("Reset by peer."));
        await Until.TrueAsync(() => peer.IsClosed);
        await swarm.Torrent.DisposeAsync();
        Assert.Equal(Block, swarm.Torrent.Bytes.Uploaded);
    }

    [Fact]
    public async Task A_torrents_own_limit_applies_until_it_is_lifted()
    {
        await using var swarm = await HoldingAsync(new TorrentOptions { UploadSlots = 2 });
        swarm.Engine.LimitUpload(swarm.Torrent.Hash, Block);
        Assert.Equal(Block, swarm.Engine.UploadLimitOf(swarm.Torrent.Hash));
        var peer = await swarm.ConnectLeecherAsync();
        for (var block = 0; block < 3; block++)
            await peer.SayAsync(ScriptedPeer.Request, 0, block * Block, Block);
        await peer.HearsAsync(ScriptedPeer.Piece);
        await swarm.Time.WhenArmedAsync(OtherTimers + 1);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Single(peer.Heard(ScriptedPeer.Piece));
        swarm.Engine.LimitUpload(swarm.Torrent.Hash, null);
        await peer.HearsAsync(ScriptedPeer.Piece, 3);
        Assert.Null(swarm.Engine.UploadLimitOf(swarm.Torrent.Hash));
    }

    [Fact]
    public async Task The_rate_limit_is_for_all_peers_together()
    {
        await using var swarm = await HoldingAsync(OneBlockPerSecond);
        var (first, second) = (await swarm.ConnectLeecherAsync(), await swarm.ConnectLeecherAsync());
        await first.SayAsync(ScriptedPeer.Request, 0, 0, Block);
        await first.HearsAsync(ScriptedPeer.Piece);
        await second.SayAsync(ScriptedPeer.Request, 0, 0, Block);
        await swarm.Time.WhenArmedAsync(OtherTimers + 1);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Empty(second.Heard(ScriptedPeer.Piece));
        swarm.Time.Advance(TimeSpan.FromMilliseconds(1));
        await second.HearsAsync(ScriptedPeer.Piece);
    }

    [Fact]
    public async Task Requests_waiting_for_the_limit_are_rejected_when_the_peer_is_choked()
    {
        await using var swarm = await HoldingAsync(OneBlockPerSecond with { UploadSlots = 1 });
        var peer = await swarm.ConnectLeecherAsync();
        await swarm.ConnectLeecherAsync();
        for (var i = 0; i < 60; i++)
            await peer.SayAsync(ScriptedPeer.Request, 0, i % 4 * Block, Block);
        await peer.HearsAsync(ScriptedPeer.Piece);

        // The turn is the other's after three rounds.
        for (var second = 1; second <= 40; second++)
        {
            await peer.HearsAsync(ScriptedPeer.Piece, second);
            await swarm.Time.WhenArmedAsync(OtherTimers + 1);
            Assert.True(peer.IsServed);
            swarm.Time.Advance(TimeSpan.FromSeconds(1));
        }

        // The one that was on its way out is sent; each of the others is answered (BEP 6).
        await peer.HearsAsync(ScriptedPeer.Choke);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => peer.Heard(ScriptedPeer.Piece).Count + peer.Heard(ScriptedPeer.Reject).Count == 60);
        Assert.InRange(peer.Heard(ScriptedPeer.Reject).Count, 18, 19);
    }

    private static async Task<ScriptedSwarm> HoldingAsync(TorrentOptions options)
    {
        var swarm = new ScriptedSwarm(1, options);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
        return swarm;
    }
}
