using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Which connection gets which request, in which order.</summary>
public sealed class DispatcherTests
{
    [Fact]
    public async Task STATs_are_pipelined_eight_deep_and_articles_two_deep()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var stats = Enumerable.Range(0, 12).Select(i => new ArticleStat($"s{i}", FetchPriority.Import)).ToArray();
        foreach (var stat in stats)
            fixture.Dispatcher.Begin(stat);
        Assert.Equal(Enumerable.Range(0, 8).Select(i => $"STAT <s{i}>"), line.Asked);

        // Articles stand behind them as if they were not there.
        string[] asked = [.. line.Asked];
        var flights = new[] { fixture.Fly("a", FetchPriority.Waiting), fixture.Fly("b"), fixture.Fly("c") };
        Assert.Equal([.. asked, "a", "b"], line.Asked);
        await AnswerAsync(0, 8);

        // What is more urgent goes first, also where it has to wait and they would not.
        Assert.Equal([.. asked, "a", "b"], line.Asked);
        line.Send("a");
        await line.WhenAskedAsync(15);
        Assert.Equal([.. asked, "a", "b", "c", "STAT <s8>", "STAT <s9>", "STAT <s10>", "STAT <s11>"], line.Asked);
        line.Send("b");
        line.Send("c");
        await AnswerAsync(8, 12);
        Assert.All(flights, fixture.AssertFound);

