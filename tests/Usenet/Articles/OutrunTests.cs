using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>
/// A connection falls silent while others go on: what a reader waits for is asked for again sooner than after a silence of all.
/// </summary>
public sealed class OutrunTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData(4, 150)]
    [InlineData(3, 300)]
    public async Task An_article_is_requested_again_once_the_others_delivered_two_per_connection(int others, int milliseconds)
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = (fixture.Connect(), fixture.Connect());
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);

        // A moment later than the article was asked for.
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(1));
        await BringAsync(fixture, other, others);
        for (var waited = 50; waited < milliseconds; waited += 50)
        {
            Assert.DoesNotContain("a", other.Asked);
            fixture.Clock.Advance(Tick);
        }

        Assert.DoesNotContain("a", other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Contains("a", other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task Articles_delivered_before_the_connection_fell_silent_do_not_count()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = (fixture.Connect(), fixture.Connect());
        await BringAsync(fixture, other, 4);
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        if (other.Asked[^1] == "a")
            (late, other) = (other, late);
        for (var waited = 0; waited < 250; waited += 50)
        {
            fixture.Clock.Advance(Tick);
            Assert.DoesNotContain("a", other.Asked);
        }

        fixture.Clock.Advance(Tick);
        Assert.Contains("a", other.Asked);
        late.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task Requests_queued_behind_it_on_the_connection_are_requested_again_with_it()
    {
        await using var fixture = new DispatchFixture(0);
        var late = fixture.Connect();
        late.Connection.ExpectDepth(2);
        var waiting = fixture.Fly("a", FetchPriority.Waiting);
        var behind = fixture.Fly("b");
        await late.WhenAskedAsync(2);
        var other = fixture.Connect();
        fixture.Clock.Advance(TimeSpan.FromMilliseconds(1));
        await BringAsync(fixture, other, 4);
        for (var tick = 0; tick < 3; tick++)
            fixture.Clock.Advance(Tick);
        Assert.Contains("a", other.Asked);
        Assert.DoesNotContain("b", other.Asked);
        other.Send("a");
        await waiting.WhenEnded();
        await Until.TrueAsync(() => other.Asked[^1] == "b");
        other.Send("b");
        await behind.WhenEnded();
        fixture.AssertFound(waiting);
        fixture.AssertFound(behind);
    }

    private static async Task BringAsync(DispatchFixture fixture, DispatchFixture.Line line, int count)
    {
        for (var i = 0; i < count; i++)
        {
            var flight = fixture.Fly($"x{i}");
            await Until.TrueAsync(() => line.Asked.LastOrDefault() == $"x{i}");
            line.Send($"x{i}");
            await flight.WhenEnded();
            await Until.TrueAsync(() => line.Carrier.InFlight == 0);
        }
    }
}
