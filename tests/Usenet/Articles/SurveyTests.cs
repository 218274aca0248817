using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>When one of many providers lacks an article, the others are asked by STAT in parallel.</summary>
public sealed class SurveyTests
{
    [Fact]
    public async Task Providers_whose_STAT_says_no_are_skipped()
    {
        await using var fixture = new DispatchFixture(0, 1, 2, 2, 3);
        var lines = Enumerable.Range(0, 5).Select(fixture.Connect).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Assert.Equal(["a"], lines[0].Asked);
        lines[0].Say("430 no");
        await lines[4].WhenAskedAsync(1);
        Assert.Equal(["a"], lines[1].Asked);
        Assert.All(lines[2..], static line => Assert.Equal(["STAT <a>"], line.Asked));
        lines[2].Say("430 no");
        lines[3].Say("430 no");
        lines[4].Say("223 0 <a>");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 1);
        lines[1].Say("430 no");
        await lines[4].WhenAskedAsync(2);
        lines[4].Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        Assert.Equal((1, 1), (lines[2].Asked.Length, lines[3].Asked.Length));
    }

    [Fact]
    public async Task A_provider_whose_STAT_says_no_is_still_asked_for_the_article_before_it_is_missing()
    {
        await using var fixture = new DispatchFixture(0, 1, 2, 3);
        var lines = Enumerable.Range(0, 4).Select(fixture.Connect).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        lines[0].Say("430 no");
        await lines[3].WhenAskedAsync(1);
        lines[2].Say("430 no");
        lines[3].Say("430 no");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 1);
        lines[1].Say("430 no");
        await lines[2].WhenAskedAsync(2);
        lines[2].Say("430 no");
        await lines[3].WhenAskedAsync(2);

        // Its STAT lied.
        lines[3].Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        Assert.Equal(["STAT <a>", "a"], lines[3].Asked);
    }

    [Fact]
    public async Task An_article_missing_everywhere_ends_as_missing()
    {
        await using var fixture = new DispatchFixture(0, 1, 2, 3);
        var lines = Enumerable.Range(0, 4).Select(fixture.Connect).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Next);
        foreach (var (line, answers) in new[] { (lines[0], 1), (lines[2], 1), (lines[3], 1), (lines[1], 1), (lines[2], 2), (lines[3], 2) })
        {
            await line.WhenAskedAsync(answers);
            line.Say("430 no");
            await line.WhenDrainedAsync();
        }

        await flight.WhenEnded();
        Assert.Equal(ContentFault.Missing, flight.Fault);
        Assert.Equal([1, 1, 2, 2], lines.Select(static line => line.Asked.Length));
    }

    [Theory]
    [InlineData(FetchPriority.ReadAhead)]
    [InlineData(FetchPriority.Import)]
    public async Task Articles_without_a_waiting_reader_are_requested_from_one_provider_at_a_time(FetchPriority priority)
    {
        await using var fixture = new DispatchFixture(0, 1, 2, 3);
        var lines = Enumerable.Range(0, 4).Select(fixture.Connect).ToArray();
        var flight = fixture.Fly("a", priority);
        lines[0].Say("430 no");
        await lines[1].WhenAskedAsync(1);
        Assert.Equal([1, 1, 0, 0], lines.Select(static line => line.Asked.Length));
        lines[1].Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task With_two_providers_left_no_STAT_is_sent_in_advance()
    {
        await using var fixture = new DispatchFixture(0, 1, 2);
        var lines = Enumerable.Range(0, 3).Select(fixture.Connect).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        lines[0].Say("430 no");
        await lines[1].WhenAskedAsync(1);
        Assert.Empty(lines[2].Asked);
        lines[1].Send("a");
        await flight.WhenEnded();
    }
}