        async Task AnswerAsync(int from, int to)
        {
            for (var i = from; i < to; i++)
            {
                line.Say($"223 0 <s{i}>");
                Assert.Null((await stats[i].Answer).Fault);
            }
        }
    }

    [Fact]
    public async Task Articles_that_a_reader_waits_for_overtake_read_ahead_imports_and_checks()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        fixture.Fly("busy1");
        fixture.Fly("busy2");
        fixture.Fly("health", FetchPriority.Health);
        fixture.Fly("import", FetchPriority.Import);
        fixture.Fly("ahead1");
        fixture.Fly("ahead2");
        fixture.Fly("next", FetchPriority.Next);
        fixture.Fly("waiting", FetchPriority.Waiting);
        Assert.Equal(["busy1", "busy2"], line.Asked);
        Assert.Equal((6, 2), (fixture.Dispatcher.Queued, fixture.Dispatcher.OnWire));
        await ServeAllAsync(fixture, line, 8);
        Assert.Equal(["busy1", "busy2", "waiting", "next", "ahead1", "ahead2", "import", "health"], line.Asked);
    }

    [Fact]
    public async Task A_request_that_becomes_urgent_overtakes_too()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        foreach (var id in new[] { "busy1", "busy2", "a", "b", "c" })
            fixture.Fly(id);
        fixture.Fly("c", FetchPriority.Waiting);
        await ServeAllAsync(fixture, line, 5);
        Assert.Equal(["busy1", "busy2", "c", "a", "b"], line.Asked);
    }

    [Fact]
    public async Task A_request_that_is_no_longer_wanted_is_never_sent()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        foreach (var id in new[] { "busy1", "busy2" })
            fixture.Fly(id);
        var dropped = fixture.Fly("dropped");
        fixture.Fly("kept");
        fixture.Close(dropped);
        Assert.Equal(1, fixture.Dispatcher.Queued);
        await ServeAllAsync(fixture, line, 3);
        Assert.Equal(["busy1", "busy2", "kept"], line.Asked);
        Assert.Equal((0, 0), (fixture.Dispatcher.Queued, fixture.Dispatcher.OnWire));
    }

    [Fact]
    public async Task An_article_already_requested_is_received_and_kept_when_no_longer_wanted()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        fixture.Close(fixture.Fly("a"));
        line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        fixture.AssertFound(fixture.Fly("a"));
        Assert.Equal(["a"], line.Asked);
    }

    [Theory]
    [InlineData("the article")]
    [InlineData("430 no")]
    [InlineData("lost")]
    public async Task An_article_that_came_from_elsewhere_is_not_requested_again(string answer)
    {
        await using var fixture = new DispatchFixture(0);
        var (line, other) = (fixture.Connect(), fixture.Connect());
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref line, ref other);
        new ManualSegment(flight).Complete();
        if (answer == "the article")
            line.Send("a");
        else if (answer == "lost")
            line.Break();
        else
            line.Say(answer);
        await Until.TrueAsync(() => line.Carrier.InFlight == 0 || line.Asked.Length > 1);
        Assert.Equal((1, 0), (line.Asked.Length, other.Asked.Length));
        Assert.Equal((0, 0, 0), (fixture.Dispatcher.OnWire, fixture.Dispatcher.Queued, fixture.Dispatcher.Gone.Count));
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_late_article_that_came_from_elsewhere_is_not_hedged()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = (fixture.Connect(), fixture.Connect());
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
        new ManualSegment(flight).Complete();
        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(other.Asked);
        late.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task Requests_wait_until_a_connection_opens()
    {
        await using var fixture = new DispatchFixture(0);
        fixture.Fly("a");
        fixture.Fly("b", FetchPriority.Waiting);
        fixture.Fly("c");
        var line = fixture.Connect();
        Assert.Equal(["b", "a"], line.Asked);
        await ServeAllAsync(fixture, line, 3);
    }

    [Fact]
    public async Task The_least_busy_connection_is_asked()
    {
        await using var fixture = new DispatchFixture(0);
        var lines = new[] { fixture.Connect(), fixture.Connect(), fixture.Connect() };
        for (var i = 0; i < 6; i++)
            fixture.Fly($"a{i}");
        Assert.All(lines, line => Assert.Equal(2, line.Asked.Length));
        Assert.All(lines, line => Assert.Single(line.Asked[..1], id => id[1] < '3'));
        foreach (var line in lines)
            await ServeAllAsync(fixture, line, 2);
    }

    [Fact]
    public async Task Providers_of_equal_priority_share_and_lower_ones_get_nothing()
    {
        await using var fixture = new DispatchFixture(0, 0, 1);
        var lines = new[] { fixture.Connect(0), fixture.Connect(1), fixture.Connect(2) };
        for (var i = 0; i < 10; i++)
            fixture.Fly($"a{i}");
        Assert.Equal([2, 2, 0], lines.Select(line => line.Asked.Length));
        var sent = new int[2];
        while (sent.Sum() < 10)
        {
            await Until.TrueAsync(() => lines[0].Asked.Length > sent[0] || lines[1].Asked.Length > sent[1]);
            for (var i = 0; i < 2; i++)
            {
                while (lines[i].Asked.Length > sent[i])
                    lines[i].Send(lines[i].Asked[sent[i]++]);
            }
        }

        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        Assert.All(sent, count => Assert.InRange(count, 2, 8));
        Assert.Empty(lines[2].Asked);
    }

    [Fact]
    public async Task A_missing_article_is_requested_once_from_each_provider_in_order_of_priority()
    {
        await using var fixture = new DispatchFixture(1, 0, 0);
        var lines = new[] { fixture.Connect(0), fixture.Connect(1), fixture.Connect(2) };
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        var first = lines[1].Asked.Length > 0 ? 1 : 2;
        lines[first].Say("430 no");
        await lines[3 - first].WhenAskedAsync(1);
        Assert.Empty(lines[0].Asked);
        lines[3 - first].Say("430 no");
        await lines[0].WhenAskedAsync(1);
        lines[0].Say("430 no");
        await flight.WhenEnded();
        Assert.Equal(
            (ContentFault.Missing, "The article <a> is missing on every provider (p1, p2, p0)."), (flight.Fault, flight.FailureReason));
        Assert.All(lines, line => Assert.Single(line.Asked));
    }

    [Theory]
    [InlineData("a\tb")]
    [InlineData("a\r\nQUIT")]
    [InlineData("<a>")]
    public async Task An_id_that_cannot_be_sent_is_missing_without_asking_a_server(string id)
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly(id);
        Assert.Equal(ContentFault.Missing, flight.Fault);
        Assert.Empty(line.Asked);
    }

    [Fact]
    public async Task Without_providers_nothing_is_available()
    {
        await using var fixture = new DispatchFixture(Array.Empty<int>());
        var flight = fixture.Fly("a");
        Assert.Equal((ContentFault.Unavailable, "No Usenet provider is configured."), (flight.Fault, flight.FailureReason));
    }

    [Fact]
    public async Task Shutting_down_fails_waiting_and_later_requests()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var sent = fixture.Fly("a");
        fixture.Fly("b");
        var queued = fixture.Fly("c");
        fixture.Dispatcher.Dispose();
        Assert.Equal((ContentFault.Unavailable, "The server is being shut down."), (queued.Fault, queued.FailureReason));
        line.Break();
        await sent.WhenEnded();
        Assert.Equal(ContentFault.Unavailable, sent.Fault);
        Assert.Equal(ContentFault.Unavailable, fixture.Fly("d").Fault);
    }

    /// <summary>The server answers as it is asked, until it was asked so often.</summary>
    private static async Task ServeAllAsync(DispatchFixture fixture, DispatchFixture.Line line, int count)
    {
        for (var i = 0; i < count; i++)
        {
            await line.WhenAskedAsync(i + 1);
            line.Send(line.Asked[i]);
        }

        await Until.TrueAsync(() => line.Carrier.InFlight == 0);
        Assert.Equal(count, line.Asked.Length);
        Assert.True(fixture.Rented >= 0);
    }
}
