using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Late answers and lost connections.</summary>
public sealed class HedgeTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task What_a_reader_waits_for_is_asked_elsewhere_when_nothing_came_for_a_while()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref other);
        fixture.Clock.Advance(Silence);
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);

        // The late one still answers: nothing changes, and it is of use again.
        late.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        Assert.Equal((1, 0), (fixture.Rented, flight.Generation));
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, fixture.Clock.ArmedTimers);
    }

    [Fact]
    public async Task It_is_asked_of_another_provider_where_the_first_has_no_other_connection()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (late, other) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref other);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task There_is_one_hedge_and_none_for_what_nobody_waits_for()
    {
        await using var fixture = new DispatchFixture(0);
        var lines = new[] { fixture.Connect(), fixture.Connect(), fixture.Connect() };
        fixture.Fly("ahead");
        var waiting = fixture.Fly("waiting", FetchPriority.Waiting);
        for (var i = 0; i < 100; i++)
            fixture.Clock.Advance(Tick);
        Assert.Equal(2, lines.Sum(line => line.Asked.Count(id => id == "waiting")));
        Assert.Equal(1, lines.Sum(line => line.Asked.Count(id => id == "ahead")));
        foreach (var line in lines)
        {
            foreach (var id in line.Asked)
                line.Send(id);
        }

        await waiting.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task When_the_second_connection_is_silent_too_another_provider_is_asked_once(int priority)
    {
        await using var fixture = new DispatchFixture(0, priority, 2);
        var silent = new[] { fixture.Connect(0), fixture.Connect(0) };
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        Assert.All(silent, line => Assert.Equal(["a"], line.Asked));
        var (other, third) = (fixture.Connect(1), fixture.Connect(2));
        fixture.Clock.Advance(Silence);
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(third.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        foreach (var line in silent)
            line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task No_other_provider_is_asked_while_bytes_trickle()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (late, hedge, other) = (fixture.Connect(0), fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref hedge);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(["a"], hedge.Asked);
        for (var i = 0; i < 20; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromMilliseconds(200));
            var now = fixture.Clock.GetTimestamp();
            late.Trickle(i);
            await Until.TrueAsync(() => late.Connection.LastActivity == now);
        }

        Assert.Empty(other.Asked);
        hedge.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task What_finds_no_place_at_a_silent_provider_goes_to_another()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (silent, other) = (fixture.Connect(0), fixture.Connect(1));
        var ahead = Enumerable.Range(0, silent.Connection.Depth).Select(i => fixture.Fly($"ahead{i}")).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Assert.Equal(1, fixture.Dispatcher.Queued);
        fixture.Clock.Advance(Silence);
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        Assert.Equal(0, fixture.Dispatcher.Queued);
        foreach (var each in ahead)
            silent.Send(each.Key.Id);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task What_finds_no_place_at_a_provider_that_sends_waits_there()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (busy, other) = (fixture.Connect(0), fixture.Connect(1));
        var ahead = Enumerable.Range(0, busy.Connection.Depth).Select(i => fixture.Fly($"ahead{i}")).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        for (var i = 0; i < 20; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromMilliseconds(200));
            var now = fixture.Clock.GetTimestamp();
            busy.Trickle(i);
            await Until.TrueAsync(() => busy.Connection.LastActivity == now);
        }

        Assert.Empty(other.Asked);
        busy.Break();
        await busy.Run;
        fixture.Dispatcher.Remove(busy.Connection);
        var next = fixture.Connect(0);
        await Until.TrueAsync(() => next.Asked.Length > 0);
        for (var sent = 0; sent < ahead.Length + 1; sent++)
        {
            await next.WhenAskedAsync(sent + 1);
            next.Send(next.Asked[sent]);
        }

        await flight.WhenEnded();
        fixture.AssertFound(flight);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task Read_ahead_that_a_reader_has_come_to_is_hedged_from_then_on()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a");
        Order(ref late, ref other);
        fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(other.Asked);
        fixture.Cache.Raise(flight, FetchPriority.Waiting);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task What_an_import_waits_for_is_asked_elsewhere_after_a_second_of_silence()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Import);
        Order(ref late, ref other);
        for (var i = 0; i < 12; i++)
        {
            // Bytes that trickle put it off, however long it takes: a second copy takes the line from readers.
            fixture.Clock.Advance(TimeSpan.FromMilliseconds(900));
            var now = fixture.Clock.GetTimestamp();
            late.Trickle(i);
            await Until.TrueAsync(() => late.Connection.LastActivity == now);
        }

        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_stat_of_an_import_is_asked_elsewhere_after_a_second_of_silence()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var stat = new ArticleStat("a", FetchPriority.Import);
        fixture.Dispatcher.Begin(stat);
        if (late.Asked.Length == 0)
            (late, other) = (other, late);
        fixture.Clock.Advance(TimeSpan.FromSeconds(1) + Tick);
        Assert.Equal(["STAT <a>"], other.Asked);
        other.Say("223 0 <a>");
        Assert.Equal(SegmentOutcome.Found, (await stat.Answer).Outcome);
        late.Say("223 0 <a>");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task Second_copies_for_imports_are_few_at_a_time_and_take_nothing_from_readers()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var silent = Enumerable.Range(0, 20).Select(_ => fixture.Connect(0)).ToArray();
        var probes = Enumerable.Range(0, 20).Select(i => fixture.Fly($"i{i}", FetchPriority.Import)).ToArray();
        Assert.All(silent, line => Assert.Single(line.Asked));
        var others = Enumerable.Range(0, 24).Select(_ => fixture.Connect(1)).ToArray();
        fixture.Clock.Advance(TimeSpan.FromSeconds(1) + Tick);
        Assert.Equal(16, others.Count(line => line.Asked.Length == 1));
        var waiting = fixture.Fly("waiting", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(2, others.Sum(line => line.Asked.Count(id => id == "waiting")));

        // With each that comes another may go.
        var done = others.First(line => line.Asked is [['i', ..]]);
        done.Send(done.Asked[0]);
        await Until.TrueAsync(() => probes.Count(probe => probe.IsEnded) == 1);
        fixture.Clock.Advance(Tick);
        Assert.Equal(17, others.Sum(line => line.Asked.Count(id => id[0] == 'i')));
        foreach (var line in others)
        {
            foreach (var id in line.Asked.Skip(line == done ? 1 : 0))
                line.Send(id);
        }

        await waiting.WhenEnded();
        foreach (var line in silent)
            line.Send(line.Asked[0]);
        foreach (var probe in probes)
            await probe.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task Bytes_that_trickle_are_waited_for_a_second_and_a_half()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref other);
        for (var i = 0; i < 10; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromMilliseconds(150));
            var now = fixture.Clock.GetTimestamp();
            late.Trickle(i);
            await Until.TrueAsync(() => late.Connection.LastActivity == now);
            Assert.Empty(other.Asked);
        }

        fixture.Clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_hedge_goes_on_when_the_first_attempt_breaks_off_after_bytes_were_seen()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref other);
        late.Begin("a");
        await flight.WhenMore(0);
        flight.TryLend(0, 10)!.Dispose();
        fixture.Clock.Advance(Silence + Tick);
        other.Begin("a");
        late.Break();
        await late.Run;
        Assert.Null(flight.TryLend(0, 10));
        other.SendRest("a");
        await flight.WhenEnded();
        Assert.Equal(0, flight.Generation);
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_hedge_that_is_missing_elsewhere_leaves_the_first_attempt_alone()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (late, other) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        Order(ref late, ref other);
        fixture.Clock.Advance(Silence + Tick);
        other.Say("430 no");
        await Until.TrueAsync(() => other.Connection.InFlight == 0);
        Assert.False(flight.IsEnded);
        late.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task With_one_connection_a_hedge_waits_and_is_forgotten_when_the_answer_comes()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(1, fixture.Dispatcher.Queued);

        // It must not stand in the way of others.
        fixture.Fly("b");
        Assert.Equal(["a", "b"], line.Asked);
        line.Send("a");
        line.Send("b");
        await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        Assert.Equal(0, fixture.Dispatcher.Queued);
    }

    [Theory]
    [InlineData("430 no", SegmentOutcome.Missing)]
    [InlineData("lost", SegmentOutcome.Found)]
    public async Task With_one_connection_a_hedge_that_waits_is_no_dead_end(string answer, SegmentOutcome outcome)
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        if (answer == "lost")
        {
            line.Break();
            await line.Run;
            fixture.Dispatcher.Remove(line.Connection);
            var second = fixture.Connect();
            Assert.Equal(["a"], second.Asked);
            second.Send("a");
        }
        else
        {
            line.Say(answer);
        }

        await flight.WhenEnded();
        Assert.Equal(outcome, flight.Outcome);
    }

    [Fact]
    public async Task Requests_of_a_lost_connection_go_to_another_in_their_order()
    {
        await using var fixture = new DispatchFixture(0);
        var lost = fixture.Connect();
        fixture.Fly("a");
        fixture.Fly("b");
        fixture.Fly("c");
        lost.Begin("a");
        lost.Break();
        await lost.Run;
        fixture.Dispatcher.Remove(lost.Connection);
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
    public async Task An_article_over_which_the_connection_is_lost_again_and_again_is_given_up()
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
                fixture.Dispatcher.Remove(line.Connection);
            }

            Assert.Equal(i == 3, flight.IsEnded);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal((SegmentOutcome.Unavailable, "The article <a> cannot be had now: p0: the connection was lost again and again"), (flight.Outcome, flight.FailureReason));
    }

    [Fact]
    public async Task A_request_for_a_connection_that_closes_in_that_moment_goes_elsewhere()
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
    public async Task Keep_alives_go_over_idle_connections_only()
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a");
        fixture.Dispatcher.Ping(line.Connection, NntpCommand.Date);
        Assert.Equal(["a"], line.Asked);
        line.Send("a");
        await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        fixture.Dispatcher.Ping(line.Connection, NntpCommand.Date);
        Assert.Equal(["a", "DATE"], line.Asked);
        line.Say("111 20260101000000");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    private static (DispatchFixture.Line, DispatchFixture.Line) Two(DispatchFixture fixture) => (fixture.Connect(), fixture.Connect());

    /// <summary>Which of the two was asked first is the dispatcher's business.</summary>
    private static void Order(ref DispatchFixture.Line late, ref DispatchFixture.Line other)
    {
        if (late.Asked.Length == 0)
            (late, other) = (other, late);
        Assert.Equal((1, 0), (late.Asked.Length, other.Asked.Length));
    }
}
