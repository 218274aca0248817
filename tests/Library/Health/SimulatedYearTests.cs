using System.Diagnostics;
using NzbDav.Catalog.Health;
using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>
/// A year of a library of 400 jobs with three accounts, of which one takes posts down, one denies everything for three days, and one does
/// not answer for a week.
/// </summary>
public sealed class SimulatedYearTests(ITestOutputHelper output)
{
    private const int Jobs = 400;
    private const int Quota = 600;
    private const int Replacements = 10_000;
    private const int LieDay = 120;
    private const int AwayDay = 200;
    private const int BurstDay = 260;

    [Fact]
    public async Task In_a_year_no_playable_post_is_removed_and_dead_ones_are_found_in_time_within_the_quota()
    {
        var watch = Stopwatch.StartNew();
        await using var fixture = await HealthFixture.OpenAsync(inMemory: true);
        fixture.Options.Value = fixture.Options.Value with { StatsPerDay = Quota, RemovalsPerDay = 1 };
        var start = fixture.Now;
        Plan(fixture, start);
        var removed = new List<int>();
        var (shown, braked) = (Enumerable.Range(0, Jobs).ToHashSet(), 0);
        var hiddenToday = new Dictionary<DateOnly, int>();

        for (var day = 0; day < 365; day++)
        {
            // Half of the jobs exist at the start; the others are added in the first hundred days.
            for (var job = 0; job < Jobs; job++)
            {
                if (day == (job < Jobs / 2 ? 0 : (job - (Jobs / 2)) * 200 / Jobs))
                    await fixture.AddAsync(job);
            }

            Set(fixture.News.Denying, "Bravo", day is >= LieDay and < LieDay + 3);
            Set(fixture.News.Away, "Charlie", day is >= AwayDay and < AwayDay + 7);
            for (var step = 0; step < 2; step++)
            {
                fixture.Library.Time.Advance(TimeSpan.FromHours(12));

                // Replacements that an *arr finds a day after the request.
                foreach (var (job, asked) in fixture.Searched)
                {
                    if (asked < fixture.Now - TimeSpan.FromDays(1) && fixture.Replacement.TryGetValue(job, out var other)
                        && !fixture.HasItem(other))
                        await fixture.AddAsync(other);
                }

                await fixture.Runner.RunAsync(CancellationToken.None);
                await WatchAsync(fixture, shown, removed, hiddenToday);
                if ((await fixture.Store.StateAsync(CancellationToken.None)).Braked is not null)
                {
                    braked++;
                    Assert.InRange(hiddenToday.GetValueOrDefault(DateOnly.FromDateTime(fixture.Now.UtcDateTime)), 0,
                        fixture.Options.Value.RemovalsPerDay);

                    // The user confirms at noon.
                    if (step == 0)
                        await fixture.Desk.AllowRemovalsAsync(CancellationToken.None);
                }
            }
        }

        await AssertFoundAsync(fixture, start);
        foreach (var (day, stats) in fixture.News.Stats)
            Assert.True(stats <= Quota, $"{day}: {stats} STATs");
        for (var job = 0; job < Jobs; job++)
        {
            if (!fixture.News.IsAlive(job))
                continue;
            Assert.DoesNotContain(job, removed);
            var post = await fixture.PostAsync(job);
            Assert.True(post.Hidden is null && post.Verdict is HealthVerdict.Healthy or HealthVerdict.Repaired or HealthVerdict.Suspect,
                $"{job}: {post.Verdict} {post.Stage}, {post.Reason}");
        }

        Assert.True(braked > 0, "the limit was never reached");
        Assert.NotEmpty(removed);
        var events = await fixture.Store.EventsAsync(null, 100_000, CancellationToken.None);
        Assert.Contains(events, one => one.Kind == HealthEventKind.Doubted && one.Name == "Bravo");
        Assert.Contains(events, one => one.Kind == HealthEventKind.Trusted && one.Name == "Bravo");
        output.WriteLine(
            $"{fixture.News.Stats.Values.Sum():N0} STATs, most on a day {fixture.News.Stats.Values.Max():N0} of {Quota:N0}; " +
            $"{fixture.News.Bodies:N0} articles fetched; removed {removed.Count}; {braked} looks with the brake on");
        foreach (var group in events.GroupBy(one => one.Kind).OrderBy(group => group.Key))
            output.WriteLine($"{group.Key}: {group.Count():N0}");
        foreach (var (verdict, count) in await fixture.Store.CountAsync(CancellationToken.None))
            output.WriteLine($"{verdict}: {count:N0} posts");
        output.WriteLine($"{watch.Elapsed.TotalSeconds:0.0} s");
    }

