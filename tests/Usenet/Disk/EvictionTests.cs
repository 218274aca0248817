using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>Which file is evicted when room is needed.</summary>
public sealed class EvictionTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Files_watched_once_are_evicted_first_starting_with_the_oldest()
    {
        CacheSegment[] all = [Make(1, day: 1, isReused: true), Make(2, day: 3), Make(3, day: 2), Make(4, day: 4)];
        Assert.Equal(3u, Eviction.Pick(all, limit: 400)!.Number);
    }

    [Fact]
    public void Rewatched_files_are_evicted_when_they_leave_too_little_room_for_new_ones()
    {
        CacheSegment[] all = [
            Make(1, day: 1, isReused: true), Make(2, day: 2, isReused: true), Make(3, day: 3, isReused: true), Make(4, day: 4)];
        Assert.Equal(1u, Eviction.Pick(all, limit: 400)!.Number);
    }

    [Fact]
    public void Nothing_is_evicted_from_an_empty_cache() => Assert.Null(Eviction.Pick([], limit: 400));

    private static CacheSegment Make(uint number, int day, bool isReused = false) =>
        new(number, "", Start) { Size = 100, Used = Start.AddDays(day), IsReused = isReused };
}
