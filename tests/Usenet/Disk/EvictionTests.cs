namespace NzbDav.Usenet.Disk;

/// <summary>Which file leaves when room is needed.</summary>
public sealed class EvictionTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void What_was_watched_once_leaves_first_the_oldest_before_others()
    {
        CacheSegment[] all = [Make(1, day: 1, isReused: true), Make(2, day: 3), Make(3, day: 2), Make(4, day: 4)];
        Assert.Equal(3u, Eviction.Pick(all, limit: 400)!.Number);
    }

    [Fact]
    public void What_was_watched_again_leaves_when_it_leaves_too_little_for_what_is_new()
    {
        CacheSegment[] all = [Make(1, day: 1, isReused: true), Make(2, day: 2, isReused: true), Make(3, day: 3, isReused: true), Make(4, day: 4)];
        Assert.Equal(1u, Eviction.Pick(all, limit: 400)!.Number);
    }

    [Fact]
    public void Nothing_is_picked_of_nothing() => Assert.Null(Eviction.Pick([], limit: 400));

    private static CacheSegment Make(uint number, int day, bool isReused = false) => new(number, "", Start) { Size = 100, Used = Start.AddDays(day), IsReused = isReused };
}
