using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>All connections of a provider fall silent: what a reader waits for is asked of another.</summary>
public sealed class SilentProviderTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan ImportSilence = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_second_and_then_a_third_provider_is_asked_while_each_one_before_stays_silent(int priority)
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
        Assert.Empty(third.Asked);
        fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(["a"], other.Asked);
        Assert.Equal(["a"], third.Asked);
        third.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        foreach (var line in silent.Append(other))
            line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task An_import_asks_another_provider_when_two_connections_stay_silent()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var silent = new[] { fixture.Connect(0), fixture.Connect(0) };
        var other = fixture.Connect(1);
        var flight = fixture.Fly("a", FetchPriority.Import);
        fixture.Clock.Advance(ImportSilence + Tick);
        Assert.All(silent, line => Assert.Equal(["a"], line.Asked));
        fixture.Clock.Advance(Silence);
        Assert.Empty(other.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], other.Asked);
        other.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        foreach (var line in silent)
            line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task When_both_providers_stay_silent_a_live_connection_is_asked()
    {
        await using var fixture = new DispatchFixture(0, 0);
        DispatchFixture.Line[] lines = [fixture.Connect(0), fixture.Connect(1)];
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        fixture.Clock.Advance(Silence + Tick);
        Assert.All(lines, line => Assert.Equal(["a"], line.Asked));

        // The line brings something elsewhere.
        var alive = fixture.Connect(0);
        fixture.Clock.Advance(Silence);
        Assert.Empty(alive.Asked);
        fixture.Clock.Advance(Tick);
        Assert.Equal(["a"], alive.Asked);
        alive.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        foreach (var line in lines)
            line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task When_all_connections_are_silent_the_line_is_blamed_and_nothing_is_requested_a_third_time()
    {
        await using var fixture = new DispatchFixture(0, 0);
        DispatchFixture.Line[] lines = [fixture.Connect(0), fixture.Connect(1)];
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        for (var i = 0; i < 40; i++)
            fixture.Clock.Advance(Tick);
        Assert.All(lines, line => Assert.Equal(["a"], line.Asked));
        foreach (var line in lines)
            line.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task No_other_provider_is_asked_while_bytes_trickle()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (late, hedge, other) = (fixture.Connect(0), fixture.Connect(0), fixture.Connect(1));
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        DispatchFixture.Order(ref late, ref hedge);
        fixture.Clock.Advance(Silence + Tick);
        Assert.Equal(["a"], hedge.Asked);
        for (var i = 0; i < 20; i++)
            await fixture.TrickleAsync(late, i, TimeSpan.FromMilliseconds(200));

        Assert.Empty(other.Asked);
        hedge.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
    }

    [Fact]
    public async Task A_request_without_a_place_at_a_silent_provider_goes_to_another()
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
    public async Task A_block_account_is_asked_when_all_other_providers_stay_silent()
    {
        await using var fixture = new DispatchFixture(
            static options => options, static options => options with { Priority = 1 },
            static options => options with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Never });
        DispatchFixture.Line[] silent = [fixture.Connect(0), fixture.Connect(0), fixture.Connect(1)];
        var block = fixture.Connect(2);
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        for (var asked = 1; asked <= silent.Length; asked++)
        {
            Assert.Equal(asked, silent.Sum(line => line.Asked.Length));
            Assert.Empty(block.Asked);
            fixture.Clock.Advance(Silence + Tick);
        }

        Assert.Equal(["a"], block.Asked);
        block.Send("a");
        await flight.WhenEnded();
        fixture.AssertFound(flight);
        Assert.All(silent, line => Assert.Equal(["a"], line.Asked));
        foreach (var line in silent)
            line.Send("a");
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
    }

    [Fact]
    public async Task A_queued_request_keeps_its_place_while_one_of_two_providers_is_silent()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (_, busy) = (fixture.Connect(0), fixture.Connect(1));
        for (var i = 0; i < 2 * busy.Connection.Depth; i++)
            fixture.Fly($"ahead{i}");
        fixture.Fly("first", FetchPriority.Waiting);
        for (var i = 0; i < 20; i++)
        {
            if (i == 10)
                fixture.Fly("second", FetchPriority.Waiting);
            fixture.Clock.Advance(Tick);
            busy.SendPart(busy.Asked[0], i..(i + 1));
            await busy.WhenDrainedAsync();
        }

        Assert.Equal(2, fixture.Dispatcher.Queued);
        busy.SendPart(busy.Asked[0], 20..);
        await busy.WhenAskedAsync(3);
        Assert.Equal("first", busy.Asked[2]);
    }

    [Fact]
    public async Task A_request_without_a_place_at_an_active_provider_waits_there()
    {
        await using var fixture = new DispatchFixture(0, 1);
        var (busy, other) = (fixture.Connect(0), fixture.Connect(1));
        var ahead = Enumerable.Range(0, busy.Connection.Depth).Select(i => fixture.Fly($"ahead{i}")).ToArray();
        var flight = fixture.Fly("a", FetchPriority.Waiting);
        for (var i = 0; i < 20; i++)
            await fixture.TrickleAsync(busy, i, TimeSpan.FromMilliseconds(200));

        Assert.Empty(other.Asked);
        busy.Break();
        await busy.Run;
        busy.Employed.End();
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
}
