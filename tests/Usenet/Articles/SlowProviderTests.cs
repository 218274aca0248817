using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Two providers of equal priority, one of which takes twenty times as long over an article as the other.</summary>
public sealed partial class SlowProviderTests
{
    private const int Article = 100_000;

    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task Urgent_articles_wait_for_a_place_at_the_faster_provider()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        var flights = FlyMany(fixture, fast.Connection.Depth + 3);
        Assert.Equal(3, fixture.Dispatcher.Queued);
        Assert.Equal(fast.Connection.Depth, fast.Asked.Length - 1);
        await AnswerAllAsync(fixture, fast);
        Assert.Single(slow.Asked);
        foreach (var flight in flights)
            fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_slow_provider_gets_articles_that_the_others_would_not_deliver_sooner()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);

        // In its two seconds the other brings twenty articles: two that it carries, and eighteen of those that wait.
        FlyMany(fixture, 20);
        Assert.Single(slow.Asked);
        FlyMany(fixture, 20, "later");
        Assert.Equal(["slow", "later0"], slow.Asked);
        Assert.Equal(18 + 19, fixture.Dispatcher.Queued);
        FlyMany(fixture, 1, "last");
        Assert.Equal(2, slow.Asked.Length);
        await AnswerAllAsync(fixture, fast, slow);
    }

    [Fact]
    public async Task An_article_missing_at_the_faster_provider_does_not_wait_for_it()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        var flight = fixture.Fly("missing", size: Article);
        FlyMany(fixture, 5);
        fast.Say("430 no");
        await slow.WhenAskedAsync(2);
        Assert.Equal(["slow", "missing"], slow.Asked);
        await AnswerAllAsync(fixture, fast, slow);
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_slow_provider_carries_everything_when_the_faster_one_is_gone()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        var flights = FlyMany(fixture, 6);
        Assert.Single(slow.Asked);
        fast.Break();
        await fast.Run;
        fast.Employed.End();
        await slow.WhenAskedAsync(2);
        await AnswerAllAsync(fixture, slow);
        Assert.Equal(1 + 6, slow.Asked.Length);
        foreach (var flight in flights)
            fixture.AssertFound(flight);
    }

    [Fact]
    public async Task Articles_that_a_reader_waits_for_are_never_trials()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        fixture.Clock.Advance(TimeSpan.FromSeconds(10));
        FlyMany(fixture, 2);
        var flight = fixture.Fly("waiting", FetchPriority.Next, Article);
        Assert.Single(slow.Asked);
        Assert.Equal(1, fixture.Dispatcher.Queued);
        await AnswerAllAsync(fixture, fast);
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_new_provider_counts_as_slow_once_no_article_has_completed_for_long()
    {
        await using var fixture = new DispatchFixture(static options => options, static options => options with { Weight = 100 });
        var fast = fixture.Connect(0);
        await FetchAsync(fixture, fast, fast, "fast", Short);
        var (first, second) = (fixture.Connect(1), fixture.Connect(1));
        var flights = new[] { fixture.Fly("a", FetchPriority.Waiting, Article), fixture.Fly("b", size: Article) };
        Assert.Equal((1, 1), (first.Asked.Length, second.Asked.Length));

        // Bytes trickle: nobody is silent. Four times the hundred milliseconds are slow, and what is slow is asked of the other.
        for (var i = 0; i < 8; i++)
        {
            Assert.False(fixture.Provider(1).Pace.IsSlow);
            Assert.Single(fast.Asked);
            first.Trickle(i);
            second.Trickle(i);
            await Task.WhenAll(first.WhenDrainedAsync(), second.WhenDrainedAsync());
            fixture.Clock.Advance(Tick);
        }

        fixture.Clock.Advance(Tick);
        Assert.True(fixture.Provider(1).Pace.IsSlow);

        // What a reader will come to next as well: else he would wait for each as long.
        Assert.Equal(["fast", "a", "b"], fast.Asked);
        fast.Send("a", Article);
        fast.Send("b", Article);
        await Task.WhenAll(flights.Select(flight => flight.WhenEnded()));
        Assert.All(flights, fixture.AssertFound);
        first.Break();
        second.Break();
        await Task.WhenAll(first.Run, second.Run);
    }

    [Fact]
    public async Task An_article_deliberately_given_to_a_slow_provider_is_not_requested_elsewhere()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        FlyMany(fixture, 40);
        Assert.Equal(2, slow.Asked.Length);
        var left = slow.Asked[1];
        var flight = fixture.Fly("waiting", FetchPriority.Waiting, Article);
        for (var i = 0; i < 8; i++)
            await fixture.TrickleAsync(slow, i, Tick);
        Assert.DoesNotContain(left, fast.Asked);
        slow.Break();
        await slow.Run;
        await AnswerAllAsync(fixture, fast);
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task The_first_requests_try_every_provider()
    {
        await using var fixture = new DispatchFixture(0, 0);
        DispatchFixture.Line[] lines = [
            fixture.Connect(0), fixture.Connect(0), fixture.Connect(0), fixture.Connect(1), fixture.Connect(1), fixture.Connect(1)];
        var flights = FlyMany(fixture, 3);
        Assert.Equal((1, 2), (lines[..3].Sum(line => line.Asked.Length), lines[3..].Sum(line => line.Asked.Length)));
        await AnswerAllAsync(fixture, lines);
        Assert.All(flights, fixture.AssertFound);
    }

    [Fact]
    public async Task A_late_article_is_requested_from_an_untried_provider()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (first, second) = (fixture.Connect(0), fixture.Connect(0));
        var flight = fixture.Fly("a", FetchPriority.Waiting, Article);
        var untried = fixture.Connect(1);
        var (asked, idle) = first.Asked.Length == 1 ? (first, second) : (second, first);
        for (var i = 0; i < 5; i++)
        {
            Assert.Empty(untried.Asked);
            await fixture.TrickleAsync(asked, i, Tick);
        }

        await fixture.TrickleAsync(asked, 5, Tick);
        Assert.Equal(["a"], untried.Asked);
        Assert.Empty(idle.Asked);
        untried.Send("a", Article);
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        asked.Break();
        await asked.Run;
    }

    [Fact]
    public async Task One_late_article_makes_an_untried_provider_slow()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var fast = fixture.Connect(0);
        await FetchAsync(fixture, fast, fast, "fast", Short);
        var unknown = fixture.Connect(1);
        var flight = fixture.Fly("a", FetchPriority.Waiting, Article);
        Assert.Equal(["a"], unknown.Asked);
        for (var i = 0; i < 9; i++)
            await fixture.TrickleAsync(unknown, i, Tick);
        Assert.True(fixture.Provider(1).Pace.IsSlow);
        Assert.Equal(["fast", "a"], fast.Asked);
        fast.Send("a", Article);
        await flight.WhenEnded();

        // The longer it takes, the slower it is: another reader waits somewhere.
        var before = fixture.Provider(1).Pace.BytesPerSecond;
        var other = fixture.Fly("b", FetchPriority.Waiting, Article);
        Assert.Equal(["fast", "a", "b"], fast.Asked);
        for (var i = 9; i < 13; i++)
            await fixture.TrickleAsync(unknown, i, Tick);
        Assert.True(fixture.Provider(1).Pace.BytesPerSecond < before * 0.8);
        fast.Send("b", Article);
        await other.WhenEnded();
        unknown.Break();
        await unknown.Run;
    }

    [Fact]
    public async Task When_every_connection_waits_no_provider_is_called_slow()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var lines = new[] { fixture.Connect(0), fixture.Connect(0) };
        await FetchAsync(fixture, lines[0], lines[1], "first", Short);
        lines = [.. lines, fixture.Connect(1), fixture.Connect(1)];
        await FetchAsync(fixture, lines[2], lines[3], "second", Short);
        FlyMany(fixture, 3);
        fixture.Fly("waiting", FetchPriority.Waiting, Article);
        Assert.Equal(2 + 4, lines.Sum(line => line.Asked.Length));
        for (var i = 0; i < 20; i++)
            fixture.Clock.Advance(Tick);
        Assert.False(fixture.Provider(0).Pace.IsSlow || fixture.Provider(1).Pace.IsSlow);
        await AnswerAllAsync(fixture, lines);
    }

    [Fact]
    public async Task An_answer_within_a_fifth_of_a_second_is_never_slow()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, second) = await LearnAsync(fixture, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(150));
        Assert.False(fixture.Provider(1).Pace.IsSlow);
        FlyMany(fixture, 4);
        Assert.Equal((3, 3), (fast.Asked.Length, second.Asked.Length));
        await AnswerAllAsync(fixture, fast, second);
    }

    private static async Task<(DispatchFixture.Line Fast, DispatchFixture.Line Slow)> LearnAsync(
        DispatchFixture fixture, TimeSpan? fastTime = null, TimeSpan? slowTime = null)
    {
        var fast = fixture.Connect(0);
        await FetchAsync(fixture, fast, fast, "fast", fastTime ?? Short);
        var slow = fixture.Connect(1);
        await FetchAsync(fixture, slow, slow, "slow", slowTime ?? Long);
        return (fast, slow);
    }

    /// <summary>Lets an article take so long on one of two connections.</summary>
    private static async Task FetchAsync(
        DispatchFixture fixture, DispatchFixture.Line one, DispatchFixture.Line other, string id, TimeSpan time)
    {
        var flight = fixture.Fly(id, size: Article);
        var line = one.Asked.Length == 1 ? one : other;
        Assert.Equal([id], line.Asked);
        line.Begin(id, Article);
        await flight.WhenMore(0);
        fixture.Clock.Advance(time);
        line.SendRest(id, Article);
        await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    private static SegmentFlight[] FlyMany(DispatchFixture fixture, int count, string prefix = "") =>
        [.. Enumerable.Range(0, count).Select(i => fixture.Fly($"{prefix}{i}", size: Article))];

    /// <summary>Sends what was asked for and has not come, until nothing is left.</summary>
    private static Task AnswerAllAsync(DispatchFixture fixture, params DispatchFixture.Line[] lines) => AnswerAllAsync(fixture, [], lines);

    /// <summary>The same but for what others carry and keep.</summary>
    private static async Task AnswerAllAsync(DispatchFixture fixture, string[] kept, params DispatchFixture.Line[] lines)
    {
        while (lines.Any(static line => line.Carrier.InFlight > 0) || fixture.Dispatcher.OnWire + fixture.Dispatcher.Queued > kept.Length)
        {
            Assert.True(Array.Exists(lines, static line => line.Carrier.InFlight > 0),
                $"{fixture.Dispatcher.OnWire} on the wire elsewhere, {fixture.Dispatcher.Queued} queued");
            foreach (var line in lines)
            {
                if (line.Carrier.InFlight == 0)
                    continue;

                // What it carries may not be on the wire yet.
                var next = line.Carrier.Requests[0].MessageId;
                await Until.TrueAsync(() => line.Asked.Contains(next));
                fixture.Clock.Advance(TimeSpan.FromMilliseconds(10));
                line.Send(next, Article);
                await line.WhenDrainedAsync();
            }
        }
    }
}
