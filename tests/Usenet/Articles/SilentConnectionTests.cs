using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Some connections fall silent while others are at work.</summary>
public sealed class SilentConnectionTests
{
    /// <summary>Bytes that <see cref="TrickleAsync"/> sends of an answer.</summary>
    private const int Trickled = 6;

    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task No_request_is_queued_behind_a_late_one_while_another_connection_is_active()
    {
        await using var fixture = new DispatchFixture(0);
        var (silent, other) = (fixture.Connect(), fixture.Connect());
        var waiting = fixture.Fly("waiting", FetchPriority.Waiting);
        fixture.Fly("beside");
        if (silent.Asked[0] != "waiting")
            (silent, other) = (other, silent);
        for (var i = 0; i < 6; i++)
            await fixture.TrickleAsync(other, i, Tick);
        Assert.Equal(["beside", "waiting"], other.Asked);

        // There is room for one more behind the silent one's article, and none on the other.
        fixture.Fly("next");
        Assert.Equal(["waiting"], silent.Asked);
        Assert.Equal(1, fixture.Dispatcher.Queued);

        // What comes shows that it is alive.
        silent.Send("waiting");
        await silent.WhenAskedAsync(2);
        Assert.Equal(["waiting", "next"], silent.Asked);
        await waiting.WhenEnded();
        silent.Send("next");
        other.Break();
        await other.Run;
        other.Employed.End();
        await silent.WhenAskedAsync(3);
        silent.Send("beside");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task A_backup_takes_over_the_share_of_the_silent_connections_and_no_more()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var lines = Enumerable.Range(0, 4).Select(_ => fixture.Connect(0)).ToArray();
        var backup = Enumerable.Range(0, 4).Select(_ => fixture.Connect(1)).ToArray();
        var first = fixture.Fly("waiting", FetchPriority.Waiting);
        for (var i = 0; i < 7; i++)
            fixture.Fly($"{i}");
        Assert.All(lines, line => Assert.Equal(2, line.Asked.Length));
        var late = lines.Single(line => line.Asked[0] == "waiting");
        var alive = lines.Where(line => line != late).ToArray();
        for (var i = 0; i < 6; i++)
            fixture.Fly($"queued{i}");
        Assert.Equal(6, fixture.Dispatcher.Queued);
        await TrickleAsync(fixture, alive);

        // One of four is silent, with room for two. The one that is waited for comes first, then who came first.
        Assert.Equal(["queued0", "waiting"], backup.SelectMany(line => line.Asked).Order());
        var helper = backup.First(line => line.Asked is ["waiting"]);
        helper.Send("waiting");
        await helper.WhenAskedAsync(2);
        Assert.Equal("queued1", helper.Asked[1]);
        alive[0].SendPart(alive[0].Asked[0], Trickled..);
        await alive[0].WhenAskedAsync(3);
        Assert.Equal("queued2", alive[0].Asked[2]);
        Assert.Equal(3, backup.Sum(line => line.Asked.Length));
        await first.WhenEnded();
        fixture.AssertFound(first);
        await ServeAllAsync(
            fixture, [.. lines, .. backup], line => line == helper || line == alive[0] ? 1 : 0, line => alive.Contains(line));
    }

    [Fact]
    public async Task Two_connections_that_block_each_others_hedges_are_not_waited_for()
    {
        await using var fixture = new DispatchFixture(0);
        DispatchFixture.Line[] lines = [fixture.Connect(), fixture.Connect()];
        await ServedOnceAsync(fixture, lines);
        var (one, other) = (fixture.Fly("one", FetchPriority.Waiting), fixture.Fly("other", FetchPriority.Waiting));
        for (var i = 0; i < 10; i++)
            fixture.Clock.Advance(Tick);
        Assert.All(lines, line => Assert.Equal(["one", "other"], line.Asked[1..].Order()));
        for (var i = 0; i < 20; i++)
            fixture.Clock.Advance(Tick);
        var closed = Assert.Single(lines, line => line.Connection.IsClosed);
        await EndAsync(fixture, closed);
        var anew = fixture.Connect();
        for (var i = 0; i < 2; i++)
            fixture.Clock.Advance(Tick);
        await anew.WhenAskedAsync(2);
        Assert.Equal(["one", "other"], anew.Asked.Order());
        anew.Send(anew.Asked[0]);
        anew.Send(anew.Asked[1]);
        await one.WhenEnded();
        await other.WhenEnded();
        fixture.AssertFound(one);
        fixture.AssertFound(other);
    }

