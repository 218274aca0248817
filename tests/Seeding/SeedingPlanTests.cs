namespace NzbDav.Seeding.Tests;

/// <summary>Which torrents run within the limits on active ones.</summary>
public sealed class SeedingPlanTests
{
    [Fact]
    public void Without_limits_every_torrent_with_work_runs() =>
        Assert.Equal("abcd", Run([Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Seed), Of("c", TorrentNeed.Probe),
            Of("d", TorrentNeed.ReturnToCache), Of("e", TorrentNeed.None)], 0, 0));

    [Fact]
    public void Torrents_run_in_queue_order_and_others_wait() =>
        Assert.Equal("abd", Run([Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Seed), Of("c", TorrentNeed.Download),
            Of("d", TorrentNeed.Seed), Of("e", TorrentNeed.Seed)], 1, 2));

    [Fact]
    public void A_forced_torrent_takes_no_slot() =>
        Assert.Equal("abc", Run([Of("a", TorrentNeed.Download, forced: true), Of("b", TorrentNeed.Download),
            Of("c", TorrentNeed.Download, forced: true), Of("d", TorrentNeed.Download)], 1, 1));

    [Fact]
    public void A_stalled_torrent_takes_no_slot() =>
        Assert.Equal(
            "ab", Run([Of("a", TorrentNeed.Download, slow: true), Of("b", TorrentNeed.Download), Of("c", TorrentNeed.Download)], 1, 1));

    [Fact]
    public void Streamed_torrents_never_wait() =>
        Assert.Equal("abc", Run(
            [Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Probe), Of("c", TorrentNeed.Probe), Of("d", TorrentNeed.Download)], 1, 1));

    private static PlannedTorrent Of(string hash, TorrentNeed need, bool forced = false, bool slow = false) =>
        new(hash, need, forced, slow);

    private static string Run(PlannedTorrent[] torrents, int downloads, int seeds) =>
        string.Concat(SeedingPlan.Decide(torrents, downloads, seeds).Order());
}
