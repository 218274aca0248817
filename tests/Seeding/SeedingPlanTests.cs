namespace NzbDav.Seeding.Tests;

/// <summary>Which torrents run within the limits of active ones.</summary>
public sealed class SeedingPlanTests
{
    [Fact]
    public void Without_limits_all_run_that_have_something_to_do() =>
        Assert.Equal("abcd", Run([Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Seed), Of("c", TorrentNeed.Probe), Of("d", TorrentNeed.Release), Of("e", TorrentNeed.None)], 0, 0));

    [Fact]
    public void Those_whose_turn_is_first_run_and_others_wait() =>
        Assert.Equal("abd", Run([Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Seed), Of("c", TorrentNeed.Download), Of("d", TorrentNeed.Seed), Of("e", TorrentNeed.Seed)], 1, 2));

    [Fact]
    public void One_that_is_forced_takes_nobodys_place() =>
        Assert.Equal("abc", Run([Of("a", TorrentNeed.Download, forced: true), Of("b", TorrentNeed.Download), Of("c", TorrentNeed.Download, forced: true), Of("d", TorrentNeed.Download)], 1, 1));

    [Fact]
    public void One_that_stands_still_takes_nobodys_place() =>
        Assert.Equal("ab", Run([Of("a", TorrentNeed.Download, slow: true), Of("b", TorrentNeed.Download), Of("c", TorrentNeed.Download)], 1, 1));

    [Fact]
    public void What_is_only_streamed_never_waits() =>
        Assert.Equal("abc", Run([Of("a", TorrentNeed.Download), Of("b", TorrentNeed.Probe), Of("c", TorrentNeed.Probe), Of("d", TorrentNeed.Download)], 1, 1));

    private static PlannedTorrent Of(string hash, TorrentNeed need, bool forced = false, bool slow = false) => new(hash, need, forced, slow);

    private static string Run(PlannedTorrent[] torrents, int downloads, int seeds) => string.Concat(SeedingPlan.Decide(torrents, downloads, seeds).Order());
}
