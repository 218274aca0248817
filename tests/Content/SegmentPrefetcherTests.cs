namespace NzbDav.Content.Tests;

/// <summary>Which segments are requested when a reader opens and as it moves.</summary>
public sealed class SegmentPrefetcherTests
{
    [Fact]
    public async Task The_first_three_segments_are_requested_at_once()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(start: 250_000);
        Assert.Equal(["s2", "s3", "s4"], fixture.Fetcher.BegunIds);
        Assert.Equal([FetchPriority.Waiting, FetchPriority.Next, FetchPriority.Next],
            fixture.Fetcher.Begun.Select(segment => segment.Flight.Priority));
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
    public async Task Nothing_is_requested_past_the_end_of_the_range()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        await using var reader = fixture.Open(0, 300_000);
        await fixture.ReadAsync(reader, 300_000);
        using var end = await reader.NextAsync(CancellationToken.None);
        Assert.True(end.IsEmpty);
        Assert.Equal(["s0", "s1", "s2"], fixture.Fetcher.BegunIds);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(250_000)]
    [InlineData(1_000_000)]
    public async Task An_empty_range_requests_nothing(long at)
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
    public async Task A_probe_requests_one_segment_at_a_time()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Probe);
        Assert.Equal(["s0"], fixture.Fetcher.BegunIds);
        fixture.Fetcher["s0"].Answer().Show(5000).Withdraw();
        var attempt = fixture.Fetcher["s0"].Answer().Show(5000);
        await fixture.ReadAsync(reader, 5000);
        Assert.Single(fixture.Fetcher.Begun);
        attempt.Complete();
        await fixture.ReadAsync(reader, 95_000);
        Assert.Equal(["s0", "s1"], fixture.Fetcher.BegunIds);
    }

    [Fact]
    public async Task The_next_two_segments_are_raised_as_the_reader_approaches()
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
        await fixture.ReadAsync(reader, 100_000);
        Assert.Equal([FetchPriority.Next, FetchPriority.Next, FetchPriority.Next], Priorities(fixture, 1, 4));

        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Equal(FetchPriority.Waiting, fixture.Fetcher["s1"].Flight.Priority);
        fixture.Fetcher["s1"].Complete();
        (await waiting).Dispose();
        Assert.Equal([FetchPriority.Next, FetchPriority.Next, FetchPriority.Next], Priorities(fixture, 2, 5));
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
    }

    [Fact]
    public async Task Readers_near_each_other_share_segments()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        var readers = Enumerable.Range(0, 5).Select(i => fixture.Open(i * 10_000)).ToArray();
        for (var i = 0; i < readers.Length; i++)
        {
            await fixture.ReadAsync(readers[i], fixture.Map.Length - (i * 10_000));
            await readers[i].DisposeAsync();
        }

        Assert.Equal(10, fixture.Fetcher.Begun.Count);
    }

    private static IEnumerable<FetchPriority> Priorities(SegmentFixture fixture, int from, int to) =>
        Enumerable.Range(from, to - from).Select(i => fixture.Fetcher[$"s{i}"].Flight.Priority);

    private static SegmentFlight Held(SegmentFixture fixture, string id) =>
        fixture.Fly(new SegmentKey(id, int.Parse(id[1..]) * 100_000, 100_000), FetchPriority.Health);
}
