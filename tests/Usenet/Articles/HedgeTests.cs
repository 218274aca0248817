using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Late answers: the article is requested a second time on another connection (a hedge).</summary>
public sealed class HedgeTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task An_article_that_a_reader_waits_for_is_hedged_after_a_silence()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
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
    public async Task The_hedge_goes_to_another_provider_when_the_first_has_no_other_connection()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (late, other) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task There_is_one_hedge_and_none_for_articles_that_no_reader_waits_for()
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

    [Fact]
    public async Task Read_ahead_is_hedged_once_a_reader_waits_for_it()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a");
        DispatchFixture.Order(ref late, ref other);
        fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(other.Asked);
        fixture.Cache.Raise(flight, FetchPriority.Waiting);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
    }

    [Fact]
    public async Task An_article_that_an_import_waits_for_is_hedged_after_a_second_of_silence()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Import);
        DispatchFixture.Order(ref late, ref other);
        for (var i = 0; i < 12; i++)
        {
            // Bytes that trickle put it off, however long it takes: a second copy takes the line from readers.
            await fixture.TrickleAsync(late, i, TimeSpan.FromMilliseconds(900));
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
    public async Task An_imports_STAT_is_hedged_after_a_second_of_silence()
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
        Assert.Null((await stat.Answer).Fault);
        late.Say("223 0 <a>");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task Hedges_for_imports_are_limited_and_take_nothing_from_readers()
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
    public async Task Trickling_bytes_delay_the_hedge_by_a_second_and_a_half()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
        for (var i = 0; i < 10; i++)
        {
            await fixture.TrickleAsync(late, i, TimeSpan.FromMilliseconds(150));
            Assert.Empty(other.Asked);
        }

        fixture.Clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_hedge_continues_when_the_first_attempt_breaks_off_after_bytes_were_seen()
    {
        await using var fixture = new DispatchFixture(0);
        var (late, other) = Two(fixture);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
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
    public async Task A_hedge_that_finds_nothing_leaves_the_first_attempt_running()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (late, other) = (fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref other);
        fixture.Clock.Advance(Silence + Tick);
        other.Say("430 no");
        await Until.TrueAsync(() => other.Carrier.InFlight == 0);
        Assert.False(flight.IsEnded);
        late.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task With_one_connection_a_hedge_waits_and_is_dropped_when_the_answer_arrives()
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
    [InlineData("430 no", ContentFault.Missing)]
    [InlineData("lost", null)]
    public async Task With_one_connection_a_waiting_hedge_still_completes(string answer, ContentFault? fault)
    {
        await using var fixture = new DispatchFixture(0);
        var line = fixture.Connect();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        if (answer == "lost")
        {
            line.Break();
            await line.Run;
            line.Employed.End();
            var second = fixture.Connect();
            Assert.Equal(["a"], second.Asked);
            second.Send("a");
        }
        else
        {
            line.Say(answer);
        }

        await flight.WhenEnded();
        Assert.Equal((fault is null, fault), (flight.IsFound, flight.Fault));
    }

    private static (DispatchFixture.Line, DispatchFixture.Line) Two(DispatchFixture fixture) => (fixture.Connect(), fixture.Connect());
}
