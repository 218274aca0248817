using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Articles that come damaged, or as another part than was asked for.</summary>
public sealed class DamagedArticleTests
{
    [Fact]
    public async Task A_damaged_article_comes_from_the_next_provider()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (first, second) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        first.SendDamaged("a");
        await second.WhenAskedAsync(1);
        second.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task An_article_damaged_everywhere_is_requested_once_more_and_then_given_up()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (first, second) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        first.SendDamaged("a");
        await second.WhenAskedAsync(1);
        second.SendDamaged("a");
        await first.WhenAskedAsync(2);
        first.SendDamaged("a");
        await second.WhenAskedAsync(2);
        second.SendDamaged("a");
        await flight.WhenEnded();
        Assert.Equal(ContentFault.Corrupt, flight.Fault);
        Assert.Equal(
            "The article <a> is damaged on every provider that has it: p1 sent <a> damaged (its checksum is wrong).", flight.FailureReason);
        Assert.Equal(0, fixture.Rented);
    }

    [Fact]
    public async Task A_good_copy_from_the_second_request_is_used()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a");
        line.SendDamaged("a");
        await line.WhenAskedAsync(2);
        line.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_wrong_part_is_skipped_when_another_provider_has_the_right_one()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (first, second) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        first.Send("a", begin: 600);
        await second.WhenAskedAsync(1);
        second.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        await Until.TrueAsync(() => fixture.Rented == 1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_wrong_part_is_returned_when_no_provider_has_the_right_one(bool missingElsewhere)
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (first, second) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        first.Send("a", begin: 600);
        await second.WhenAskedAsync(1);
        if (missingElsewhere)
            second.Say("430 no");
        else
            second.Send("a", begin: 600);
        await flight.WhenEnded();
        Assert.Equal((true, 600L), (flight.IsMismatched, ((ArticleHeader)flight.Header!).Begin));
        Assert.Equal(1, fixture.Rented);
    }

    [Fact]
    public async Task A_wrong_part_is_returned_when_the_other_provider_has_damage()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (first, second) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a");
        first.Send("a", begin: 600);
        await second.WhenAskedAsync(1);
        second.SendDamaged("a");
        await second.WhenAskedAsync(2);
        second.SendDamaged("a");
        await flight.WhenEnded();
        Assert.True(flight.IsMismatched);
    }
}
