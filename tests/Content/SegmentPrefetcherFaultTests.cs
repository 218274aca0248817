using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>Readers get right bytes or an error.</summary>
public sealed class SegmentPrefetcherFaultTests : IDisposable
{
    private const int Size = 100_000;

    private readonly SegmentFixture _fixture = new(SegmentFixture.Regular(4, Size));

    private ManualSegmentFetcher Fetcher => _fixture.Fetcher;

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(ContentFault.Missing)]
    [InlineData(ContentFault.Corrupt)]
    [InlineData(ContentFault.Unavailable)]
    public async Task A_failure_occurs_at_its_position_and_the_next_read_retries(ContentFault fault)
    {
        await using var reader = _fixture.Open(start: 5);
        Fetcher["s0"].Complete();
        await _fixture.ReadAsync(reader, Size - 5);
        Fetcher["s1"].Fail(fault, "reason");
        var e = await Reads.FailsAsync(reader);
        Assert.Equal((fault, "reason", Size), (e.Fault, e.Message, (int)reader.Position));

        var again = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Equal(FetchPriority.Waiting, Fetcher["s1"].Flight.Priority);
        Fetcher["s1"].Complete();
        (await again).Dispose();
        Assert.Equal(2 * Size, reader.Position);
        Fetcher["s2"].Complete();
        await _fixture.ReadAsync(reader, Size);
    }

    [Fact]
    public async Task A_failure_ahead_of_the_reader_does_not_stop_it_earlier()
    {
        await using var reader = _fixture.Open();
        Fetcher["s1"].Fail(ContentFault.Missing);
        Fetcher["s0"].Complete();
        await _fixture.ReadAsync(reader, Size);
        Assert.Equal(ContentFault.Missing, (await Reads.FailsAsync(reader)).Fault);
    }

    [Fact]
    public async Task A_failure_in_mid_segment_occurs_where_the_bytes_end()
    {
        await using var reader = _fixture.Open();
        var attempt = Fetcher["s0"].Answer().Show(1234);
        await _fixture.ReadAsync(reader, 1234);
        attempt.Withdraw();
        Fetcher["s0"].Fail(ContentFault.Unavailable);
        Assert.Equal(ContentFault.Unavailable, (await Reads.FailsAsync(reader)).Fault);
        Assert.Equal(1234, reader.Position);
        var again = reader.NextAsync(CancellationToken.None).AsTask();
        Fetcher["s0"].Complete();
        (await again).Dispose();
        Assert.Equal(Size, reader.Position);
    }

    [Theory]
    [InlineData(ContentFault.Unavailable)]
    [InlineData(ContentFault.Corrupt)]
    public async Task A_retry_continues_only_in_a_copy_that_begins_with_the_bytes_lent(ContentFault fault)
    {
        await using var reader = _fixture.Open();
        var attempt = Fetcher["s0"].Answer(Wrong(at: 700)).Show(5000);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        attempt.Withdraw();
        Fetcher["s0"].Fail(fault);
        await Reads.FailsAsync(reader);

        // The next copy is intact, so the one of which 5000 bytes were lent was not.
        var again = reader.NextAsync(CancellationToken.None).AsTask();
        var second = Fetcher["s0"].Answer().Show(6000);
        Assert.False(again.IsCompleted);
        second.Complete();
        Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(() => again)).Fault);
        Assert.Equal(ContentFault.Corrupt, (await Reads.FailsAsync(reader)).Fault);
        Assert.Equal(5000, reader.Position);
    }

    [Fact]
    public async Task Bytes_lent_stay_unconfirmed_after_a_second_copy_fails()
    {
        await using var reader = _fixture.Open();
        var attempt = Fetcher["s0"].Answer(Wrong(at: 700)).Show(5000);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        attempt.Withdraw();
        Fetcher["s0"].Fail(ContentFault.Unavailable);
        await Reads.FailsAsync(reader);
        var again = reader.NextAsync(CancellationToken.None).AsTask();
        Fetcher["s0"].Fail(ContentFault.Unavailable);
        Assert.Equal(ContentFault.Unavailable, (await Assert.ThrowsAsync<ContentException>(() => again)).Fault);
        var once = reader.NextAsync(CancellationToken.None).AsTask();
        Fetcher["s0"].Complete();
        Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(() => once)).Fault);
    }

    [Fact]
    public async Task A_second_attempt_with_the_same_bytes_goes_unnoticed()
    {
        await using var reader = _fixture.Open();
        var attempt = Fetcher["s0"].Answer().Show(5000);
        await _fixture.ReadAsync(reader, 5000);
        attempt.Withdraw();
        Fetcher["s0"].Complete();
        await _fixture.ReadAsync(reader, Size - 5000);
    }

    [Fact]
    public async Task A_second_attempt_with_other_bytes_ends_only_readers_that_saw_the_first()
    {
        await using var saw = _fixture.Open();
        await using var waits = _fixture.Open(start: 50);
        var attempt = Fetcher["s0"].Answer(Wrong(7)).Show(20);
        (await saw.NextAsync(CancellationToken.None)).Dispose();
        attempt.Withdraw();
        Fetcher["s0"].Complete();
        var e = await Reads.FailsAsync(saw);
        Assert.Equal((ContentFault.Corrupt, 20L), (e.Fault, saw.Position));
        Assert.Equal(ContentFault.Corrupt, (await Reads.FailsAsync(saw)).Fault);
        await _fixture.ReadAsync(waits, Size - 50);
    }

    [Fact]
    public async Task The_last_byte_is_not_lent_before_the_segment_is_verified()
    {
        await using var reader = _fixture.Open();
        var damaged = Fetcher["s0"].Answer(Wrong(Size - 1)).Show(Size);
        while (reader.Position < Size - 1)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        var last = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.False(last.IsCompleted);
        damaged.Withdraw();
        Fetcher["s0"].Complete();
        using var lease = await last;
        Assert.Equal(SegmentFixture.Oracle(_fixture.Map)[Size - 1], Assert.Single(lease.Memory.ToArray()));
    }

    [Theory]
    [InlineData(ReadIntent.Download)]
    [InlineData(ReadIntent.Import)]
    [InlineData(ReadIntent.Health)]
    public async Task Only_verified_bytes_are_lent_when_no_viewer_waits(ReadIntent intent)
    {
        await using var reader = _fixture.Open(end: 1000, intent: intent);
        var damaged = Fetcher["s0"].Answer(Wrong(3)).Show(5000);
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.False(next.IsCompleted);
        damaged.Withdraw();
        Fetcher["s0"].Complete();
        using var lease = await next;
        Assert.Equal(SegmentFixture.Oracle(_fixture.Map)[..1000], lease.Memory.ToArray());
    }

    [Fact]
    public async Task A_damaged_segment_is_not_skipped_although_all_its_bytes_were_shown()
    {
        await using var reader = _fixture.Open();
        var damaged = Fetcher["s0"].Answer(Wrong(3)).Show(Size);
        Fetcher["s1"].Complete();
        using var first = await reader.NextAsync(CancellationToken.None);
        damaged.Withdraw();
        Fetcher["s0"].Complete();
        Assert.Equal(ContentFault.Corrupt, (await Reads.FailsAsync(reader)).Fault);
        Assert.InRange(reader.Position, 1, Size - 1);
    }

    [Fact]
    public async Task Two_extents_of_one_segment_come_from_the_same_attempt()
    {
        // Reads 0 … 9 from the segment, then 50 … 59: the second run must come from the attempt that vouches for the first.
        var table = new SegmentTable.Builder();
        table.Add("s0", 0, Size);
        _fixture.Map = new ExtentMap([new Extent(0, 0, 0, 10), new Extent(10, 0, 50, 10)], table.Build());
        await using var reader = _fixture.Open();
        var damaged = Fetcher["s0"].Answer(Wrong(3)).Show(60);
        using var first = await reader.NextAsync(CancellationToken.None);
        damaged.Withdraw();
        Fetcher["s0"].Complete();
        Assert.Equal(ContentFault.Corrupt, (await Reads.FailsAsync(reader)).Fault);
    }

    [Fact]
    public async Task A_segment_of_another_size_leads_to_a_corrected_map_and_reading_continues()
    {
        var right = SegmentFixture.Whole(Size, 90_000, 110_000, Size);
        _fixture.Correct = (_, _, _) =>
        {
            _fixture.Map = right;
            return Task.FromResult<ExtentMap?>(right);
        };
        Fetcher.OnBegin = segment =>
            segment.Complete(ManualSegment.BytesOf(segment.Key.Id, TrueSize(segment.Key.Id)), TrueBegin(segment.Key.Id));
        await using var reader = _fixture.Open();
        await _fixture.ReadAsync(reader, Size);
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        using var lease = await next;
        Assert.Equal(90_000, lease.Length);
        await _fixture.ReadAsync(reader, right.Length - reader.Position);
        Assert.Equal(1, _fixture.Corrections);

        int TrueSize(string id) => right.Segments.Size(id[1] - '0');
        long TrueBegin(string id) => right.Segments.Begin(id[1] - '0');
    }

    [Fact]
    public async Task A_wrong_segment_that_no_map_explains_is_corrupt()
    {
        await using var reader = _fixture.Open();
        Fetcher["s0"].Complete(new byte[99]);
        var e = await Reads.FailsAsync(reader);
        Assert.Equal((ContentFault.Corrupt, 0L), (e.Fault, reader.Position));
        Assert.Contains("<s0>", e.Message, StringComparison.Ordinal);

        var again = reader.NextAsync(CancellationToken.None).AsTask();
        Fetcher["s0"].Complete();
        (await again).Dispose();
    }

    [Fact]
    public async Task A_segment_fetched_by_a_probe_is_not_lent_if_it_is_another_part()
    {
        // The probe did not know what to expect: its flight shows whatever comes.
        var probe = _fixture.Fly(SegmentKey.Unknown("s0"));
        await using var reader = _fixture.Open();
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        var attempt = Fetcher["s0"].Answer(ManualSegment.BytesOf("s0", Size), begin: Size).Show(500);
        attempt.Complete();
        var e = await Assert.ThrowsAsync<ContentException>(() => next);
        Assert.Equal((ContentFault.Corrupt, 1), (e.Fault, _fixture.Corrections));
        _fixture.Cache.Close(probe);
    }

    [Fact]
    public async Task A_correction_that_is_cancelled_consumes_nothing()
    {
        var correcting = new TaskCompletionSource<ExtentMap?>();
        using var cancel = new CancellationTokenSource();
        _fixture.Correct = (_, _, _) => correcting.Task.WaitAsync(cancel.Token);
        await using var reader = _fixture.Open();
        Fetcher["s0"].Complete(new byte[99]);
        var next = reader.NextAsync(cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
        Assert.Equal(0, reader.Position);
    }

    [Fact]
    public async Task A_range_that_ends_inside_a_segment_completes_only_once_the_segment_is_verified()
    {
        await using var reader = _fixture.Open(0, 50);
        var damaged = Fetcher["s0"].Answer(Wrong(at: 20)).Show(60);
        using (var lease = await reader.NextAsync(CancellationToken.None))
            Assert.Equal(49, lease.Length);
        var last = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.False(last.IsCompleted);

        // The checksum is wrong, the next copy is another one: what was lent cannot be taken back, but it is not passed off as whole.
        damaged.Withdraw();
        Fetcher["s0"].Complete();
        Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(() => last)).Fault);
    }

    private static byte[] Wrong(int at)
    {
        var bytes = ManualSegment.BytesOf("s0", Size);
        bytes[at] ^= 1;
        return bytes;
    }
}
