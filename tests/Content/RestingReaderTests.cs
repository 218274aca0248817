namespace NzbDav.Content.Tests;

/// <summary>Readers that are not read from for a while.</summary>
public sealed class RestingReaderTests
{
    private const int MiB = SegmentFixture.MiB;
    private const int Size = 400_000;

    /// <summary>The first lease of a segment.</summary>
    private const int Part = 256 << 10;

    private static readonly TimeSpan Tick = TimeSpan.FromTicks(1);

    [Fact]
    public async Task A_paused_reader_holds_no_memory_and_has_no_share()
    {
        using var fixture = Filled();
        await using var paused = fixture.Open();
        await using var other = fixture.Open(5 * Size);
        await fixture.ReadAsync(paused, Part);
        Assert.Equal((2, 0, 6), (fixture.Budget.Readers, fixture.Budget.IdleReaders, fixture.Cache.Open));

        fixture.Clock.Advance(SegmentPrefetcher.IdleTime - Tick);
        await fixture.ReadAsync(other, Part);
        Assert.Equal((0, 6), (fixture.Budget.IdleReaders, fixture.Cache.Open));

        fixture.Clock.Advance(Tick);
        Assert.Equal((2, 1, 3), (fixture.Budget.Readers, fixture.Budget.IdleReaders, fixture.Cache.Open));
        Assert.Equal(fixture.Budget.Limit / 8 * 7, fixture.Budget.BudgetPerReader);
    }

    [Fact]
    public async Task It_continues_at_its_position_with_cached_segments()
    {
        using var fixture = Filled();
        await using var reader = fixture.Open();
        await fixture.ReadAsync(reader, Size + Part);
        Assert.Equal(4, fixture.Fetcher.Begun.Count);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        Assert.Equal(0, fixture.Cache.Open);

        await fixture.ReadAsync(reader, (2 * Size) - Part);
        Assert.Equal((0, 3), (fixture.Budget.IdleReaders, fixture.Cache.Open));
        await fixture.ReadAsync(reader, 7 * Size);
        Assert.Equal(10, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task It_continues_after_others_have_taken_all_its_memory()
    {
        using var fixture = Filled();
        await using var reader = fixture.Open();
        await fixture.ReadAsync(reader, Size + Part);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        fixture.Cache.Reclaim(long.MaxValue);
        Assert.Equal((0, 0L), (fixture.Rented, fixture.Budget.Reserved));

        await fixture.ReadAsync(reader, (9 * Size) - Part);
        using var end = await reader.NextAsync(CancellationToken.None);
        Assert.True(end.IsEmpty);
    }

    [Fact]
    public async Task It_rests_again_after_each_pause()
    {
        using var fixture = Filled();
        var reader = fixture.Open();
        for (var i = 0; i < 5; i++)
        {
            await fixture.ReadAsync(reader, Size);
            Assert.Equal(0, fixture.Budget.IdleReaders);
            fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
            Assert.Equal((1, 0), (fixture.Budget.IdleReaders, fixture.Cache.Open));
        }

        await reader.DisposeAsync();
        Assert.Equal((0, 0), (fixture.Budget.Readers, fixture.Budget.IdleReaders));
        Assert.Equal(0, fixture.Clock.ArmedTimers);
    }

    [Fact]
    public async Task A_reader_that_waits_for_bytes_never_rests()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((0, 3), (fixture.Budget.IdleReaders, fixture.Cache.Open));
        fixture.Fetcher["s0"].Complete();
        (await waiting).Dispose();

        // The pause is counted from the end of the wait.
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime - Tick);
        Assert.Equal(0, fixture.Budget.IdleReaders);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        Assert.Equal(1, fixture.Budget.IdleReaders);
    }

