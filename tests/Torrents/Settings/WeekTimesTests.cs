using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Settings;

public sealed class WeekTimesTests
{
    /// <summary>A Monday.</summary>
    private static readonly DateTime Monday = new(2030, 1, 7, 0, 0, 0, DateTimeKind.Unspecified);

    [Theory]
    [InlineData("mon-fri 08:00-18:00", 0, 8, 0, true)]
    [InlineData("mon-fri 08:00-18:00", 0, 7, 59, false)]
    [InlineData("mon-fri 08:00-18:00", 4, 17, 59, true)]
    [InlineData("mon-fri 08:00-18:00", 4, 18, 0, false)]
    [InlineData("mon-fri 08:00-18:00", 5, 12, 0, false)]
    [InlineData("22:00-6:00", 0, 23, 0, true)]
    [InlineData("22:00-6:00", 3, 5, 59, true)]
    [InlineData("22:00-6:00", 3, 6, 0, false)]
    [InlineData("sun 22:00-06:00", 0, 5, 0, true)]
    [InlineData("sun 22:00-06:00", 6, 5, 0, false)]
    [InlineData("Sat-Mon 00:00-24:00", 0, 23, 59, true)]
    [InlineData("sat-mon 00:00-24:00", 1, 0, 0, false)]
    [InlineData("sat-mon 00:00-24:00", 5, 0, 0, true)]
    public void A_time_is_inside_the_named_days_and_hours(string text, int day, int hour, int minute, bool expected) =>
        Assert.Equal(expected, WeekTimes.Parse([text])!.Contains(Monday.AddDays(day).AddHours(hour).AddMinutes(minute)));

    [Theory]
    [InlineData("")]
    [InlineData("mon")]
    [InlineData("mon 08:00")]
    [InlineData("mon 08:00-08:00")]
    [InlineData("mon 24:00-08:00")]
    [InlineData("mon 08:00-25:00")]
    [InlineData("mon-tue-wed 08:00-18:00")]
    [InlineData("monday 08:00-18:00")]
    [InlineData("mon 08.00-18.00")]
    public void Invalid_times_are_refused(string text) => Assert.Null(WeekTimes.Parse(["mon 08:00-18:00", text]));

    [Fact]
    public void An_empty_schedule_never_applies()
    {
        Assert.True(WeekTimes.Parse([])!.IsEmpty);
        Assert.False(WeekTimes.None.Contains(Monday));
        Assert.Equal(WeekTimes.Parse(["mon 08:00-18:00"]), WeekTimes.Parse(["MON 8:00-18:00"]));
        Assert.NotEqual(WeekTimes.Parse(["mon 08:00-18:00"]), WeekTimes.None);
    }
}
