namespace NzbDav.Content.Tests;

/// <summary>
/// Readers that share a memory budget: none takes more than its part, and a refused one goes on as soon as memory is free.
/// </summary>
public sealed class PrefetchBudgetTests
{
    private const int MiB = SegmentFixture.MiB;

    [Fact]
    public async Task A_reader_keeps_to_its_share_of_the_budget()
    {
        // Share of two readers: 7 MiB; a window that wants much more.
        using var fixture = new SegmentFixture(SegmentFixture.Regular(60, MiB), budget: 16 * MiB);
        await using var idle = fixture.Open(59 * MiB);
        await using var reader = fixture.Open();
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(10));
        for (var i = 0; i < 10; i++)
        {
            foreach (var segment in fixture.Fetcher.Pending)
                segment.Send();
            fixture.Fetcher[$"s{i}"].Complete();
            await fixture.ReadAsync(reader, MiB);
        }

        // s10 … s16 of this one, s59 of the other.
        Assert.Equal(8, fixture.Fetcher.Pending.Count);
        Assert.InRange(fixture.Budget.Reserved, 8 * MiB, 16 * MiB);
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
    }

    [Fact]
    public async Task A_refused_reader_waits_for_budget_without_asking_again()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(20, MiB), budget: 8 * MiB);
        fixture.Budget.Reserve(6 * MiB);
        await using var reader = fixture.Open();
        Assert.Equal(["s0"], fixture.Fetcher.BegunIds);
        Assert.Equal(1, fixture.Budget.Refusals);

        // The head is granted over the limit, however little there is; the next one takes its place once its bytes are given back.
        for (var i = 0; i < 5; i++)
        {
            await fixture.Fetcher.WhenBegunAsync(i + 1);
            fixture.Fetcher[$"s{i}"].Complete();
            await fixture.ReadAsync(reader, MiB);
        }

        Assert.InRange(fixture.Budget.Refusals, 1, 6 * 3);
        fixture.Budget.Release(6 * MiB);
        await fixture.Fetcher.WhenBegunAsync(8);
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
        await fixture.ReadAsync(reader, 3 * MiB);
    }

    [Fact]
    public async Task Many_refused_readers_all_continue_when_budget_is_freed_at_once()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, MiB / 2), budget: 16 * MiB);
        fixture.Budget.Reserve(14 * MiB);
        var readers = Enumerable.Range(0, 4).Select(i => fixture.Open(i * 5L * MiB)).ToArray();
        Assert.Equal(4, fixture.Fetcher.Begun.Count);
        Assert.Equal(4, fixture.Budget.Refusals);

        // One release, four waiters: the wake-up is passed on.
        fixture.Budget.Release(14 * MiB);
        await fixture.Fetcher.WhenBegunAsync(12);
        Assert.Equal(4, fixture.Budget.Refusals);
        foreach (var reader in readers)
            await reader.DisposeAsync();
    }

    [Fact]
    public async Task A_refused_reader_that_leaves_passes_its_wake_up_on()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, MiB / 2), budget: 8 * MiB);
        fixture.Budget.Reserve(7 * MiB);
        var leaves = fixture.Open();
        await using var stays = fixture.Open(10 * MiB);
        await leaves.DisposeAsync();
        fixture.Budget.Release(7 * MiB);
        await fixture.Fetcher.WhenBegunAsync(4);
        Assert.Equal(["s0", "s20", "s21", "s22"], fixture.Fetcher.BegunIds);
    }
}
