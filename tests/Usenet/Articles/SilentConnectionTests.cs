using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Articles;

/// <summary>Some connections fall silent while others are at work.</summary>
public sealed class SilentConnectionTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task Nothing_is_put_behind_what_is_late_while_another_connection_is_at_work()
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
        fixture.Dispatcher.Remove(other.Connection);
        await silent.WhenAskedAsync(3);
        silent.Send("beside");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task Where_half_of_the_connections_are_silent_what_waits_goes_to_another_provider()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var lines = Enumerable.Range(0, 4).Select(_ => fixture.Connect(0)).ToArray();
        var backup = Enumerable.Range(0, 4).Select(_ => fixture.Connect(1)).ToArray();
        var first = fixture.Fly("waiting", FetchPriority.Waiting);
        for (var i = 0; i < 7; i++)
            fixture.Fly($"{i}");
        Assert.All(lines, line => Assert.Equal(2, line.Asked.Length));
        var late = lines.Single(line => line.Asked[0] == "waiting");
        var alive = lines.Where(line => line != late).Take(2).ToArray();
        var queued = Enumerable.Range(0, 6).Select(i => fixture.Fly($"queued{i}")).ToArray();
        Assert.Equal(6, fixture.Dispatcher.Queued);
        for (var i = 0; i < 6; i++)
        {
            fixture.Clock.Advance(Tick);
            var now = fixture.Clock.GetTimestamp();
            foreach (var line in alive)
                line.Trickle(i);
            await Until.TrueAsync(() => alive.All(line => line.Connection.LastActivity == now));
        }

        Assert.All(queued, flight => Assert.Contains(backup, line => line.Asked.Contains(flight.Key.Id)));
        foreach (var line in lines)
        {
            line.Break();
            await line.Run;
            fixture.Dispatcher.Remove(line.Connection);
        }

        // p0 has no connection any more; what it had goes on where it can.
        var again = fixture.Connect(0);
        await Task.WhenAll(ServeAsync(again), ServeAsync(backup[0]), ServeAsync(backup[1]), ServeAsync(backup[2]), ServeAsync(backup[3]));
        await first.WhenEnded();
        fixture.AssertFound(first);

        async Task ServeAsync(DispatchFixture.Line line)
        {
            for (var sent = 0; fixture.Dispatcher is not { Queued: 0, OnWire: 0 };)
            {
                if (sent < line.Asked.Length)
                    line.Send(line.Asked[sent++]);
                await Task.Yield();
            }
        }
    }
}
