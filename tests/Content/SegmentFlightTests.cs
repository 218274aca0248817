using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class SegmentFlightTests : IDisposable
{
    private const int Size = 100_000;

    private readonly SegmentFixture _fixture = new();
    private SegmentFlight _flight;
    private readonly ManualSegment _segment;
    private readonly byte[] _right = ManualSegment.BytesOf("s0", Size);

    public SegmentFlightTests()
    {
        _flight = _fixture.Fly();
        _segment = _fixture.Fetcher["s0"];
    }

    public void Dispose()
    {
        _fixture.Cache.Close(_flight);
        _fixture.Dispose();
    }

    [Fact]
    public void Bytes_are_lent_as_they_arrive()
    {
        Assert.Null(_flight.TryLend(0, 10));
        var attempt = _segment.Answer();
        Assert.Null(_flight.TryLend(0, 10));
        attempt.Show(1000);
        AssertLends(0, 5000, 1000);
        AssertLends(400, 100, 100);
        Assert.Null(_flight.TryLend(1000, 1));
        attempt.Show(1001);
        AssertLends(1000, 99_000, 1);
        attempt.Complete();
        AssertLends(1001, Size, Size - 1001);
        Assert.Null(_flight.TryLend(Size, 1));
        Assert.Equal((SegmentOutcome.Found, 0), (_flight.Outcome, _flight.Generation));
    }

    [Fact]
    public void What_the_header_says_is_known_with_the_first_bytes()
    {
        Assert.Equal((-1L, 0), (_flight.Begin, _flight.Size));
        var attempt = _segment.Answer().Show(0);
        Assert.Equal((0L, Size), (_flight.Begin, _flight.Size));
        Assert.Null(_flight.Header);
        attempt.Complete("header");
        Assert.Equal("header", _flight.Header);
    }

    [Fact]
    public async Task Who_waits_is_told_of_more_bytes_and_of_the_end()
    {
        var more = _flight.WhenMore(0);
        var ended = _flight.WhenEnded();
        var attempt = _segment.Answer();
        Assert.False(more.IsCompleted);
        attempt.Show(10);
        await more;
        Assert.True(_flight.WhenMore(9).IsCompleted);
        more = _flight.WhenMore(10);
        Assert.False(more.IsCompleted);
        Assert.False(ended.IsCompleted);
        attempt.Complete();
        await more;
        await ended;
        Assert.True(_flight.WhenMore(Size).IsCompleted);
        Assert.True(_flight.WhenEnded().IsCompleted);
    }

    [Fact]
    public async Task Who_waits_is_told_of_a_failure()
    {
        var more = _flight.WhenMore(0);
        var ended = _flight.WhenEnded();
        _segment.Fail(SegmentOutcome.Missing, "gone");
        await more;
        await ended;
        Assert.Equal((SegmentOutcome.Missing, "gone"), (_flight.Outcome, _flight.FailureReason));
    }

    [Fact]
    public void Bytes_that_nobody_saw_are_given_back_with_their_attempt()
    {
        _segment.Answer(Wrong(0)).Show(5000).Withdraw();
        Assert.Equal(0, _fixture.Rented);
        Assert.Equal(0, _fixture.Budget.Reserved);
        Assert.Null(_flight.TryLend(0, 1));
        _segment.Complete();
        Assert.Equal(0, _flight.Generation);
        AssertLends(0, Size, Size);
    }

    [Fact]
    public void The_same_bytes_again_end_nobody()
    {
        var first = _segment.Answer(Wrong(5000)).Show(5000);
        AssertLends(0, 5000, 5000);
        first.Withdraw();
        Assert.Null(_flight.TryLend(0, 1));
        Assert.Equal(1, _fixture.Rented);
        _segment.Complete();
        Assert.Equal(0, _flight.Generation);
        Assert.Equal(1, _fixture.Rented);
        AssertLends(0, Size, Size);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2500)]
    [InlineData(4999)]
    public void Other_bytes_than_were_seen_move_the_generation(int wrongAt)
    {
        var first = _segment.Answer(Wrong(wrongAt)).Show(6000);
        _flight.TryLend(0, 5000)!.Dispose();
        first.Withdraw();
        _segment.Complete();
        Assert.Equal((SegmentOutcome.Found, 1), (_flight.Outcome, _flight.Generation));
        AssertLends(0, Size, Size);
    }

    [Fact]
    public void Wrong_bytes_that_came_but_were_not_lent_do_no_harm()
    {
        var first = _segment.Answer(Wrong(5000)).Show(6000);
        _flight.TryLend(1000, 4000)!.Dispose();
        first.Withdraw();
        _segment.Complete();
        Assert.Equal(0, _flight.Generation);
    }

    [Fact]
    public void A_lease_keeps_the_bytes_of_its_attempt()
    {
        var first = _segment.Answer(Wrong(3)).Show(10);
        using var lease = _flight.TryLend(0, 10)!;
        first.Withdraw();
        _segment.Complete();
        Assert.Equal(Wrong(3)[..10], lease.Memory.ToArray());
    }

    [Fact]
    public async Task A_lease_is_verified_when_its_segment_is()
    {
        var attempt = _segment.Answer().Show(1000);
        using var lease = _flight.TryLend(0, 1000)!;
        using var part = lease.Slice(10, 5);
        var verified = part.WhenVerifiedAsync(CancellationToken.None).AsTask();
        Assert.Equal((false, false, false), (lease.IsVerified, part.IsVerified, verified.IsCompleted));
        attempt.Complete();
        await verified;
        Assert.Equal((true, true), (lease.IsVerified, part.IsVerified));
        using var whole = _flight.TryLend(0, Size)!;
        Assert.True(whole.IsVerified);
        part.Dispose();
        Assert.True(part.IsVerified);
    }

    [Fact]
    public async Task A_lease_of_bytes_that_turned_out_wrong_is_never_verified()
    {
        var first = _segment.Answer(Wrong(3)).Show(10);
        using var lease = _flight.TryLend(0, 10)!;
        first.Withdraw();
        _segment.Complete();
        Assert.False(lease.IsVerified);
        Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(async () => await lease.WhenVerifiedAsync(CancellationToken.None))).Fault);
        using var right = _flight.TryLend(0, 10)!;
        Assert.True(right.IsVerified);
    }

    [Theory]
    [InlineData(SegmentOutcome.Missing, ContentFault.Missing)]
    [InlineData(SegmentOutcome.Corrupt, ContentFault.Corrupt)]
    [InlineData(SegmentOutcome.Unavailable, ContentFault.Unavailable)]
    public async Task A_lease_of_a_segment_that_failed_is_never_verified(SegmentOutcome outcome, ContentFault fault)
    {
        var attempt = _segment.Answer().Show(10);
        using var lease = _flight.TryLend(0, 10)!;
        var verified = lease.WhenVerifiedAsync(CancellationToken.None).AsTask();
        attempt.Withdraw();
        _segment.Fail(outcome);
        Assert.Equal(fault, (await Assert.ThrowsAsync<ContentException>(() => verified)).Fault);
        Assert.False(lease.IsVerified);
    }

    [Fact]
    public async Task Whoever_waits_for_verification_can_leave()
    {
        var attempt = _segment.Answer().Show(10);
        using var lease = _flight.TryLend(0, 10)!;
        using var leave = new CancellationTokenSource();
        var verified = lease.WhenVerifiedAsync(leave.Token).AsTask();
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => verified);
        attempt.Complete();
        Assert.True(lease.IsVerified);
    }

    [Fact]
    public void A_reader_gets_only_bytes_of_the_place_that_it_expects()
    {
        var attempt = _segment.Answer().Show(1000);
        Assert.Null(_flight.TryLend(0, 500, 500, begin: 1, Size, out _));
        Assert.Null(_flight.TryLend(0, 500, 500, begin: 0, Size - 1, out _));
        Assert.False(_flight.WasRead);
        using (var early = _flight.TryLend(0, verified: 500, unverified: 400, begin: 0, Size, out _)!)
            Assert.Equal((400, false), (early.Length, early.IsVerified));
        attempt.Complete();
        using var whole = _flight.TryLend(0, verified: 500, unverified: 400, begin: 0, Size, out _)!;
        Assert.Equal((500, true), (whole.Length, whole.IsVerified));
    }

    [Fact]
    public void A_segment_that_turns_out_to_lie_elsewhere_is_not_what_was_lent()
    {
        // Nobody said what to expect, so that any place is shown; the next copy has the same bytes and another place.
        var flight = _fixture.Fly(SegmentKey.Unknown("s7"));
        var first = _fixture.Fetcher["s7"].Answer(_right, begin: 0).Show(100);
        using var lease = flight.TryLend(0, 100)!;
        first.Withdraw();
        _fixture.Fetcher["s7"].Complete(_right, begin: 500);
        Assert.Equal((SegmentOutcome.Found, 1, false), (flight.Outcome, flight.Generation, lease.IsVerified));
        _fixture.Cache.Close(flight);
    }

    [Fact]
    public void A_hedge_that_is_faster_wins_and_the_late_one_changes_nothing()
    {
        var slow = _segment.Answer().Show(3000);
        AssertLends(0, 3000, 3000);
        var fast = _segment.Answer().Show(50_000);
        Assert.Null(_flight.TryLend(3000, 1));
        Assert.True(fast.Complete("fast"));
        AssertLends(3000, Size, Size - 3000);
        slow.Show(4000);
        Assert.False(slow.Complete("slow"));
        Assert.Equal(("fast", 0), (_flight.Header, _flight.Generation));
        Assert.Equal(1, _fixture.Rented);
    }

    [Fact]
    public void A_hedge_that_shows_other_bytes_than_were_seen_moves_the_generation()
    {
        var slow = _segment.Answer(Wrong(1)).Show(3000);
        _flight.TryLend(0, 2)!.Dispose();
        _segment.Complete();
        Assert.Equal(1, _flight.Generation);
        slow.Withdraw();
        AssertLends(0, Size, Size);
    }

    [Fact]
    public void A_hedge_may_fail_while_the_first_attempt_goes_on()
    {
        var first = _segment.Answer().Show(3000);
        _segment.Answer(Wrong(0)).Show(7000).Withdraw();
        AssertLends(0, 7000, 3000);
        Assert.True(first.Complete());
        Assert.Equal(0, _flight.Generation);
    }

    [Fact]
    public void Two_attempts_withdrawn_one_after_the_other_are_judged_by_what_was_seen()
    {
        var first = _segment.Answer(Wrong(9000)).Show(8000);
        AssertLends(0, 8000, 8000);
        first.Withdraw();
        _segment.Answer(Wrong(0)).Show(9000).Withdraw();
        Assert.Null(_flight.TryLend(0, 1));
        _segment.Complete();
        Assert.Equal(0, _flight.Generation);
    }

    [Fact]
    public void Nothing_is_shown_after_a_failure()
    {
        var late = _segment.Answer().Show(100);
        using var lease = _flight.TryLend(0, 100)!;
        _segment.Fail(SegmentOutcome.Unavailable);
        late.Show(200);
        Assert.Null(_flight.TryLend(0, 1));
        Assert.False(late.Complete());
        _segment.Fail(SegmentOutcome.Missing);
        Assert.Equal(SegmentOutcome.Unavailable, _flight.Outcome);
        Assert.Equal(_right[..100], lease.Memory.ToArray());
    }

    [Fact]
    public void The_reservation_of_the_flight_serves_the_first_attempt_and_each_other_one_has_its_own()
    {
        var one = BufferPool.ClassOf(Size);
        Assert.Equal(one, _fixture.Budget.Reserved);
        var first = _segment.Answer();
        Assert.Equal(one, _fixture.Budget.Reserved);
        var second = _segment.Answer();
        Assert.Equal(2 * one, _fixture.Budget.Reserved);
        first.Withdraw();
        Assert.Equal(one, _fixture.Budget.Reserved);
        second.Complete();
        Assert.Equal(one, _fixture.Budget.Reserved);
    }

    [Fact]
    public void A_segment_of_another_size_than_expected_swaps_the_reservation()
    {
        _segment.Complete(new byte[3_000_000]);
        Assert.Equal(SegmentOutcome.Mismatch, _flight.Outcome);
        Assert.Equal(0, _fixture.Cache.Count);
        Assert.Equal(BufferPool.ClassOf(3_000_000), _fixture.Budget.Reserved);
    }

    [Fact]
    public void A_flight_that_never_got_a_buffer_gives_its_reservation_back()
    {
        _segment.Fail(SegmentOutcome.Missing);
        Assert.Equal(0, _fixture.Budget.Reserved);
    }

    [Fact]
    public void A_lease_outlives_the_flight()
    {
        _segment.Complete();
        var other = _fixture.Fly();
        using var lease = other.TryLend(5, 5)!;
        _fixture.Cache.Close(other);
        _fixture.Cache.Close(_flight);
        _fixture.Cache.Reclaim(long.MaxValue);
        Assert.Equal(_right[5..10], lease.Memory.ToArray());
        Assert.Equal(0, _fixture.Cache.Count);
        _flight = _fixture.Fly();
    }

    private byte[] Wrong(int at)
    {
        var bytes = (byte[])_right.Clone();
        bytes[at] ^= 0x40;
        return bytes;
    }

    private void AssertLends(int offset, int count, int expected)
    {
        using var lease = _flight.TryLend(offset, count);
        Assert.NotNull(lease);
        Assert.True(_right.AsSpan(offset, expected).SequenceEqual(lease.Memory.Span));
    }
}
