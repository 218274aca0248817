namespace NzbDav.Content.Tests;

/// <summary>How far ahead of its reader a prefetcher requests segments.</summary>
public sealed class PrefetchReachTests
{
    [Fact]
    public async Task Read_ahead_grows_only_while_starved_with_every_request_on_the_wire()
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
            await fixture.ReadAsync(reader, 1000);
            Assert.Equal(4 + i, fixture.Fetcher.Begun.Count);
        }

        // The last one is not even sent: a wider window would only make the queue longer.
        fixture.Fetcher["s3"].Complete();
        await fixture.ReadAsync(reader, 1000);
        Assert.Equal(7, fixture.Fetcher.Begun.Count);

        // Sent and not here: three more than the one that takes the place of what was read.
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Send();
        fixture.Fetcher["s4"].Complete();
        await fixture.ReadAsync(reader, 1000);
        Assert.Equal(11, fixture.Fetcher.Begun.Count);

        // All here: no reason to reach further.
        while (fixture.Fetcher.Pending is [var next, ..])
            next.Complete();
        await fixture.ReadAsync(reader, 1000);
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
    public async Task A_reader_that_stays_after_its_first_segments_gets_the_whole_burst()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        fixture.Fetcher.Burst = 20_000;
        await using var reader = fixture.Open();
        for (var i = 0; i < 3; i++)
        {
            fixture.Fetcher[$"s{i}"].Complete();
            await fixture.ReadAsync(reader, 1000);
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
    public async Task A_reader_that_leaves_within_the_grace_period_requests_no_more()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, 1000));
        fixture.Fetcher.Burst = 20_000;
        var reader = fixture.Open();
        for (var i = 0; i < 3; i++)
        {
            fixture.Fetcher[$"s{i}"].Complete();
            await fixture.ReadAsync(reader, 1000);
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
    public async Task A_short_closed_range_is_requested_at_once_up_to_the_burst()
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
}
