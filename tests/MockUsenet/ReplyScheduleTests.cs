using NzbDav.MockUsenet.Pacing;

namespace NzbDav.MockUsenet.Tests;

public sealed class ReplyScheduleTests
{
    [Fact]
    public void Pipelined_commands_overlap_their_latency()
    {
        var schedule = new ReplySchedule(1);
        Assert.Equal(1_050, schedule.Next(1_000, 50, 0));
        Assert.Equal(1_050, schedule.Next(1_000, 50, 0));
        Assert.Equal(1_055, schedule.Next(1_005, 50, 0));
    }

    [Fact]
    public void Serial_commands_each_take_the_latency()
    {
        var schedule = new ReplySchedule(1);
        long now = 0;
        for (var i = 0; i < 10; i++)
            now = schedule.Next(now, 50, 0);
        Assert.Equal(500, now);
    }

    [Fact]
    public void Jitter_goes_both_ways_and_never_lets_a_reply_overtake()
    {
        var schedule = new ReplySchedule(1);
        var trips = new List<long>();
        long last = 0;
        for (long arrival = 0; arrival < 1_000_000; arrival += 1_000)
        {
            var due = schedule.Next(arrival, 500, 100);
            Assert.True(due >= last);
            last = due;
            trips.Add(due - arrival);
        }

        Assert.InRange(trips.Min(), 400, 420);
        Assert.InRange(trips.Max(), 580, 600);
        Assert.InRange(trips.Average(), 490, 510);

        for (var i = 0; i < 100; i++)
        {
            var due = schedule.Next(1_000_000, 500, 100);
            Assert.True(due >= last);
            last = due;
        }
    }

    [Fact]
    public void A_trip_is_never_negative_and_the_seed_decides_it()
    {
        var one = new ReplySchedule(5);
        var two = new ReplySchedule(5);
        for (long arrival = 0; arrival < 100_000; arrival += 1_000)
        {
            var due = one.Next(arrival, 10, 500);
            Assert.InRange(due, arrival, arrival + 510);
            Assert.Equal(due, two.Next(arrival, 10, 500));
        }
    }

    [Fact]
    public void A_change_of_latency_applies_from_the_next_command()
    {
        var schedule = new ReplySchedule(1);
        Assert.Equal(1_000, schedule.Next(0, 1_000, 0));
        Assert.Equal(1_000, schedule.Next(10, 5, 0));
        Assert.Equal(1_005, schedule.Next(1_000, 5, 0));
    }
}
