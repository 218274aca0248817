using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>A timer whose callback throws.</summary>
public sealed class GuardedTimeTests
{
    [Fact]
    public async Task What_a_callback_throws_is_reported_and_the_timer_goes_on()
    {
        var clock = new ManualTimeProvider();
        var reported = new List<Exception>();
        var calls = 0;
        var time = new GuardedTime(clock, reported.Add);
        await using var timer = time.CreateTimer(
            passed =>
            {
                calls += (int)passed!;
                throw new InvalidOperationException("planted");
            },
            1, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((3, 3), (calls, reported.Count));
        Assert.All(reported, static fault => Assert.Equal("planted", fault.Message));
    }

    [Fact]
    public void It_shows_the_time_of_its_clock()
    {
        var clock = new ManualTimeProvider();
        var time = new GuardedTime(clock, static _ => { });
        clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(
            (clock.GetUtcNow(), clock.GetTimestamp(), clock.TimestampFrequency, clock.LocalTimeZone),
            (time.GetUtcNow(), time.GetTimestamp(), time.TimestampFrequency, time.LocalTimeZone));
    }
}