    [Fact]
    public async Task It_counts_as_resting_before_it_gives_back_anything()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        List<int> resting = [];
        fixture.Fetcher.OnTryDrop = () => resting.Add(fixture.Budget.IdleReaders);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        Assert.Equal([1, 1, 1], resting);
    }

    [Fact]
    public async Task A_cancelled_read_does_not_delay_the_rest()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        using var gone = new CancellationTokenSource();
        var waiting = reader.NextAsync(gone.Token).AsTask();
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime * 2);
        Assert.Equal((1, 0), (fixture.Budget.IdleReaders, fixture.Cache.Open));
        Assert.Equal(["s0", "s1", "s2"], fixture.Fetcher.DroppedIds);
    }

    [Fact]
    public async Task Bytes_lent_unverified_are_kept_until_they_can_be_compared()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        var attempt = fixture.Fetcher["s0"].Answer().Show(5000);
        await fixture.ReadAsync(reader, 5000);
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime * 3);
        Assert.Equal(0, fixture.Budget.IdleReaders);

        attempt.Complete();
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        Assert.Equal((1, 0), (fixture.Budget.IdleReaders, fixture.Cache.Open));
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
        await fixture.ReadAsync(reader, 95_000);
    }

    [Fact]
    public async Task A_paused_response_that_saw_wrong_bytes_ends()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        var wrong = fixture.Fetcher["s0"].Answer(new byte[100_000]).Show(5000);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        wrong.Withdraw();
        fixture.Fetcher["s0"].Answer().Complete();
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime * 3);
        Assert.Equal(1, fixture.Budget.IdleReaders);
        Assert.Equal(ContentFault.Corrupt, (await Reads.FailsAsync(reader)).Fault);
    }

    [Fact]
    public async Task Freed_budget_skips_a_resting_reader()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, MiB), budget: 8 * MiB);
        fixture.Budget.Reserve(7 * MiB);
        await using var paused = fixture.Open();
        fixture.Fetcher["s0"].Complete();
        await fixture.ReadAsync(paused, MiB / 2);
        await using var reads = fixture.Open(20 * MiB);
        var waiting = reads.NextAsync(CancellationToken.None).AsTask();
        fixture.Clock.Advance(SegmentPrefetcher.IdleTime);
        Assert.Equal(1, fixture.Budget.IdleReaders);

        fixture.Budget.Release(7 * MiB);
        await fixture.Fetcher.WhenBegunAsync(4);
        Assert.Equal(["s0", "s20", "s21", "s22"], fixture.Fetcher.BegunIds);
        fixture.Fetcher["s20"].Complete();
        (await waiting).Dispose();
    }

    [Fact]
    public async Task The_next_segment_exceeds_the_limit_only_once_a_read_waits_for_it()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(40, MiB), budget: 8 * MiB);
        fixture.Budget.Reserve(7 * MiB);
        await using var reader = fixture.Open();
        fixture.Fetcher["s0"].Complete();
        for (var read = 0; read < MiB; read += 256 << 10)
        {
            // The last lease is kept, as the memory of a slow consumer.
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.Equal(256 << 10, lease.Length);
            Assert.Equal(["s0"], fixture.Fetcher.BegunIds);
            Assert.Equal(8 * MiB, fixture.Budget.Reserved);
        }

        var next = reader.NextAsync(CancellationToken.None).AsTask();
        await fixture.Fetcher.WhenBegunAsync(2);
        fixture.Fetcher["s1"].Complete();
        (await next).Dispose();
        fixture.Budget.Release(7 * MiB);
    }

    [Fact]
    public async Task No_lease_is_longer_than_256_KiB()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Whole(700_000, 700_000));
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        await using var reader = fixture.Open();
        var lengths = new List<int>();
        while (await reader.NextAsync(CancellationToken.None) is { IsEmpty: false } lease)
        {
            lengths.Add(lease.Length);
            lease.Dispose();
        }

        Assert.Equal([262_144, 262_144, 175_712, 262_144, 262_144, 175_712], lengths);
    }

    [Fact]
    public async Task A_reader_that_is_known_to_read_on_reads_far_ahead_before_its_first_segment()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(200, 100_000), budget: 64 * MiB);
        fixture.Fetcher.Burst = 5_000_000;
        await using var reader = fixture.Open();
        reader.ReadsOn();
        Assert.Equal(3, fixture.Fetcher.Begun.Count);
        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        fixture.Clock.Advance(ReadAheadWindow.Grace);
        await fixture.Fetcher.WhenBegunAsync(ReadAheadWindow.ProvenSegments);
        fixture.Fetcher["s0"].Complete();
        (await waiting).Dispose();
        Assert.Equal(ReadAheadWindow.ProvenSegments + 1, fixture.Fetcher.Begun.Count);
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
    }

    [Fact]
    public async Task A_reader_that_slows_down_releases_its_surplus_read_ahead()
    {
        using var fixture = new SegmentFixture(SegmentFixture.Regular(200, 100_000), budget: 64 * MiB);
        fixture.Fetcher.Burst = 5_000_000;
        await using var reader = fixture.Open();
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(10));
        for (var i = 0; i < 3; i++)
        {
            fixture.Fetcher[$"s{i}"].Complete();
            await fixture.ReadAsync(reader, 100_000);
        }

        // It stays: fifty at once, and then no slower than they come.
        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        fixture.Clock.Advance(ReadAheadWindow.Grace);
        await fixture.Fetcher.WhenBegunAsync(53);
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        foreach (var segment in fixture.Fetcher.Pending)
            segment.Complete();
        (await waiting).Dispose();
        await fixture.ReadAsync(reader, fixture.Map.Extents[29].End - reader.Position);
        Assert.InRange(fixture.Cache.Open, 50, 60);

        // From now on 100,000 bytes a second: four seconds of that are four.
        for (var second = 0; second < 6; second++)
        {
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
            await fixture.ReadAsync(reader, 100_000);
        }

        Assert.InRange(fixture.Cache.Open, 3, 6);
        await fixture.ReadAsync(reader, fixture.Map.Length - reader.Position);
        Assert.Equal(200, fixture.Fetcher.Begun.Count);
    }

    private static SegmentFixture Filled()
    {
        var fixture = new SegmentFixture(SegmentFixture.Regular(10, Size));
        fixture.Fetcher.OnBegin = segment => segment.Complete();
        return fixture;
    }
}
