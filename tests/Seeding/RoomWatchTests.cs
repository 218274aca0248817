using NzbDav.Fakes;

namespace NzbDav.Seeding.Tests;

/// <summary>When torrents that wait for room on the disk go on.</summary>
public sealed class RoomWatchTests
{
    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Torrents_share_the_room_in_their_order_and_little_is_enough_for_what_lacks_little()
    {
        var watch = new RoomWatch(_clock);
        WaitingTorrent[] waiting = [new("a", 0, 1L << 40), new("b", 0, 1L << 40), new("c", 0, 1000)];
        Assert.Equal(["a", "c"], watch.Due(waiting, _ => RoomWatch.Enough + 1000));
        Assert.Empty(watch.Due([waiting[1]], _ => 1L << 40));
        _clock.Advance(RoomWatch.Pace);
        Assert.Equal(["b"], watch.Due([waiting[1]], _ => 1L << 40));
    }

    [Fact]
    public void One_that_gains_nothing_though_there_is_room_waits_twice_as_long_each_time_and_half_an_hour_at_most()
    {
        var watch = new RoomWatch(_clock);
        var tried = new List<int>();
        for (var minute = 0; minute <= 100; minute++)
        {
            if (watch.Due([new WaitingTorrent("a", 0, 1000)], _ => 1L << 40).Count > 0)
                tried.Add(minute);
            _clock.Advance(RoomWatch.Pace);
        }

        Assert.Equal([0, 2, 6, 14, 30, 60, 90], tried);
        Assert.Equal(["a"], watch.Due([new WaitingTorrent("a", 500, 500)], _ => 1L << 40));
    }
}
