using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class ProviderBreakerTests
{
    private static readonly NntpConnectResult Fault = NntpConnectResult.Failed(NntpConnectFailure.Refused, "refused");
    private static readonly NntpConnectResult Fine = NntpConnectResult.Failed(NntpConnectFailure.TooManyConnections, "the cap");

    private readonly ManualTimeProvider _clock = new();
    private readonly ProviderBreaker _breaker;
    private int _attempts;

    public ProviderBreakerTests() =>
        _breaker = new ProviderBreaker(_clock, static result => result.Failure != NntpConnectFailure.TooManyConnections);

    [Theory]
    [InlineData(0, 2)]
    [InlineData(1, 4)]
    [InlineData(2, 8)]
    [InlineData(7, 256)]
    [InlineData(8, 300)]
    [InlineData(30, 300)]
    [InlineData(int.MaxValue, 300)]
    public void The_break_doubles_up_to_five_minutes(int failed, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), ProviderBreaker.BreakAfter(failed));

    [Fact]
    public async Task Two_failures_open_the_breaker_which_then_allows_one_attempt_per_break()
    {
        Assert.Same(Fault, (await TryAsync(Fault)).Result);
        Assert.Same(Fault, (await TryAsync(Fault)).Result);
        foreach (var seconds in new[] { 2, 4, 8, 16, 32, 64, 128, 256, 300, 300 })
        {
            var (result, wait) = await TryAsync(Fault);
            Assert.Null(result);
            Assert.Equal(TimeSpan.FromSeconds(seconds), wait);
            _clock.Advance(wait - TimeSpan.FromTicks(1));
            Assert.Null((await TryAsync(Fault)).Result);
            _clock.Advance(TimeSpan.FromTicks(1));
            Assert.Same(Fault, (await TryAsync(Fault)).Result);
        }

        Assert.Equal(12, _attempts);
    }

    [Theory]
    [InlineData(-3)]
    [InlineData(-60 * 24)]
    [InlineData(3)]
    public async Task A_break_lasts_as_long_as_it_does_when_the_clock_is_set(int hours)
    {
        for (var i = 0; i < 2; i++)
            await TryAsync(Fault);
        _clock.Set(TimeSpan.FromHours(hours));
        var (result, wait) = await TryAsync(Fine);
        Assert.Equal((null, ProviderBreaker.FirstBreak), (result, wait));
        _clock.Advance(ProviderBreaker.FirstBreak);
        Assert.Same(Fine, (await TryAsync(Fine)).Result);
    }

    [Fact]
    public async Task A_successful_attempt_closes_the_breaker_and_resets_the_breaks()
    {
        for (var i = 0; i < 2; i++)
            await TryAsync(Fault);
        for (var i = 0; i < 4; i++)
        {
            _clock.Advance((await TryAsync(Fault)).Wait);
            await TryAsync(Fault);
        }

        _clock.Advance((await TryAsync(Fine)).Wait);
        Assert.Same(Fine, (await TryAsync(Fine)).Result);
        Assert.Same(Fine, (await TryAsync(Fine)).Result);
        _clock.Advance(TimeSpan.FromMinutes(1));
        for (var i = 0; i < 2; i++)
            await TryAsync(Fault);
        Assert.Equal(ProviderBreaker.FirstBreak, (await TryAsync(Fault)).Wait);
    }

    [Fact]
    public async Task Only_consecutive_failures_open_the_breaker_however_many_attempts_worked_before()
    {
        for (var i = 0; i < 50; i++)
            await TryAsync(Fine);
        for (var i = 0; i < 5; i++)
        {
            Assert.Same(Fault, (await TryAsync(Fault)).Result);
            Assert.Same(Fine, (await TryAsync(Fine)).Result);
        }

        Assert.Same(Fault, (await TryAsync(Fault)).Result);
        Assert.Same(Fault, (await TryAsync(Fault)).Result);
        Assert.Equal(ProviderBreaker.FirstBreak, (await TryAsync(Fault)).Wait);
        Assert.Equal(62, _attempts);
    }

    [Fact]
    public async Task Others_wait_without_spinning_while_one_attempt_is_under_way()
    {
        for (var i = 0; i < 2; i++)
            await TryAsync(Fault);
        _clock.Advance(ProviderBreaker.FirstBreak);
        var attempt = new TaskCompletionSource<NntpConnectResult>();
        var probing = _breaker.TryAsync(_ => attempt.Task, CancellationToken.None);
        for (var i = 0; i < 10; i++)
        {
            var (result, wait) = await TryAsync(Fine);
            Assert.Null(result);
            Assert.InRange(wait, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(5));
        }

        Assert.Equal(2, _attempts);
        attempt.SetResult(Fine);
        Assert.Same(Fine, (await probing).Result);
        Assert.Same(Fine, (await TryAsync(Fine)).Result);
    }

    [Fact]
    public async Task An_hour_of_refusals_costs_few_attempts()
    {
        var end = _clock.GetUtcNow() + TimeSpan.FromHours(1);
        while (_clock.GetUtcNow() < end)
        {
            var (result, wait) = await TryAsync(Fault);
            if (result is null)
                _clock.Advance(wait);
        }

        Assert.InRange(_attempts, 15, 25);
    }

    private Task<(NntpConnectResult? Result, TimeSpan Wait)> TryAsync(NntpConnectResult result) => _breaker.TryAsync(
        _ =>
        {
            _attempts++;
            return Task.FromResult(result);
        },
        CancellationToken.None);
}