    [Fact]
    public async Task A_dead_line_costs_at_most_two_connections()
    {
        await using var fixture = new DispatchFixture(0);
        DispatchFixture.Line[] lines = [.. Enumerable.Range(0, 6).Select(_ => fixture.Connect())];
        await ServedOnceAsync(fixture, lines);
        for (var i = 0; i < 6; i++)
            fixture.Fly($"waiting{i}", FetchPriority.Waiting);
        var closed = new List<DispatchFixture.Line>();
        for (var i = 0; i < 180; i++)
        {
            fixture.Clock.Advance(Tick);
            foreach (var line in lines.Except(closed).Where(line => line.Connection.IsClosed).ToArray())
            {
                await EndAsync(fixture, line);
                closed.Add(line);
            }
        }

        Assert.Equal(2, closed.Count);
        foreach (var line in lines.Except(closed))
            await EndAsync(fixture, line);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Requests_on_a_silent_connection_are_repeated_once_a_hedge_has_proven_it_silent(bool trickles)
    {
        await using var fixture = new DispatchFixture(0);
        var (silent, other) = (fixture.Connect(), fixture.Connect());
        fixture.Fly("beside");
        if (silent.Asked.Length > 0)
            (silent, other) = (other, silent);
        var waiting = fixture.Fly("waiting", FetchPriority.Waiting);
        fixture.Fly("beside2");
        var ahead = fixture.Fly("ahead");
        fixture.Fly("import", FetchPriority.Import);
        Assert.Equal(["waiting", "ahead"], silent.Asked);
        Assert.Equal(["beside", "beside2"], other.Asked);
        await TrickleAsync(fixture, [other]);
        if (trickles)
            await fixture.TrickleAsync(silent, 0, TimeSpan.Zero);
        other.SendPart("beside", Trickled..);
        await other.WhenAskedAsync(3);
        Assert.Equal("waiting", other.Asked[2]);

        // While that is on its way only what is waited for was asked for twice.
        other.Send("beside2");
        await other.WhenAskedAsync(4);
        Assert.Equal("import", other.Asked[3]);
        other.Send("waiting");
        await waiting.WhenEnded();
        await other.WhenDrainedAsync();
        Assert.Equal(trickles ? 4 : 5, other.Asked.Length);
        await ServeAllAsync(fixture, [silent, other], line => line == other ? 3 : 0, line => false, trickled: trickles ? silent : null);
        await ahead.WhenEnded();
        fixture.AssertFound(ahead);
    }

    [Fact]
    public async Task Requests_are_repeated_even_if_the_silent_connection_gets_another_one_meanwhile()
    {
        await using var fixture = new DispatchFixture(0);
        var (other, silent) = (fixture.Connect(), fixture.Connect());
        var waiting = fixture.Fly("waiting", FetchPriority.Waiting);
        fixture.Fly("beside");
        var ahead = fixture.Fly("ahead");
        fixture.Fly("beside2");
        Assert.Equal(["waiting", "ahead"], silent.Asked);
        Assert.Equal(["beside", "beside2"], other.Asked);
        silent.Connection.ExpectDepth(4);
        await TrickleAsync(fixture, [other]);
        SegmentFlight[] queued = [.. Enumerable.Range(0, 4).Select(number => fixture.Fly($"queued{number}"))];
        Assert.Equal(5, fixture.Dispatcher.Queued);
        other.SendPart("beside", Trickled..);
        await other.WhenAskedAsync(3);

        // Now both are silent, so neither counts as silent beside the other.
        for (var i = 0; i < Trickled; i++)
            fixture.Clock.Advance(Tick);
        Assert.False(silent.Carrier.IsSuspect);
        other.Send("beside2");
        other.Send("waiting");
        await waiting.WhenEnded();

        // A silence with a full pipe has made it deeper, so three more fit; the silent one is less busy.
        await silent.WhenAskedAsync(3);
        Assert.Equal(["waiting", "ahead", "queued3"], silent.Asked);
        await other.WhenAskedAsync(7);
        Assert.Equal(["beside", "beside2", "waiting", "queued0", "queued1", "queued2", "ahead"], other.Asked);
        foreach (var id in other.Asked[3..])
            other.Send(id);
        await ahead.WhenEnded();
        fixture.AssertFound(ahead);

        // It is still silent, so the article that it got is repeated in turn.
        await other.WhenAskedAsync(8);
        Assert.Equal("queued3", other.Asked[7]);
        other.Send("queued3");
        foreach (var id in silent.Asked)
            silent.Send(id);
        foreach (var flight in queued)
            await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    /// <summary>For longer than silence lasts, bytes come on these alone.</summary>
    private static async Task TrickleAsync(DispatchFixture fixture, DispatchFixture.Line[] alive)
    {
        for (var i = 0; i < Trickled; i++)
        {
            fixture.Clock.Advance(Tick);
            foreach (var line in alive)
                line.Trickle(i);
            await Task.WhenAll(alive.Select(line => line.WhenDrainedAsync()));
        }
    }

    /// <summary>Answers all that was asked and is asked still.</summary>
    /// <param name="fixture">Until it has nothing more to do.</param>
    /// <param name="lines">These answer.</param>
    /// <param name="sent">How many answers a line has given.</param>
    /// <param name="begun">True for one whose first answer has begun by <see cref="TrickleAsync"/>.</param>
    /// <param name="trickled">One that has sent one byte of its first answer.</param>
    private static Task ServeAllAsync(DispatchFixture fixture, DispatchFixture.Line[] lines, Func<DispatchFixture.Line, int> sent,
        Func<DispatchFixture.Line, bool> begun, DispatchFixture.Line? trickled = null)
    {
        var counts = lines.Select(sent).ToArray();
        return Until.TrueAsync(() =>
        {
            for (var i = 0; i < lines.Length; i++)
            {
                if (counts[i] == lines[i].Asked.Length)
                    continue;
                lines[i].SendPart(lines[i].Asked[counts[i]],
                    counts[i] == 0 && begun(lines[i]) ? Trickled.. : counts[i] == 0 && lines[i] == trickled ? 1.. : ..);
                counts[i]++;
            }

            return fixture.Dispatcher is { Queued: 0, OnWire: 0 };
        });
    }

    /// <summary>An article on each: one that has never served is not opened anew.</summary>
    private static async Task ServedOnceAsync(DispatchFixture fixture, IReadOnlyList<DispatchFixture.Line> lines)
    {
        var flights = Enumerable.Range(0, lines.Count).Select(number => fixture.Fly($"before{number}")).ToArray();
        foreach (var line in lines)
            line.Send(Assert.Single(line.Asked));
        foreach (var flight in flights)
            await flight.WhenEnded();
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    private static async Task EndAsync(DispatchFixture fixture, DispatchFixture.Line line)
    {
        line.Break();
        await line.Run;
        line.Employed.End();
    }
}
