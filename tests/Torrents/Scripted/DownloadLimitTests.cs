using NzbDav.Fakes;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>How fast a torrent with a limit of its own asks its peers.</summary>
public sealed class DownloadLimitTests
{
    private const int Block = 16_384;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_torrent_requests_no_more_than_its_limit_until_that_is_lifted(bool isBackground)
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
    public async Task The_engine_limit_applies_in_addition_to_a_torrents_own_and_follows_the_schedule()
    {
        // The fake clock begins on a Tuesday at midnight.
        var options = new TorrentOptions
        {
            Rates = new TransferRates(4 * Block, 0),
            AlternativeRates = new TransferRates(8 * Block, Block),
            AlternativeTimes = WeekTimes.Parse(["tue 00:01-00:02"])!,
        };
        await using var swarm = new ScriptedSwarm(128, options);
        Assert.False(swarm.Engine.UsesAlternativeRates);
        var peer = await swarm.ConnectSeederAsync();
        swarm.Torrent.FetchAll(true);
        await PassAsync(swarm, peer, 40, 4);
        await PassAsync(swarm, peer, 20, 0);
        Assert.True(swarm.Engine.UsesAlternativeRates);
        await PassAsync(swarm, peer, 10, 8);

        swarm.Engine.Apply(options with { AlternativeLimits = AlternativeLimits.Never });
        Assert.Equal((false, true), (swarm.Engine.UsesAlternativeRates, swarm.Engine.IsAlternativeTime));
        await PassAsync(swarm, peer, 5, 4);
        swarm.Engine.Apply(options);
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, 2 * Block);
        await PassAsync(swarm, peer, 5, 2);
        swarm.Engine.LimitDownload(swarm.Torrent.Hash, null);
        swarm.Engine.Apply(options with { AlternativeTimes = WeekTimes.None, Rates = default });

        // Whoever waits for the engine's limit is told by a timer that it is gone.
        swarm.Time.Advance(TimeSpan.FromMilliseconds(50));
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 128);
    }

    [Fact]
    public async Task A_pause_saves_up_at_most_a_quarter_of_a_second()
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

    /// <summary>Seconds pass, in each of which so many blocks are asked for: as many as the limit says, but for the quarter of a second
    /// that may come at once.</summary>
    private static async Task PassAsync(ScriptedSwarm swarm, ScriptedPeer peer, int seconds, int perSecond)
    {
        var before = Asked([peer]);
        for (var i = 0; i < 4 * seconds; i++)
        {
            swarm.Time.Advance(TimeSpan.FromMilliseconds(250));
            await Until.TrueAsync(() => swarm.Torrent.GetStatus().Bytes.Payload == (long)Asked([peer]) * Block);
        }

        if (perSecond > 0)
            Assert.InRange(Asked([peer]) - before, (seconds * perSecond) - 3, (seconds * perSecond) + 3);
    }

    private static int Asked(ScriptedPeer[] peers) => peers.Sum(static peer => peer.Heard(ScriptedPeer.Request).Count);
}
