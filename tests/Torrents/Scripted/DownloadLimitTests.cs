using NzbDav.Fakes;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>How fast a torrent with a limit of its own asks its peers.</summary>
public sealed class DownloadLimitTests
{
    private const int Block = 16_384;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_torrent_asks_for_no_more_than_its_limit_until_that_is_lifted(bool isBackground)
    {
        await using var swarm = new ScriptedSwarm(8);
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, 4 * Block);
        Assert.Equal(4 * Block, swarm.Engine.DownloadLimitOf(swarm.Torrent.Hash));
        var peers = new[] { await swarm.ConnectSeederAsync(), await swarm.ConnectSeederAsync() };
        await using var reader = isBackground ? null : swarm.Open(0, pieces: 8);
        var reading = Task.CompletedTask;
        if (reader is null)
            swarm.Torrent.Swarm.SetBackground(true);
        else
            reading = swarm.FinishAsync(reader);

        for (var asked = 1; asked <= 9; asked++)
        {
            swarm.Time.Advance(TimeSpan.FromMilliseconds(250));
            await Until.TrueAsync(() => Asked(peers) >= asked && swarm.Torrent.GetStatus().Bytes.Payload == (long)asked * Block);
            Assert.Equal(asked, Asked(peers));
        }

        Assert.False(isBackground ? swarm.Torrent.GetStatus().Have > 7 : reading.IsCompleted);
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, null);
        Assert.Null(swarm.Engine.DownloadLimitOf(swarm.Torrent.Hash));
        await reading;
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 8);
    }

    [Fact]
    public async Task A_pause_earns_no_more_than_a_quarter_of_a_second()
    {
        await using var swarm = new ScriptedSwarm(8);
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, 16 * Block);
        var peer = await swarm.ConnectSeederAsync();
        swarm.Time.Advance(TimeSpan.FromSeconds(30));
        await using var reader = swarm.Open(0, pieces: 8);
        var reading = swarm.FinishAsync(reader);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Bytes.Payload == 4 * Block);
        Assert.Equal(4, Asked([peer]));
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, null);
        await reading;
    }

    private static int Asked(ScriptedPeer[] peers) => peers.Sum(static peer => peer.Heard(ScriptedPeer.Request).Count);
}
