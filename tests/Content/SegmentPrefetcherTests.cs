using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>What is sent for and when.</summary>
public sealed class SegmentPrefetcherTests
{
    private const int MiB = SegmentFixture.MiB;

    [Fact]
    public async Task The_head_and_two_more_are_sent_for_at_once()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(start: 250_000);
        Assert.Equal(["s2", "s3", "s4"], fixture.Fetcher.BegunIds);
        Assert.Equal([FetchPriority.Waiting, FetchPriority.Next, FetchPriority.Next], fixture.Fetcher.Begun.Select(segment => segment.Flight.Priority));
    }

    [Theory]
    [InlineData(ReadIntent.Download, FetchPriority.Next, FetchPriority.ReadAhead)]
    [InlineData(ReadIntent.Import, FetchPriority.Import, FetchPriority.Import)]
    [InlineData(ReadIntent.Health, FetchPriority.Health, FetchPriority.Health)]
    public async Task The_intent_sets_the_priorities(ReadIntent intent, FetchPriority head, FetchPriority next)
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: intent);
        Assert.Equal((head, next), (fixture.Fetcher["s0"].Flight.Priority, fixture.Fetcher["s1"].Flight.Priority));
    }

    [Fact]
    public async Task Nothing_is_sent_for_past_the_end_of_the_range()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        await using var reader = fixture.Open(0, 300_000);
        await ReadAsync(reader, fixture, 300_000);
        using var end = await reader.NextAsync(CancellationToken.None);
        Assert.True(end.IsEmpty);
        Assert.Equal(["s0", "s1", "s2"], fixture.Fetcher.BegunIds);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(250_000)]
    [InlineData(1_000_000)]
    public async Task An_empty_range_costs_nothing(long at)
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(at, at);
        using var lease = await reader.NextAsync(CancellationToken.None);
        Assert.True(lease.IsEmpty);
        Assert.Empty(fixture.Fetcher.Begun);
    }

    [Theory]
    [InlineData(-1, 10)]
    [InlineData(5, 4)]
    [InlineData(0, 1_000_001)]
    public void A_range_outside_the_file_is_refused(long start, long end)
    {
        using var fixture = new SegmentFixture();
        Assert.Throws<ArgumentOutOfRangeException>(() => fixture.Open(start, end));
    }

    [Fact]
    public async Task A_probe_costs_one_segment_at_a_time()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Probe);
        Assert.Equal(["s0"], fixture.Fetcher.BegunIds);
        fixture.Fetcher["s0"].Answer().Show(5000).Withdraw();
        var attempt = fixture.Fetcher["s0"].Answer().Show(5000);
        await ReadAsync(reader, fixture, 5000);
        Assert.Single(fixture.Fetcher.Begun);
        attempt.Complete();
        await ReadAsync(reader, fixture, 95_000);
        Assert.Equal(["s0", "s1"], fixture.Fetcher.BegunIds);
    }

    [Fact]
    public async Task It_reaches_further_only_while_starved_with_all_that_was_asked_for_on_the_wire()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        await using var reader = fixture.Open();
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(10));

        // The first three are on trial: a player that looks and leaves takes as many.
        for (var i = 0; i < 3; i++)
        {
            foreach (var segment in fixture.Fetcher.Pending)
                segment.Send();
            fixture.Fetcher[$"s{i}"].Complete();
            await ReadAsync(reader, fixture, 1000);
            Assert.Equal(4 + i, fixture.Fetcher.Begun.Count);
        }

        // The last one is not even sent: a wider window would only make the queue longer.
        fixture.Fetcher["s3"].Complete();
        await ReadAsync(reader, fixture, 1000);
        Assert.Equal(7, fixture.Fetcher.Begun.Count);

        // Sent and not here: three more than the one that takes the place of what was read.
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Send();
        fixture.Fetcher["s4"].Complete();
        await ReadAsync(reader, fixture, 1000);
        Assert.Equal(11, fixture.Fetcher.Begun.Count);

        // All here: no reason to reach further.
        while (fixture.Fetcher.Pending is [var next, ..])
            next.Complete();
        await ReadAsync(reader, fixture, 1000);
        Assert.Equal(12, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task As_much_is_sent_for_where_volumes_meet_as_elsewhere()
    {
        const int Volumes = 8;
        var builder = new ExtentMapBuilder();
        for (var volume = 0; volume < Volumes; volume++)
        {
            var table = new SegmentTable.Builder();
            for (var i = 0; i < 5; i++)
                table.Add($"v{volume}-{i}", i * 1000, i < 4 ? 1000 : 400);

            // Headers of 60 bytes before the data, 20 bytes behind them.
            var map = ExtentMap.OfWholeSegments(table.Build());
            builder.Append(map, 60, map.Length - 80);
        }

        Assert.Equal(await SentAsync(SegmentFixture.Regular(Volumes * 5, 1000)), await SentAsync(builder.Build()));
    }

    [Fact]
    public async Task A_reader_that_waits_on_after_its_first_segments_gets_what_the_line_brings_at_once()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        fixture.Fetcher.Burst = 20_000;
        await using var reader = fixture.Open();
        for (var i = 0; i < 3; i++)
        {
            fixture.Fetcher[$"s{i}"].Complete();
            await ReadAsync(reader, fixture, 1000);
        }

        var next = reader.NextAsync(CancellationToken.None).AsTask();
        fixture.Clock.Advance(ReadAheadWindow.Grace - TimeSpan.FromTicks(1));
        Assert.Equal(6, fixture.Fetcher.Begun.Count);
        fixture.Clock.Advance(TimeSpan.FromTicks(1));
        await fixture.Fetcher.WhenBegunAsync(23);
        fixture.Fetcher["s3"].Complete();
        using (var lease = await next)
            Assert.False(lease.IsEmpty);
        Assert.Equal(24, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task A_reader_that_leaves_within_the_grace_costs_no_more()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        fixture.Fetcher.Burst = 20_000;
        var reader = fixture.Open();
        for (var i = 0; i < 3; i++)
        {
            fixture.Fetcher[$"s{i}"].Complete();
            await ReadAsync(reader, fixture, 1000);
        }

        using var left = new CancellationTokenSource();
        var next = reader.NextAsync(left.Token).AsTask();
        await left.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
        await reader.DisposeAsync();
        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(6, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task A_short_range_with_two_ends_is_asked_for_at_once_as_far_as_the_line_brings_it()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        fixture.Fetcher.Burst = 8_000;
        await using (fixture.Open(500, 5500))
            Assert.Equal(6, fixture.Fetcher.Begun.Count);
        await using (fixture.Open(10_000, 30_000))
            Assert.Equal(6 + 8, fixture.Fetcher.Begun.Count);

        // To the end of the file: nobody knows how much of it is wanted.
        await using (fixture.Open(35_000))
            Assert.Equal(6 + 8 + 3, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task The_next_two_are_raised_as_the_reader_comes_closer()
    {
        using var fixture = new SegmentFixture();
        await using var health = fixture.Open(intent: ReadIntent.Health);
        for (var i = 2; i < 6; i++)
            fixture.Cache.Close(Held(fixture, $"s{i}"));
        Assert.Equal(FetchPriority.Health, fixture.Fetcher["s1"].Flight.Priority);
        await using var reader = fixture.Open();
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Send();
        fixture.Fetcher["s0"].Complete();
        await ReadAsync(reader, fixture, 100_000);
        Assert.Equal([FetchPriority.Next, FetchPriority.Next, FetchPriority.Next], Priorities(fixture, 1, 4));

        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Equal(FetchPriority.Waiting, fixture.Fetcher["s1"].Flight.Priority);
        Assert.True(fixture.Fetcher["s1"].Flight.WaitingSince > 0);
        fixture.Fetcher["s1"].Complete();
        (await waiting).Dispose();
        Assert.Equal([FetchPriority.Next, FetchPriority.Next, FetchPriority.Next], Priorities(fixture, 2, 5));
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
    }

    [Fact]
    public async Task Readers_near_each_other_share_what_they_fetch()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        var readers = Enumerable.Range(0, 5).Select(i => fixture.Open(i * 10_000)).ToArray();
        for (var i = 0; i < readers.Length; i++)
        {
            await ReadAsync(readers[i], fixture, fixture.Map.Length - (i * 10_000));
            await readers[i].DisposeAsync();
        }

        Assert.Equal(10, fixture.Fetcher.Begun.Count);
    }

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
            await ReadAsync(reader, fixture, MiB);
        }

        // s10 … s16 of this one, s59 of the other.
        Assert.Equal(8, fixture.Fetcher.Pending.Count);
        Assert.InRange(fixture.Budget.Reserved, 8 * MiB, 16 * MiB);
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
    }

    [Fact]
    public async Task A_refused_reader_waits_for_budget_and_does_not_ask_meanwhile()
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
            await ReadAsync(reader, fixture, MiB);
        }

        Assert.InRange(fixture.Budget.Refusals, 1, 6 * 3);
        fixture.Budget.Release(6 * MiB);
        await fixture.Fetcher.WhenBegunAsync(8);
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
        await ReadAsync(reader, fixture, 3 * MiB);
    }

    [Fact]
    public async Task Many_refused_readers_all_go_on_when_budget_is_freed_at_once()
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

    [Fact]
    public async Task Leaving_drops_what_was_not_sent_and_lets_the_rest_arrive()
    {
        using var fixture = new SegmentFixture();
        var reader = fixture.Open();
        var attempt = fixture.Fetcher["s0"].Answer().Show(10);
        fixture.Fetcher["s1"].Send();
        await reader.DisposeAsync();
        await reader.DisposeAsync();
        Assert.Equal(["s2"], fixture.Fetcher.DroppedIds);
        Assert.Equal((0, 2), (fixture.Cache.Open, fixture.Cache.Count));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.NextAsync(CancellationToken.None));
        attempt.Complete();
        fixture.Fetcher["s1"].Complete();
        await using var next = fixture.Open(0, 200_000);
        await ReadAsync(next, fixture, 200_000);
        Assert.Equal(3, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task A_reader_disposed_while_it_waits_leaves_nothing_behind()
    {
        using var fixture = new SegmentFixture();
        var reader = fixture.Open();
        fixture.Fetcher["s0"].Send();
        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        await reader.DisposeAsync();
        fixture.Fetcher["s0"].Complete();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
    }

    [Fact]
    public async Task A_cancelled_read_consumes_nothing()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        var attempt = fixture.Fetcher["s0"].Answer().Show(1000);
        await ReadAsync(reader, fixture, 1000);
        using var cancel = new CancellationTokenSource();
        var waiting = reader.NextAsync(cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(1000, reader.Position);
        attempt.Complete();
        await ReadAsync(reader, fixture, 99_000);
        Assert.Equal(100_000, reader.Position);
    }

    /// <summary>How many segments a starved reader has sent for after each that it took.</summary>
    private static async Task<List<int>> SentAsync(ExtentMap map)
    {
        using var fixture = new SegmentFixture(map);
        await using var reader = fixture.Open();
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(10));
        var sent = new List<int>();
        for (var i = 0; i < map.Extents.Length; i++)
        {
            foreach (var segment in fixture.Fetcher.Pending)
                segment.Send();
            fixture.Fetcher[map.Segments.Id(map.Extents[i].Segment)].Complete();
            using (var lease = await reader.NextAsync(CancellationToken.None))
                Assert.Equal(map.Extents[i].Length, lease.Length);
            sent.Add(fixture.Fetcher.Begun.Count);
        }

        return sent;
    }

    private static IEnumerable<FetchPriority> Priorities(SegmentFixture fixture, int from, int to) =>
        Enumerable.Range(from, to - from).Select(i => fixture.Fetcher[$"s{i}"].Flight.Priority);

    private static SegmentFlight Held(SegmentFixture fixture, string id) =>
        fixture.Fly(new SegmentKey(id, int.Parse(id[1..]) * 100_000, 100_000), FetchPriority.Health);

    private static Task ReadAsync(ContentReader reader, SegmentFixture fixture, long count) => Reads.ExactlyAsync(reader, fixture.Map, count);
}
