using NzbDav.FullNzbTester.Mounts;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Tests;

public sealed class MountsTests
{
    [Fact]
    public void A_good_mount_meets_everything()
    {
        var result = Result();

        Assert.Empty(MountsTable.Names(result, meets: false));
        Assert.Equal(9, MountsTable.Names(result, meets: true).Count());
    }

    [Theory]
    [InlineData("sequential_mb_per_s", 149)]
    [InlineData("cpu_s_per_gb", 6.1)]
    [InlineData("articles_over_needed_ratio", 1.02)]
    [InlineData("seek_p50_ms", 32.1)]
    [InlineData("ls_first_ms", 301)]
    [InlineData("ls_again_ms", 101)]
    [InlineData("published_ms", 1_001)]
    [InlineData("deleted_ms", 5_000)]
    [InlineData("crowd_longest_wait_ms", 1_001)]
    public void What_is_missed_is_named(string figure, double value) =>
        Assert.Equal([figure], MountsTable.Names(Result(figure, value), meets: false));

    [Fact]
    public void The_median_of_all_turns_counts_and_a_ratio_needs_rclone()
    {
        var alone = new MountsResult(NetworkProfile.Find("fibre")!, new MountsOptions(), [MountSide.Own]);
        foreach (var value in (double[])[90, 10, 100])
            alone.Add(MountSide.Own, "sequential_mb_per_s", value);

        Assert.Equal(90, alone.Median(MountSide.Own, "sequential_mb_per_s"));
        Assert.Null(alone.Ratio("sequential_mb_per_s"));
        Assert.Empty(MountsTable.Names(alone, meets: true));
        Assert.Empty(MountsTable.Names(alone, meets: false));
    }

    [Theory]
    [InlineData("--profile moon", "moon")]
    [InlineData("--stages writing", "writing")]
    [InlineData("--cache writes", "writes")]
    [InlineData("--turns 0", "--turns must be at least 1.")]
    public void Unknown_networks_and_stages_are_refused(string line, string complaint)
    {
        var errors = MountsCommand.Create().Parse($"{MountsCommand.Name} {line}").Errors;

        Assert.Contains(complaint, Assert.Single(errors).Message, StringComparison.Ordinal);
    }

    private static MountsResult Result(string figure = "", double other = 0)
    {
        var result = new MountsResult(NetworkProfile.Find("fibre")!, new MountsOptions(), [MountSide.Own, "rclone"]);
        Add("sequential_mb_per_s", 160, 100);
        Add("cpu_s_per_gb", 5, 10);
        Add("articles_over_needed_ratio", 1, 1.1);
        Add("seek_p50_ms", 31, 40);
        Add("webdav_p50_ms", 30, 30);
        Add("ls_first_ms", 200, 900);
        Add("ls_again_ms", 50, 60);
        Add("published_ms", 3, 5_000);
        Add("deleted_ms", 3, 5_000);
        Add("crowd_longest_wait_ms", 300, 900);
        return result;

        void Add(string name, double mount, double rclone)
        {
            result.Add(MountSide.Own, name, name == figure ? other : mount);
            result.Add("rclone", name, rclone);
        }
    }
}
