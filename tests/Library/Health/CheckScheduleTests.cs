using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>When posts are checked, and which of their articles.</summary>
public sealed class CheckScheduleTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void A_new_post_is_checked_after_1_3_7_14_and_30_days_and_then_every_30()
    {
        var days = new List<double>();
        var (now, checks) = (Start, 0);
        while (days.Count < 8)
        {
            now = CheckSchedule.Next(17, checks++, Start, now, TimeSpan.FromDays(30));
            days.Add((now - Start).TotalDays);
        }

        foreach (var (day, mark) in days.Zip((double[])[1, 3, 7, 14, 30]))
            Assert.InRange(day, 0.85 * mark, mark);
        for (var i = 5; i < days.Count; i++)
            Assert.InRange(days[i] - days[i - 1], 25.5, 30);
    }

    [Fact]
    public void Checks_of_50_000_old_posts_are_spread_over_the_interval()
    {
        var longest = CheckSchedule.Longest(50_000, 20_000);
        Assert.Equal(50, longest.TotalDays);
        var perHour = new int[50 * 24];
        for (long id = 0; id < 50_000; id++)
            perHour[(int)(CheckSchedule.First(id * 4096, Start.AddYears(-1), Start, longest) - Start).TotalHours]++;
        Assert.InRange(perHour.Max(), 1, 90);
        Assert.InRange(perHour.Min(), 10, 42);
    }

    [Fact]
    public void Checks_cover_every_article_within_the_time_shown_on_the_page()
    {
        const int Articles = 5_000;
        var most = CheckSchedule.ArticlesAt(TimeSpan.FromDays(30), 500, 20_000);
        var asked = new HashSet<int>();
        var (place, checks) = (0, 0);
        while (asked.Count < Articles)
        {
            var plan = CheckPlan.Make(Articles, most, place, checks++);
            Assert.InRange(plan.Articles.Count, most / 2, most);
            asked.UnionWith(plan.Articles);
            place = plan.Place;
        }

        Assert.True(checks * 30 <= CheckSchedule.Sweep(500, 500L * Articles, 20_000).TotalDays, $"{checks} checks");
    }

    [Fact]
    public void The_checks_of_all_posts_fit_the_planned_quota()
    {
        foreach (var posts in (int[])[1, 100, 2_000, 30_000, 500_000])
        {
            var longest = CheckSchedule.Longest(posts, 20_000);
            Assert.InRange(posts * CheckSchedule.ArticlesAt(longest, posts, 20_000) / longest.TotalDays, 0, 20_000 * CheckSchedule.Planned);
        }
    }
}
