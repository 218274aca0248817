using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Limits;
using NzbDav.Import.Tests.Corpus;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Steps;

/// <summary>The memory that all repairs of a process share.</summary>
public sealed class RepairMemoryTests
{
    [Theory]
    [InlineData(384, 90, 98)]
    [InlineData(192, 90, 34)]
    [InlineData(64, 90, 32)]
    [InlineData(24 << 10, 122, 1_024)]
    public void A_third_of_what_readers_leave_is_for_repairs(long memory, long readBudget, long expected) =>
        Assert.Equal(expected, RepairMemory.Of(memory << 20, readBudget << 20) >> 20);

    [Fact]
    public async Task A_repair_waits_until_the_memory_of_others_is_free_and_gives_its_own_back()
    {
        var memory = new RepairMemory(1 << 20);
        await using var fixture = await ImportFixture.OpenAsync(memory: memory);
        var other = await memory.AcquireAsync(memory.Most, CancellationToken.None);
        var importing = new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 2),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20
        }.RunAsync(fixture);
        await Until.TrueAsync(() => memory.Waiting == 1);
        Assert.Equal(0, fixture.Patches.Count);
        other.Dispose();
        Assert.Equal((JobState.Completed, 1), ((await importing).State, fixture.Patches.Count));
        (await memory.AcquireAsync(memory.Most, CancellationToken.None)).Dispose();
    }

    [Fact]
    public async Task A_repair_that_needs_more_gives_back_what_it_held()
    {
        var memory = new RepairMemory(100);
        using var room = new RepairLease(memory);
        await room.AcquireAsync(60, CancellationToken.None);
        var more = room.AcquireAsync(100, CancellationToken.None);
        Assert.True(more.IsCompleted);
        await more;
        var other = memory.AcquireAsync(1, CancellationToken.None);
        Assert.False(other.IsCompleted);
        room.Dispose();
        (await other).Dispose();
    }
}
