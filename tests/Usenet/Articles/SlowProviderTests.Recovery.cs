using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>How a slow provider is found out to be well again, and what becomes of connections that trickle from before.</summary>
public sealed partial class SlowProviderTests
{
    [Fact]
    public async Task A_provider_that_became_fast_is_recognised_by_trials_from_ten_seconds_on()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);

        // Its last article was asked for two seconds ago.
        fixture.Clock.Advance(TimeSpan.FromSeconds(7.5));
        FlyMany(fixture, fast.Connection.Depth + 4, "before");
        await AnswerAllAsync(fixture, fast, slow);
        Assert.Single(slow.Asked);
        fixture.Clock.Advance(TimeSpan.FromSeconds(0.5));
        FlyMany(fixture, 60, "trial");
        Assert.Equal(2, slow.Asked.Length);
        await AnswerAllAsync(fixture, fast, slow);
        Assert.False(fixture.Provider(1).Pace.IsSlow);
        var before = slow.Asked.Length;
        FlyMany(fixture, 2, "both");
        Assert.Equal(before + 1, slow.Asked.Length);
        await AnswerAllAsync(fixture, fast, slow);
    }

    [Fact]
    public async Task A_provider_that_is_still_slow_gets_one_article_every_ten_seconds()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        fixture.Clock.Advance(TimeSpan.FromSeconds(10));
        FlyMany(fixture, fast.Connection.Depth + 4, "trial");
        Assert.Equal(2, slow.Asked.Length);
        var trial = slow.Asked[1];
        slow.Begin(trial, Article);
        await slow.WhenDrainedAsync();
        await AnswerAllAsync(fixture, [trial], fast);
        fixture.Clock.Advance(TimeSpan.FromSeconds(3));
        slow.SendRest(trial, Article);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 0);
        FlyMany(fixture, fast.Connection.Depth + 4, "after");
        Assert.Equal(2, slow.Asked.Length);
        await AnswerAllAsync(fixture, fast);
    }

    [Fact]
    public async Task While_readers_wait_for_the_faster_provider_the_slow_one_is_tried_after_two_seconds()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);
        for (var i = 0; i <= fast.Connection.Depth; i++)
            fixture.Fly($"waiting{i}", FetchPriority.Waiting, Article);
        FlyMany(fixture, 1, "ahead");
        for (var i = 0; i < 5; i++)
        {
            await fixture.TrickleAsync(fast, i, Tick);
            Assert.Single(slow.Asked);
        }

        await fixture.TrickleAsync(fast, 5, Tick);
        Assert.Equal(["slow", "ahead0"], slow.Asked);
        fast.Break();
        await fast.Run;
        fast.Employed.End();
        await AnswerAllAsync(fixture, slow);
    }

    [Fact]
    public async Task An_old_trickling_answer_does_not_make_a_provider_slow_again()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var (fast, slow) = await LearnAsync(fixture);

        // Left to the slow one, which has begun it.
        FlyMany(fixture, 40);
        var left = slow.Asked[1];
        await AnswerAllAsync(fixture, [left], fast);
        var second = fixture.Connect(1);
        for (var i = 0; i < 10 && fixture.Provider(1).Pace.IsSlow; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromSeconds(10));
            FlyMany(fixture, fast.Connection.Depth + 10, $"trial{i}-");
            await AnswerAllAsync(fixture, [left], fast, second);
        }

        Assert.False(fixture.Provider(1).Pace.IsSlow);

        // One of the two goes to the faster one, and is waited for.
        SegmentFlight[] flights = [
            fixture.Fly("first", FetchPriority.Waiting, Article), fixture.Fly("second", FetchPriority.Waiting, Article)];
        second.Send(second.Asked[^1], Article);
        await Until.TrueAsync(() => fixture.Dispatcher.OnWire == 2);
        for (var i = 0; i < 10; i++)
        {
            fast.Trickle(i);
            await fixture.TrickleAsync(slow, i, Tick);
            Assert.False(fixture.Provider(1).Pace.IsSlow);
        }

        slow.Break();
        await slow.Run;
        fast.Break();
        await fast.Run;
        await AnswerAllAsync(fixture, second);
        Assert.All(flights, fixture.AssertFound);
    }

    [Fact]
    public async Task A_connection_still_receiving_a_superseded_article_is_closed_when_readers_wait()
    {
        await using var fixture = new DispatchFixture(0, 0);
        var fast = fixture.Connect(0);
        await FetchAsync(fixture, fast, fast, "fast", Short);
        var clogged = fixture.Connect(1);
        var flight = fixture.Fly("a", FetchPriority.Waiting, Article);
        clogged.Begin("a", Article);
        for (var i = 0; i < 9; i++)
            await fixture.TrickleAsync(clogged, i, Tick);
        Assert.Equal(["fast", "a"], fast.Asked);
        fast.Begin("a", Article);
        await flight.WhenMore(0);
        fixture.Clock.Advance(Short);
        fast.SendRest("a", Article);
        await flight.WhenEnded();
        for (var i = 9; i < 30; i++)
            await fixture.TrickleAsync(clogged, i, Tick);
        Assert.False(clogged.Connection.IsClosed);
        for (var i = 0; i <= fast.Connection.Depth; i++)
            fixture.Fly($"waiting{i}", FetchPriority.Waiting, Article);
        for (var i = 0; i < 6; i++)
        {
            clogged.Trickle(30 + i);
            await fixture.TrickleAsync(fast, i, Tick);
        }

        Assert.True(clogged.Connection.IsClosed);
        clogged.Break();
        await clogged.Run;
        clogged.Employed.End();
        Assert.Equal(0, fixture.Provider(1).Status.Counters.Failed);
        fast.Break();
        await fast.Run;
        fast.Employed.End();
        var anew = fixture.Connect(1);
        await AnswerAllAsync(fixture, anew);
    }
}
