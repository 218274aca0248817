using NzbDav.Fakes;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class ConnectionCapTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly ConnectionCap _cap;

    public ConnectionCapTests() => _cap = new ConnectionCap(20, _clock);

    [Fact]
    public void The_limit_is_the_configured_one_until_a_refusal() => Assert.Equal(20, _cap.Limit);

    [Theory]
    [InlineData(12, 12)]
    [InlineData(0, 1)]
    [InlineData(99, 20)]
    public void A_refusal_sets_the_limit_to_the_open_connections(int open, int limit)
    {
        _cap.Refused(open);
        Assert.Equal(limit, _cap.Limit);
    }

    [Fact]
    public void A_connection_accepted_during_the_refusal_raises_the_limit()
    {
        _cap.Refused(5);
        _cap.Allowed(6);
        _cap.Allowed(7);
        _cap.Allowed(3);
        Assert.Equal(7, _cap.Limit);
    }

    [Fact]
    public void One_more_connection_is_tried_after_a_minute_and_no_other_if_it_is_refused()
    {
        _cap.Refused(8);
        _clock.Advance(ConnectionCap.FirstRetry - TimeSpan.FromTicks(1));
        Assert.Equal(8, _cap.Limit);
        _clock.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(9, _cap.Limit);
        _cap.Refused(8);
        Assert.Equal(8, _cap.Limit);
    }

    [Fact]
    public void Failing_retries_become_less_frequent()
    {
        _cap.Refused(8);
        foreach (var minutes in (int[])[1, 2, 4, 8, 16, 30, 30, 30])
        {
            _clock.Advance(TimeSpan.FromMinutes(minutes) - TimeSpan.FromTicks(1));
            Assert.Equal(8, _cap.Limit);
            _clock.Advance(TimeSpan.FromTicks(1));
            Assert.Equal(9, _cap.Limit);
            _cap.Refused(8);
        }
    }

    [Fact]
    public void Simultaneous_refusals_count_once()
    {
        for (var i = 0; i < 12; i++)
            _cap.Refused(8);
        _clock.Advance(ConnectionCap.FirstRetry);
        Assert.Equal(9, _cap.Limit);
    }

    [Fact]
    public void The_waits_are_short_again_after_an_accepted_connection()
    {
        _cap.Refused(8);
        for (var i = 0; i < 6; i++)
        {
            _clock.Advance(ConnectionCap.LongestRetry);
            _cap.Refused(8);
        }

        _clock.Advance(ConnectionCap.LongestRetry);
        _cap.Allowed(9);
        _cap.Refused(9);
        _clock.Advance(ConnectionCap.FirstRetry);
        Assert.Equal(10, _cap.Limit);
    }

    [Fact]
    public void After_an_accepted_connection_the_next_is_tried_at_once()
    {
        _cap.Refused(1);
        _clock.Advance(ConnectionCap.FirstRetry);
        for (var open = 2; open <= 20; open++)
        {
            Assert.Equal(open, _cap.Limit);
            _cap.Allowed(open);
        }

        Assert.Equal(20, _cap.Limit);
    }

    [Fact]
    public void No_limit_is_learned_while_the_server_still_counts_lost_connections()
    {
        Lose(19);
        _cap.Refused(1);
        Assert.Equal((20, 1), (_cap.Known, _cap.Limit));
    }

    [Fact]
    public void No_limit_is_learned_below_what_was_granted_at_once()
    {
        _cap.Allowed(15);
        Lose(2);
        _cap.Refused(1);
        Assert.Equal(15, _cap.Known);
    }

    [Fact]
    public void A_limit_of_all_open_and_lost_connections_is_still_learned()
    {
        _cap.Allowed(8);
        Lose(2);
        _cap.Refused(10);
        Assert.Equal((12, 10), (_cap.Known, _cap.Limit));
    }

    [Fact]
    public void Within_seconds_one_more_is_tried_while_lost_connections_are_still_counted()
    {
        _cap.Allowed(20);
        Lose(12);
        _cap.Refused(8);
        foreach (var seconds in (int[])[1, 2, 4, 8, 8, 8])
        {
            _clock.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromTicks(1));
            Assert.Equal(8, _cap.Limit);
            _clock.Advance(TimeSpan.FromTicks(1));
            Assert.Equal(9, _cap.Limit);
            _cap.Refused(8);
        }
    }

    [Fact]
    public void When_one_lost_connection_is_released_the_others_are_tried_at_once()
    {
        _cap.Allowed(20);
        Lose(12);
        _cap.Refused(8);
        _clock.Advance(ConnectionCap.FirstGhostRetry);
        for (var open = 9; open <= 20; open++)
        {
            Assert.Equal(open, _cap.Limit);
            _cap.Allowed(open);
        }

        Assert.Equal((20, 20), (_cap.Known, _cap.Limit));
    }

    [Fact]
    public void A_refusal_a_minute_after_the_last_loss_sets_the_limit()
    {
        _cap.Allowed(20);
        Lose(12);
        _cap.Refused(8);
        _clock.Advance(ConnectionCap.GhostLife);
        _cap.Refused(8);
        Assert.Equal((8, 8), (_cap.Known, _cap.Limit));
        _clock.Advance(ConnectionCap.FirstRetry);
        Assert.Equal(9, _cap.Limit);
    }

    [Fact]
    public void The_limit_never_exceeds_the_configured_one()
    {
        _cap.Refused(19);
        _clock.Advance(ConnectionCap.FirstRetry);
        _cap.Allowed(20);
        _cap.Allowed(25);
        _clock.Advance(ConnectionCap.FirstRetry);
        Assert.Equal(20, _cap.Limit);
    }

    private void Lose(int connections)
    {
        for (var i = 0; i < connections; i++)
            _cap.ConnectionLost();
    }
}
