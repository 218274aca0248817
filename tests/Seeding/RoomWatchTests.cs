using NzbDav.Fakes;

namespace NzbDav.Seeding.Tests;

/// <summary>When torrents waiting for disk space resume.</summary>
public sealed class RoomWatchTests
{
    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Disk_space_goes_to_torrents_in_order_and_a_small_remainder_needs_little()
    {
        var watch = new RoomWatch(_clock);
        WaitingTorrent[] waiting = [new("a", 0, 1L << 40), new("b", 0, 1L << 40), new("c", 0, 1000)];
        Assert.Equal(["a", "c"], watch.Due(waiting, _ => RoomWatch.Enough + 1000));
        Assert.Empty(watch.Due([waiting[1]], _ => 1L << 40));
        _clock.Advance(RoomWatch.Pace);
        Assert.Equal(["b"], watch.Due([waiting[1]], _ => 1L << 40));
    }

    [Fact]
    public void Without_progress_the_wait_doubles_up_to_half_an_hour()
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
