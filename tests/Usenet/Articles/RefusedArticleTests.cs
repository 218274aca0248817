using NzbDav.Content;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>The login worked, and the server refuses to serve articles. The clock stands still: nothing here may wait.</summary>
public sealed class RefusedArticleTests
{
    [Theory]
    [InlineData("400 service temporarily unavailable", 1)]
    [InlineData("480 authentication required", 1)]
    [InlineData("481 account expired", 1)]
    [InlineData("482 out of sequence", 1)]
    [InlineData("502 quota used up", 1)]
    [InlineData("502 quota used up", 0)]
    public async Task A_refused_article_is_requested_from_another_provider_at_once(string answer, int priority)
    {
        await using var fixture = new DispatchFixture(0, priority);
        var (refusing, other) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        if (priority == 0)
            DispatchFixture.Order(ref refusing, ref other);
        Refuse(refusing, answer);
        await other.WhenAskedAsync(1);
        Assert.Equal(["a"], refusing.Asked);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        Assert.True(refusing.Connection.WasRefused);
    }

    [Fact]
    public async Task A_refused_STAT_goes_to_another_provider_at_once()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (refusing, other) = (fixture.Connect(0), fixture.Connect(1));
        var stat = new ArticleStat("a", FetchPriority.Import);
        fixture.Dispatcher.Begin(stat);
        Refuse(refusing, "502 no permission");
        await other.WhenAskedAsync(1);
        other.Say("223 0 <a>");
        Assert.Null((await stat.Answer).Fault);
    }

    [Fact]
    public async Task The_refusing_provider_is_asked_again_when_no_other_has_the_article()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (refusing, second, other) = (fixture.Connect(0), fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        DispatchFixture.Order(ref refusing, ref second);
        Refuse(refusing, "400 going away");
        await other.WhenAskedAsync(1);
        Assert.Empty(second.Asked);
        other.Say("430 no");
        await second.WhenAskedAsync(1);
        second.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task The_only_provider_is_asked_again_over_another_connection()
    {
        await using var fixture = new DispatchFixture(0);
        var (refusing, other) = (fixture.Connect(), fixture.Connect());
        var flight = fixture.Fly("a");
        DispatchFixture.Order(ref refusing, ref other);
        Refuse(refusing, "400 going away");
        await other.WhenAskedAsync(1);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    private static void Refuse(DispatchFixture.Line line, string answer)
    {
        line.Say(answer);
        line.Break();
    }
}
