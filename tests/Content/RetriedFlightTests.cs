using static NzbDav.Content.Tests.FlightFixture;

namespace NzbDav.Content.Tests;

/// <summary>A segment that is answered more than once. Readers go on only if the bytes that they saw come again.</summary>
public sealed class RetriedFlightTests : IDisposable
{
    private readonly FlightFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Bytes_never_lent_are_released_with_their_attempt()
    {
        _fixture.Segment.Answer(Wrong(0)).Show(5000).Withdraw();
        Assert.Equal(0, _fixture.Segments.Rented);
        Assert.Equal(0, _fixture.Segments.Budget.Reserved);
        Assert.Null(_fixture.Flight.TryLend(0, 1));
        _fixture.Segment.Complete();
        Assert.Equal(0, _fixture.Flight.Generation);
        _fixture.AssertLends(0, Size, Size);
    }

    [Fact]
    public void The_same_bytes_again_end_no_reader()
    {
        var first = _fixture.Segment.Answer(Wrong(5000)).Show(5000);
        _fixture.AssertLends(0, 5000, 5000);
        first.Withdraw();
        Assert.Null(_fixture.Flight.TryLend(0, 1));
        Assert.Equal(1, _fixture.Segments.Rented);
        _fixture.Segment.Complete();
        Assert.Equal(0, _fixture.Flight.Generation);
        Assert.Equal(1, _fixture.Segments.Rented);
        _fixture.AssertLends(0, Size, Size);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2500)]
    [InlineData(4999)]
    public void Bytes_that_differ_from_those_lent_change_the_generation(int wrongAt)
    {
        var first = _fixture.Segment.Answer(Wrong(wrongAt)).Show(6000);
        _fixture.Flight.TryLend(0, 5000)!.Dispose();
        first.Withdraw();
        _fixture.Segment.Complete();
        Assert.Equal((true, 1), (_fixture.Flight.IsFound, _fixture.Flight.Generation));
        _fixture.AssertLends(0, Size, Size);
    }

    [Fact]
    public void Wrong_bytes_that_were_never_lent_do_no_harm()
    {
        var first = _fixture.Segment.Answer(Wrong(5000)).Show(6000);
        _fixture.Flight.TryLend(1000, 4000)!.Dispose();
        first.Withdraw();
        _fixture.Segment.Complete();
        Assert.Equal(0, _fixture.Flight.Generation);
    }

    [Fact]
    public void A_faster_hedge_wins_and_the_late_answer_changes_nothing()
    {
        var slow = _fixture.Segment.Answer().Show(3000);
        _fixture.AssertLends(0, 3000, 3000);
        var fast = _fixture.Segment.Answer().Show(50_000);
        Assert.Null(_fixture.Flight.TryLend(3000, 1));
        Assert.True(fast.Complete("fast"));
        _fixture.AssertLends(3000, Size, Size - 3000);
        slow.Show(4000);
        Assert.False(slow.Complete("slow"));
        Assert.Equal(("fast", 0), (_fixture.Flight.Header, _fixture.Flight.Generation));
        Assert.Equal(1, _fixture.Segments.Rented);
    }

    [Fact]
    public void A_hedge_with_bytes_other_than_those_lent_changes_the_generation()
    {
        var slow = _fixture.Segment.Answer(Wrong(1)).Show(3000);
        _fixture.Flight.TryLend(0, 2)!.Dispose();
        _fixture.Segment.Complete();
        Assert.Equal(1, _fixture.Flight.Generation);
        slow.Withdraw();
        _fixture.AssertLends(0, Size, Size);
    }

    [Fact]
    public void A_failed_hedge_leaves_the_first_attempt_running()
    {
        var first = _fixture.Segment.Answer().Show(3000);
        _fixture.Segment.Answer(Wrong(0)).Show(7000).Withdraw();
        _fixture.AssertLends(0, 7000, 3000);
        Assert.True(first.Complete());
        Assert.Equal(0, _fixture.Flight.Generation);
    }

    [Fact]
    public void Two_withdrawn_attempts_are_compared_only_by_the_bytes_lent()
    {
        var first = _fixture.Segment.Answer(Wrong(9000)).Show(8000);
        _fixture.AssertLends(0, 8000, 8000);
        first.Withdraw();
        _fixture.Segment.Answer(Wrong(0)).Show(9000).Withdraw();
        Assert.Null(_fixture.Flight.TryLend(0, 1));
        _fixture.Segment.Complete();
        Assert.Equal(0, _fixture.Flight.Generation);
    }
}
