using NzbDav.Fakes;
using static NzbDav.Content.Tests.FlightFixture;

namespace NzbDav.Content.Tests;

/// <summary>One segment on its way: its bytes are lent as they arrive, and whoever waits is told.</summary>
public sealed class SegmentFlightTests : IDisposable
{
    private readonly FlightFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Bytes_are_lent_as_they_arrive()
    {
        Assert.Null(_fixture.Flight.TryLend(0, 10));
        var attempt = _fixture.Segment.Answer();
        Assert.Null(_fixture.Flight.TryLend(0, 10));
        attempt.Show(1000);
        _fixture.AssertLends(0, 5000, 1000);
        _fixture.AssertLends(400, 100, 100);
        Assert.Null(_fixture.Flight.TryLend(1000, 1));
        attempt.Show(1001);
        _fixture.AssertLends(1000, 99_000, 1);
        attempt.Complete();
        _fixture.AssertLends(1001, Size, Size - 1001);
        Assert.Null(_fixture.Flight.TryLend(Size, 1));
        Assert.Equal((true, 0), (_fixture.Flight.IsFound, _fixture.Flight.Generation));
    }

    [Fact]
    public void The_header_is_known_with_the_first_bytes()
    {
        Assert.Equal((-1L, 0), (_fixture.Flight.Begin, _fixture.Flight.Size));
        var attempt = _fixture.Segment.Answer().Show(0);
        Assert.Equal((0L, Size), (_fixture.Flight.Begin, _fixture.Flight.Size));
        Assert.Null(_fixture.Flight.Header);
        attempt.Complete("header");
        Assert.Equal("header", _fixture.Flight.Header);
    }

    [Fact]
    public async Task A_waiter_is_notified_of_more_bytes_and_of_the_end()
    {
        var more = _fixture.Flight.WhenMore(0);
        var ended = _fixture.Flight.WhenEnded();
        var attempt = _fixture.Segment.Answer();
        Assert.False(more.IsCompleted);
        attempt.Show(10);
        await more;
        Assert.True(_fixture.Flight.WhenMore(9).IsCompleted);
        more = _fixture.Flight.WhenMore(10);
        Assert.False(more.IsCompleted);
        Assert.False(ended.IsCompleted);
        attempt.Complete();
        await more;
        await ended;
        Assert.True(_fixture.Flight.WhenMore(Size).IsCompleted);
        Assert.True(_fixture.Flight.WhenEnded().IsCompleted);
    }

    [Fact]
    public async Task A_waiter_is_notified_of_a_failure()
    {
        var more = _fixture.Flight.WhenMore(0);
        var ended = _fixture.Flight.WhenEnded();
        _fixture.Segment.Fail(ContentFault.Missing, "gone");
        await more;
        await ended;
        Assert.Equal((ContentFault.Missing, "gone"), (_fixture.Flight.Fault, _fixture.Flight.FailureReason));
    }

    [Fact]
    public void A_reader_gets_only_bytes_from_the_expected_offset()
    {
        var attempt = _fixture.Segment.Answer().Show(1000);
        Assert.Null(_fixture.Flight.TryLend(0, 500, 500, begin: 1, Size, out _));
        Assert.Null(_fixture.Flight.TryLend(0, 500, 500, begin: 0, Size - 1, out _));
        Assert.False(_fixture.Flight.WasRead);
        using (var early = _fixture.Flight.TryLend(0, verified: 500, unverified: 400, begin: 0, Size, out _)!)
            Assert.Equal((400, false), (early.Length, early.IsVerified));
        attempt.Complete();
        using var whole = _fixture.Flight.TryLend(0, verified: 500, unverified: 400, begin: 0, Size, out _)!;
        Assert.Equal((500, true), (whole.Length, whole.IsVerified));
    }

    [Fact]
    public void Nothing_is_lent_after_a_failure()
    {
        var late = _fixture.Segment.Answer().Show(100);
        using var lease = _fixture.Flight.TryLend(0, 100)!;
        _fixture.Segment.Fail(ContentFault.Unavailable);
        late.Show(200);
        Assert.Null(_fixture.Flight.TryLend(0, 1));
        Assert.False(late.Complete());
        _fixture.Segment.Fail(ContentFault.Missing);
        Assert.Equal(ContentFault.Unavailable, _fixture.Flight.Fault);
        Assert.Equal(Right[..100], lease.Memory.ToArray());
    }

    [Fact]
    public void The_first_attempt_uses_the_flights_reservation_and_others_have_their_own()
    {
        var one = BufferPool.ClassOf(Size);
        Assert.Equal(one, _fixture.Segments.Budget.Reserved);
        var first = _fixture.Segment.Answer();
        Assert.Equal(one, _fixture.Segments.Budget.Reserved);
        var second = _fixture.Segment.Answer();
        Assert.Equal(2 * one, _fixture.Segments.Budget.Reserved);
        first.Withdraw();
        Assert.Equal(one, _fixture.Segments.Budget.Reserved);
        second.Complete();
        Assert.Equal(one, _fixture.Segments.Budget.Reserved);
    }

    [Fact]
    public void A_segment_of_an_unexpected_size_replaces_the_reservation()
    {
        _fixture.Segment.Complete(new byte[3_000_000]);
        Assert.True(_fixture.Flight.IsMismatched);
        Assert.Equal(0, _fixture.Segments.Cache.Count);
        Assert.Equal(BufferPool.ClassOf(3_000_000), _fixture.Segments.Budget.Reserved);
    }

    [Fact]
    public void A_flight_without_a_buffer_releases_its_reservation()
    {
        _fixture.Segment.Fail(ContentFault.Missing);
        Assert.Equal(0, _fixture.Segments.Budget.Reserved);
    }

    [Fact]
    public void A_lease_outlives_the_flight()
    {
        _fixture.Segment.Complete();
        var other = _fixture.Segments.Fly();
        using var lease = other.TryLend(5, 5)!;
        _fixture.Segments.Cache.Close(other);
        _fixture.Segments.Cache.Close(_fixture.Flight);
        _fixture.Segments.Cache.Reclaim(long.MaxValue);
        Assert.Equal(Right[5..10], lease.Memory.ToArray());
        Assert.Equal(0, _fixture.Segments.Cache.Count);
        _fixture.Flight = _fixture.Segments.Fly();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_owner_that_throws_leaves_nobody_waiting(bool succeeds)
    {
        var pool = new DiagnosticBufferPool();
        var flight = new SegmentFlight(new SegmentKey("s", 0, 100), FetchPriority.Waiting, new ThrowingOwner(), pool, reserved: 0);
        var (more, ended) = (flight.WhenMore(0), flight.WhenEnded());
        var buffer = flight.RentBuffer(100);
        Assert.Throws<InvalidOperationException>(() =>
        {
            if (succeeds)
                flight.Complete(buffer, 100, 0, header: null);
            else
                flight.Fail(ContentFault.Unavailable, "no");
        });
        await more;
        await ended;
        Assert.Equal((succeeds, succeeds ? null : ContentFault.Unavailable), (flight.IsFound, flight.Fault));
        buffer.Release();
        flight.DropBuffers();
        pool.AssertAllReturned();
    }

    private sealed class ThrowingOwner : ISegmentOwner
    {
        public void Ended(SegmentFlight flight) => throw new InvalidOperationException("planted");

        public long Now() => 0;
    }
}
