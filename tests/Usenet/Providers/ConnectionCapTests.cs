using NzbDav.Fakes;

namespace NzbDav.Usenet.Providers;

public sealed class ConnectionCapTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly ConnectionCap _cap;

    public ConnectionCapTests() => _cap = new ConnectionCap(20, _clock);

    [Fact]
    public void It_is_what_was_configured_until_a_refusal() => Assert.Equal(20, _cap.Limit);

    [Theory]
    [InlineData(12, 12)]
    [InlineData(0, 1)]
    [InlineData(99, 20)]
    public void A_refusal_teaches_how_many_were_open(int open, int limit)
    {
        _cap.Refused(open);
        Assert.Equal(limit, _cap.Limit);
    }

    [Fact]
    public void One_that_was_under_way_during_the_refusal_and_came_through_counts()
    {
        _cap.Refused(5);
        _cap.Allowed(6);
        _cap.Allowed(7);
        _cap.Allowed(3);
        Assert.Equal(7, _cap.Limit);
    }

    [Fact]
    public void One_more_is_tried_after_a_long_while_and_no_other_when_that_is_refused()
    {
        _cap.Refused(8);
        _clock.Advance(ConnectionCap.RetryAfter - TimeSpan.FromTicks(1));
        Assert.Equal(8, _cap.Limit);
        _clock.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(9, _cap.Limit);
        _cap.Refused(8);
        Assert.Equal(8, _cap.Limit);
        _clock.Advance(ConnectionCap.RetryAfter);
        Assert.Equal(9, _cap.Limit);
    }

    [Fact]
    public void When_one_more_is_allowed_the_next_follows_at_once()
    {
        _cap.Refused(1);
        _clock.Advance(ConnectionCap.RetryAfter);
        for (var open = 2; open <= 20; open++)
        {
            Assert.Equal(open, _cap.Limit);
            _cap.Allowed(open);
        }

        Assert.Equal(20, _cap.Limit);
    }

    [Fact]
    public void It_never_passes_what_was_configured()
    {
        _cap.Refused(19);
        _clock.Advance(ConnectionCap.RetryAfter);
        _cap.Allowed(20);
        _cap.Allowed(25);
        _clock.Advance(ConnectionCap.RetryAfter);
        Assert.Equal(20, _cap.Limit);
    }
}