    private static void Plan(HealthFixture fixture, DateTimeOffset start)
    {
        var random = new Random(18);
        for (var job = 0; job < Jobs; job++)
        {
            if (job % 10 == 1)
                fixture.News.Only[job] = "Bravo";
            else if (job % 10 == 2)
                fixture.News.Only[job] = "Charlie";

            // Alpha takes down one post in five, which the others have; for one in twelve the others lose it as well.
            var at = start + TimeSpan.FromDays(random.Next(110, 350)) + TimeSpan.FromHours(random.Next(24));
            if (job % 25 == 7)
                at = start + TimeSpan.FromDays(BurstDay);
            if (job % 5 == 0 || job % 12 == 3 || job % 25 == 7)
                fixture.News.TakeDown(job, "Alpha", at);
            if (job % 12 == 3 || job % 25 == 7)
            {
                fixture.News.TakeDown(job, "Bravo", at + TimeSpan.FromHours(random.Next(48)));
                fixture.News.TakeDown(job, "Charlie", at + TimeSpan.FromHours(random.Next(48)));
                if (job % 3 == 0 && job % 4 == 3)
                    fixture.Replacement[job] = Replacements + job;
                if (job % 25 == 7)
                    fixture.Replacement[job] = Replacements + job;
                else if (job % 7 == 0)
                    fixture.Mendable.Add(job);
            }
        }
    }

    private static void Set(HashSet<string> accounts, string name, bool on)
    {
        if (on)
            accounts.Add(name);
        else
            accounts.Remove(name);
    }

    /// <summary>Asserts that a post that is no longer shown was dead and that its replacement plays.</summary>
    private static async Task WatchAsync(HealthFixture fixture, HashSet<int> shown, List<int> removed, Dictionary<DateOnly, int> today)
    {
        foreach (var item in fixture.Library.Unwanted.Hidden)
        {
            var job = fixture.JobOf(item);
            if (!shown.Remove(job))
                continue;
            removed.Add(job);
            var day = DateOnly.FromDateTime(fixture.Now.UtcDateTime);
            today[day] = today.GetValueOrDefault(day) + 1;
            Assert.False(fixture.News.IsAlive(job), $"{job} was hidden and plays");
            Assert.True(fixture.News.IsAlive(fixture.Replacement[job]), $"{job} was hidden and its replacement does not play");
        }

        if (!fixture.TakeRemovals())
            return;

        // One reading of them all: a year has a deletion every other day.
        var stored = new HashSet<long>();
        var category = await fixture.Library.Tree.ResolveAsync(["content", "tv"], CancellationToken.None);
        await foreach (var item in fixture.Library.Tree.ListAsync(category!.Id, after: null, CancellationToken.None))
            stored.Add(item.Id);
        foreach (var job in shown.Where(job => job < Jobs && fixture.HasItem(job)))
            Assert.True(stored.Contains(fixture.ItemOf(job)), $"{job} was deleted without having been hidden");
    }

    private async Task AssertFoundAsync(HealthFixture fixture, DateTimeOffset start)
    {
        var all = await fixture.Store.EventsAsync(null, 100_000, CancellationToken.None);
        var events = all.Where(one => one.Kind == HealthEventKind.Confirmed).GroupBy(one => one.ItemId!.Value)
            .ToDictionary(group => group.Key, group => group.Min(one => one.At));
        var doubts = all.Where(one => one.Kind == HealthEventKind.Doubted)
            .Select(one => (From: one.At, To: all.Where(other => other.Kind == HealthEventKind.Trusted && other.Name == one.Name
                && other.At > one.At).Min(other => other.At))).ToArray();
        var promise = CheckSchedule.Promise(Jobs + fixture.Searched.Count, Quota);
        var days = new List<double>();
        for (var job = 0; job < Jobs; job++)
        {
            if (fixture.News.DeadSince(job) is not { } dead)
            {
                Assert.False(events.ContainsKey(fixture.ItemOf(job)), $"{job} plays and was confirmed missing");
                continue;
            }

            // Adds the days on which an account gives no answer that counts, plus the time until it is asked again.
            var allowed = promise + (Overlaps(dead, promise, start.AddDays(AwayDay), 7) ? TimeSpan.FromDays(8) : default);
            foreach (var (from, to) in doubts)
                allowed += Overlaps(dead, promise, from, (to - from).TotalDays) ? to - from + CheckSchedule.Retry : default;
            if (dead + allowed > fixture.Now)
                continue;
            Assert.True(events.TryGetValue(fixture.ItemOf(job), out var found), $"{job} is dead since {dead} and was never confirmed");
            days.Add((found - dead).TotalDays);
            Assert.True(found - dead <= allowed, $"{job} was confirmed after {(found - dead).TotalDays:0.0} days");
            Assert.True(found - dead >= CheckSchedule.Between - TimeSpan.FromDays(2), $"{job} was confirmed too early");
        }

        days.Sort();
        output.WriteLine(
            $"{days.Count} dead posts confirmed after {days.Average():0.0} days on average, {days[days.Count / 2]:0.0} in the middle, " +
            $"{days[^1]:0.0} at most; promised within {promise.TotalDays:0} days");
        Assert.True(days.Count > Jobs * 3 / 40, $"only {days.Count} dead posts");
    }

    private static bool Overlaps(DateTimeOffset dead, TimeSpan promise, DateTimeOffset from, double days) =>
        dead < from.AddDays(days) && from < dead + promise;
}
