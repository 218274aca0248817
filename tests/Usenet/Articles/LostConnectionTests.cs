using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Connections that are lost, close, or are kept alive.</summary>
public sealed class LostConnectionTests
{
    [Fact]
    public async Task Requests_of_a_lost_connection_go_to_another_in_order()
    {
        await using var fixture = new DispatchFixture(0);
        var lost = fixture.Connect();
        fixture.Fly("a");
        fixture.Fly("b");
        fixture.Fly("c");
        lost.Begin("a");
        lost.Break();
        await lost.Run;
        lost.Employed.End();
        Assert.Equal((3, 0), (fixture.Dispatcher.Queued, fixture.Dispatcher.OnWire));
        var other = fixture.Connect();
        Assert.Equal(2, other.Asked.Length);
        foreach (var id in other.Asked)
            other.Send(id);
        await other.WhenAskedAsync(3);
        other.Send(other.Asked[2]);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        Assert.Equal(["a", "b", "c"], other.Asked.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task An_article_that_repeatedly_loses_its_connection_is_given_up()
    {
        await using var fixture = new DispatchFixture(0);
        var flight = fixture.Fly("a");
        for (var i = 0; i < 4; i++)
        {
            // A burst is one loss: a provider that restarts drops all its connections.
            for (var burst = 0; burst < 3 && !flight.IsEnded; burst++)
            {
                var line = fixture.Connect();
                Assert.Equal(["a"], line.Asked);
                line.Break();
                await line.Run;
                line.Employed.End();
            }

            Assert.Equal(i == 3, flight.IsEnded);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal((ContentFault.Unavailable, "The article <a> cannot be had now: p0: the connection was lost again and again"),
            (flight.Fault, flight.FailureReason));
    }

    [Fact]
    public async Task A_request_for_a_connection_that_is_just_closing_goes_to_another()
    {
        await using var fixture = new DispatchFixture(0);
        var closed = fixture.Connect();
        closed.Connection.Close("in that moment");
        var flight = fixture.Fly("a");
        Assert.Empty(closed.Asked);
        var other = fixture.Connect();
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task Keep_alives_are_sent_only_on_idle_connections()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a");
        line.Employed.Ping(NntpCommand.Date);
        Assert.Equal(["a"], line.Asked);
        line.Send("a");
        await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        line.Employed.Ping(NntpCommand.Date);
        Assert.Equal(["a", "DATE"], line.Asked);
        line.Say("111 20260101000000");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }
}
