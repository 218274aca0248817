using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>How much of the machine's memory the server uses.</summary>
public sealed class MemoryTests
{
    [Theory]
    [InlineData(0, 90)]
    [InlineData(1, 90)]
    [InlineData(16, 90)]
    [InlineData(24, 122)]
    [InlineData(32, 163)]
    [InlineData(64, 327)]
    [InlineData(1024, 512)]
    public void The_default_budget_is_half_a_percent_of_the_memory_within_bounds(long gibibytes, int expected) =>
        Assert.Equal(expected, DefaultBudget.Of(gibibytes << 30));

    /// <summary>384 MiB are what the runtime counts in a container of 512.</summary>
    [Theory]
    [InlineData(64, 32)]
    [InlineData(384, 96)]
    [InlineData(1_536, 384)]
    [InlineData(65_536, 512)]
    public void The_largest_nzb_is_a_quarter_of_the_memory_within_bounds(long mebibytes, int expected)
    {
        Assert.Equal(expected, DefaultBudget.NzbOf(mebibytes << 20));
        Assert.Equal(DefaultBudget.NzbOf(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes), new NzbDavSettings().MaxNzbMiB);
    }

    [Fact]
    public void The_default_budget_depends_on_this_machine_and_a_setting_replaces_it()
    {
        Assert.Equal(DefaultBudget.Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes), new NzbDavSettings().MemoryBudgetMiB);
        Assert.Equal(17, Gateway.Sources(new Dictionary<string, string?> { ["Memory:BudgetMiB"] = "17" })
            .Read(new Dictionary<string, string>()).Settings.MemoryBudgetMiB);
    }

    [Fact]
    public void Returned_blocks_are_reused()
    {
        using var pool = new BlockPool();
        var first = Enumerable.Range(0, 500).Select(_ => pool.Rent()).ToArray();
        foreach (var block in first)
            block.Dispose();
        Assert.Equal(500, pool.Idle);
        var second = Enumerable.Range(0, 500).Select(_ => pool.Rent()).ToArray();
        Assert.Equal(0, pool.Idle);
        foreach (var block in second)
            block.Dispose();
    }

    [Fact]
    public void Unused_blocks_are_released_after_a_peak()
    {
        using var pool = new BlockPool();
        var crowd = Enumerable.Range(0, 500).Select(_ => pool.Rent()).ToArray();
        foreach (var block in crowd)
            block.Dispose();
        for (var i = 0; i < 10_000; i++)
            pool.Rent().Dispose();
        Assert.Equal(128, pool.Idle);
    }
}
