using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>Readers that let others go first.</summary>
public sealed class YieldModeTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromTicks(1);
    private static readonly YieldMode ReadsOn = new(TimeSpan.FromSeconds(1), ReadsOn: true);

    [Fact]
    public async Task A_scan_requests_two_segments_at_the_lowest_priority()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Scan);
        Assert.Equal(["s0", "s1"], fixture.Fetcher.BegunIds);
        Assert.All(fixture.Fetcher.Begun, static segment => Assert.Equal(FetchPriority.Scan, segment.Flight.Priority));
        Assert.True(FetchPriority.Scan > FetchPriority.ReadAhead);
    }

    [Fact]
    public async Task A_scan_reads_a_whole_file_with_at_most_two_segments_in_memory()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.OnBegin = static segment => segment.Complete();
        await using var reader = fixture.Open(intent: ReadIntent.Scan);
        var oracle = SegmentFixture.Oracle(fixture.Map);
        for (var at = 0; at < oracle.Length;)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.True(lease.Memory.Span.SequenceEqual(oracle.AsSpan(at, lease.Length)));
            at += lease.Length;
            Assert.InRange(fixture.Cache.Open, 0, 2);
        }
    }

    [Fact]
    public async Task A_segment_that_a_scan_waits_for_too_long_becomes_urgent()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Scan);
        var armed = fixture.Clock.ArmedTimers;
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        await fixture.Clock.WhenArmedAsync(armed + 1);
        fixture.Clock.Advance(YieldMode.Scan.MaxWait - Tick);
        Assert.Empty(fixture.Fetcher.RaisedIds);
        fixture.Clock.Advance(Tick);
        await Until.TrueAsync(() => fixture.Fetcher["s0"].Flight.Priority == FetchPriority.Waiting);
        Assert.Equal(FetchPriority.Scan, fixture.Fetcher["s1"].Flight.Priority);
        fixture.Fetcher["s0"].Complete();
        (await next).Dispose();
        Fail(fixture);
    }

    [Fact]
    public async Task A_reader_that_stops_giving_way_is_served_at_once_and_reads_ahead()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Scan);
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        reader.SetYieldMode(mode: null);
        Assert.Equal(["s0", "s1", "s2"], fixture.Fetcher.BegunIds);
        Assert.Equal([FetchPriority.Waiting, FetchPriority.Next, FetchPriority.Next],
            fixture.Fetcher.Begun.Select(static segment => segment.Flight.Priority));
        fixture.Fetcher["s0"].Complete();
        (await next).Dispose();
        Fail(fixture);
    }

    [Fact]
    public async Task A_reader_that_starts_to_give_way_drops_unsent_requests()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        Assert.Equal(["s0", "s1", "s2"], fixture.Fetcher.BegunIds);
        reader.SetYieldMode(new YieldMode(TimeSpan.FromSeconds(1), ReadsOn: false));
        Assert.Equal(["s2"], fixture.Fetcher.DroppedIds);

        // What comes next is behind others.
        fixture.Fetcher["s0"].Complete();
        using (await reader.NextAsync(CancellationToken.None))
            Assert.Equal(FetchPriority.Scan, fixture.Fetcher["s2"].Flight.Priority);
        Fail(fixture);
    }

    [Fact]
    public async Task One_that_reads_on_requests_twice_what_the_line_delivers_in_a_moment()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(200, 100_000));
        fixture.Fetcher.Burst = 2_000_000;
        fixture.Fetcher.OnBegin = static segment => segment.Complete();
        await using var reader = fixture.Open();
        reader.SetYieldMode(ReadsOn);
        await fixture.ReadAsync(reader, 100_000);
        Assert.Equal(41, fixture.Fetcher.Begun.Count);
        Assert.All(fixture.Fetcher.Begun.Skip(3), static segment => Assert.Equal(FetchPriority.Scan, segment.Flight.Priority));
    }

    [Fact]
    public async Task Those_that_read_on_share_it()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(200, 100_000));
        fixture.Fetcher.Burst = 2_000_000;
        fixture.Fetcher.OnBegin = static segment => segment.Complete();
        await using var one = fixture.Open();
        await using (var other = fixture.Open(10_000_000))
        {
            one.SetYieldMode(ReadsOn);
            other.SetYieldMode(ReadsOn);
            await fixture.ReadAsync(one, 100_000);
            await fixture.ReadAsync(other, 100_000);
            Assert.Equal(40, fixture.Cache.Open);
        }

        // The one that is left has all of it.
        await fixture.ReadAsync(one, 100_000);
        Assert.Equal(40, fixture.Cache.Open);
        one.SetYieldMode(mode: null);
        Assert.Equal(0, fixture.Cache.Scans);
    }

    [Fact]
    public async Task A_reader_whose_client_is_gone_stops_waiting()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open(intent: ReadIntent.Scan);
        using var gone = new CancellationTokenSource();
        var next = reader.NextAsync(gone.Token).AsTask();
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
    }

    private static void Fail(SegmentFixture fixture)
    {
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
    }
}
