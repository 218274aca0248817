using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>An article that is slow because the line is: asking for it twice would make it slower.</summary>
public sealed class SlowLineTests
{
    private const int Article = 100_000;

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(200);

    [Fact]
    public async Task An_articles_time_limit_starts_when_it_is_next_on_its_connection()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        fixture.Fly("first");
        var flight = fixture.Fly("second", FetchPriority.Waiting);
        Assert.Equal(["first", "second"], line.Asked);
        var other = fixture.Connect();
        for (var part = 0; part < 6; part++)
            await FeedAsync(fixture, line, "first", (part * 10)..((part + 1) * 10));
        await FeedAsync(fixture, line, "first", 60..);
        for (var part = 0; part < 7; part++)
            await FeedAsync(fixture, line, "second", (part * 10)..((part + 1) * 10));
        Assert.Empty(other.Asked);
        await FeedAsync(fixture, line, "second", 70..80);
        Assert.Equal(["second"], other.Asked);
        other.Send("second");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        line.SendPart("second", 80..);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task A_request_behind_a_late_article_is_late_too()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        fixture.Fly("first");
        var flight = fixture.Fly("second", FetchPriority.Waiting);
        Assert.Equal(["first", "second"], line.Asked);
        var other = fixture.Connect();
        for (var part = 0; part < 8; part++)
        {
            Assert.Empty(other.Asked);
            await FeedAsync(fixture, line, "first", (part * 10)..((part + 1) * 10));
        }

        Assert.Equal(["second"], other.Asked);
        other.Send("second");
        await flight.WhenEnded();
        line.SendPart("first", 80..);
        line.Send("second");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task An_article_may_take_three_times_as_long_as_others_on_the_line()
    {
        await using var fixture = new DispatchFixture(0);
        var (first, second) = (fixture.Connect(), fixture.Connect());
        await FetchInASecondAsync(fixture, first, second);
        var flight = fixture.Fly("slow", FetchPriority.Waiting);
        fixture.Fly("beside");
        var (slow, beside) = first.Asked[^1] == "slow" ? (first, second) : (second, first);
        Assert.Equal("beside", beside.Asked[^1]);
        var other = fixture.Connect();

        // Two share a line that carries an article a second: each takes two. The silences are shorter than half of that.
        for (var part = 0; part < 7; part++)
        {
            await FeedAsync(fixture, beside, "beside", (part * 10)..((part + 1) * 10), TimeSpan.Zero);
            await FeedAsync(fixture, slow, "slow", (part * 10)..((part + 1) * 10), TimeSpan.FromMilliseconds(850));
            Assert.Empty(other.Asked);
        }

        // Six seconds and the round trip, which was measured when the answer to the second began with its second part.
        await FeedAsync(fixture, slow, "slow", 70..80, TimeSpan.FromSeconds(1));
        Assert.Equal(["slow"], other.Asked);
        other.Send("slow");
        await flight.WhenEnded();
        slow.SendPart("slow", 80..);
        beside.SendPart("beside", 70..);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task On_a_line_with_two_seconds_per_article_one_second_is_no_silence()
    {
        await using var fixture = new DispatchFixture(0);
        var (first, second) = (fixture.Connect(), fixture.Connect());
        await FetchInASecondAsync(fixture, first, second);
        var flight = fixture.Fly("slow", FetchPriority.Waiting);
        fixture.Fly("beside");
        var other = fixture.Connect();
        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(["slow"], other.Asked);
        other.Send("slow");
        await flight.WhenEnded();
        foreach (var line in new[] { first, second })
            line.Send(line.Asked[^1]);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task An_article_held_by_the_speed_limit_is_neither_silent_nor_slow()
    {
        await using var fixture = new DispatchFixture(0);
        fixture.Limit.BytesPerSecond = 100;
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        var other = fixture.Connect();
        var bytes = Nntp.ConnectionFixture.Body("a", 300).Length;
        for (var at = 0; at < bytes; at += 50)
        {
            // Each part is half a second of the limit, all of them are far more than any time limit.
            line.SendPart("a", at..Math.Min(at + 50, bytes));
            await fixture.Clock.WhenArmedAsync(2);
            for (var waited = 0; waited < 10 && fixture.Clock.ArmedTimers == 2; waited++)
                fixture.Clock.Advance(TimeSpan.FromMilliseconds(50));
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers < 2);
            Assert.Empty(other.Asked);
        }

        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000_000)]
    public async Task A_changed_speed_limit_ends_the_wait_for_the_old_one(long changed)
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        var other = fixture.Connect();
        line.SendPart("a", ..20);
        await line.WhenDrainedAsync();
        fixture.Limit.BytesPerSecond = 1;
        line.SendPart("a", 20..50);
        await fixture.Clock.WhenArmedAsync(2);
        fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        fixture.Limit.BytesPerSecond = changed;
        await line.WhenDrainedAsync();

        // What it waited for does not count as silence, what follows does.
        var now = fixture.Clock.GetTimestamp();
        Assert.Equal((now, now), (line.Connection.LastActivity, line.Connection.HeadSince));
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        line.SendPart("a", 50..);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_connection_that_is_closed_does_not_wait_for_the_speed_limit(bool before)
    {
        await using var fixture = new DispatchFixture(0);
        fixture.Limit.BytesPerSecond = 1;
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        if (before)
            line.Connection.GiveUp("it is no longer needed");
        line.SendPart("a", ..50);
        if (!before)
        {
            await fixture.Clock.WhenArmedAsync(2);
            line.Connection.GiveUp("it is no longer needed");
        }

        line.Break();
        try
        {
            await Until.TrueAsync(() => line.Run.IsCompleted);
        }
        finally
        {
            fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        }

        line.Employed.End();
        var other = fixture.Connect();
        await other.WhenAskedAsync(1);
        fixture.Limit.BytesPerSecond = 0;
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task Answers_to_STAT_do_not_count_as_a_measurement_of_the_line()
    {
        await using var fixture = new DispatchFixture(0);
        var lines = Enumerable.Range(0, 12).Select(_ => fixture.Connect()).ToArray();
        await FetchInASecondAsync(fixture, lines);
        var burst = fixture.Dispatcher.Burst;
        var stats = Enumerable.Range(0, 12).Select(i => new ArticleStat($"{i}", FetchPriority.Import)).ToArray();
        foreach (var stat in stats)
            fixture.Dispatcher.Begin(stat);
        foreach (var line in lines)
        {
            Assert.StartsWith("STAT", line.Asked[^1], StringComparison.Ordinal);
            line.Say("223 0 <x>");
        }

        await Task.WhenAll(stats.Select(stat => stat.Answer));
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        Assert.Equal(burst, fixture.Dispatcher.Burst);
    }

    /// <summary>Lets an article of 100 KB take a second, alone on the line.</summary>
    private static async Task FetchInASecondAsync(DispatchFixture fixture, params DispatchFixture.Line[] lines)
    {
        var flight = fixture.Fly("known", size: Article);
        var line = lines.Single(line => line.Asked.Length == 1);
        line.Begin("known", Article);
        await flight.WhenMore(0);
        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        line.SendRest("known", Article);
        await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    /// <summary>After a while a part of an answer comes.</summary>
    private static Task FeedAsync(DispatchFixture fixture, DispatchFixture.Line line, string id, Range part, TimeSpan? after = null)
    {
        fixture.Clock.Advance(after ?? Step);
        line.SendPart(id, part);
        return line.WhenDrainedAsync();
    }
}
