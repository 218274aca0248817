using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>The choice between providers of equal priority: by weight and by reliability, and never so that a request waits.</summary>
public sealed class ProviderChoiceTests
{
    [Theory]
    [InlineData(1, 1, 10, 10)]
    [InlineData(3, 1, 15, 5)]
    [InlineData(1, 4, 4, 16)]
    [InlineData(100, 100, 10, 10)]
    public async Task Weights_share_the_load_when_both_have_room(int first, int second, int ofFirst, int ofSecond)
    {
        await using var fixture = Weighted(first, second);
        DispatchFixture.Line[] lines = [fixture.Connect(0), fixture.Connect(1)];
        for (var i = 0; i < ofFirst + ofSecond; i++)
            await FetchAsync(fixture, lines, $"a{i}");
        Assert.Equal((ofFirst, ofSecond), (lines[0].Asked.Length, lines[1].Asked.Length));
    }

    [Fact]
    public async Task No_request_waits_for_a_provider_because_of_its_weight()
    {
        await using var fixture = Weighted(100, 1);
        var (heavy, light) = (fixture.Connect(0), fixture.Connect(1));
        var first = fixture.Fly("a");
        Assert.Equal((1, 0), (heavy.Asked.Length, light.Asked.Length));

        // The heavy one's connection is busy: the light one's is free.
        var second = fixture.Fly("b");
        Assert.Equal(["b"], light.Asked);
        heavy.Send("a");
        light.Send("b");
        await Task.WhenAll(first.WhenEnded(), second.WhenEnded());
        fixture.AssertFound(first);
        fixture.AssertFound(second);
    }

    [Fact]
    public async Task A_provider_that_was_away_does_not_catch_up_on_its_share()
    {
        await using var fixture = Weighted(1, 1);
        DispatchFixture.Line[] lines = [fixture.Connect(0)];
        for (var i = 0; i < 10; i++)
            await FetchAsync(fixture, lines, $"alone{i}");
        lines = [.. lines, fixture.Connect(1)];
        for (var i = 0; i < 10; i++)
            await FetchAsync(fixture, lines, $"both{i}");
        Assert.Equal((15, 5), (lines[0].Asked.Length, lines[1].Asked.Length));
    }

    [Fact]
    public async Task A_provider_that_breaks_one_article_in_ten_goes_behind_a_reliable_one_for_two_hours()
    {
        await using var fixture = Weighted(1, 1);
        DispatchFixture.Line[] lines = [fixture.Connect(0), fixture.Connect(1)];
        for (var i = 0; i < 40; i++)
            await FetchAsync(fixture, lines, $"a{i}", line => line == lines[0] && i % 10 == 1);
        Assert.Equal((true, false), (fixture.Provider(0).IsUnreliable, fixture.Provider(1).IsUnreliable));
        var (asked, reliable) = (lines[0].Asked.Length, lines[1].Asked.Length);
        for (var i = 0; i < 6; i++)
            await FetchAsync(fixture, lines, $"b{i}");
        Assert.Equal((asked, reliable + 6), (lines[0].Asked.Length, lines[1].Asked.Length));

        // Nothing waits for a place at the reliable one.
        var (first, second) = (fixture.Fly("c"), fixture.Fly("d"));
        Assert.Equal((asked + 1, reliable + 7), (lines[0].Asked.Length, lines[1].Asked.Length));
        lines[1].Send("c");
        lines[0].Send("d");
        await Task.WhenAll(first.WhenEnded(), second.WhenEnded());
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);

        fixture.Clock.Advance(TimeSpan.FromHours(2));
        fixture.Provider(0).Tick();
        Assert.False(fixture.Provider(0).IsUnreliable);
        for (var i = 0; i < 6; i++)
            await FetchAsync(fixture, lines, $"e{i}");
        Assert.Equal((asked + 1 + 3, reliable + 7 + 3), (lines[0].Asked.Length, lines[1].Asked.Length));
    }

    private static DispatchFixture Weighted(int first, int second) =>
        new(options => options with { Weight = first }, options => options with { Weight = second });

    /// <summary>Fetches one article, wherever it is asked for.</summary>
    /// <param name="fixture">All of it.</param>
    /// <param name="lines">The connections.</param>
    /// <param name="id">The article.</param>
    /// <param name="isDamaged">True where a connection sends it damaged: the other one then sends it.</param>
    private static async Task FetchAsync(
        DispatchFixture fixture, DispatchFixture.Line[] lines, string id, Func<DispatchFixture.Line, bool>? isDamaged = null)
    {
        var flight = fixture.Fly(id);
        var line = Array.Find(lines, line => line.Asked.LastOrDefault() == id)!;
        if (isDamaged?.Invoke(line) == true)
        {
            line.SendDamaged(id);
            line = Array.Find(lines, other => other != line)!;
            await Until.TrueAsync(() => line.Asked.LastOrDefault() == id);
        }

        line.Send(id);
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }
}
