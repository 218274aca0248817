using NzbDav.Fakes;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>How soon people see that a provider is back, and what that costs the provider, on a clock that the test moves.</summary>
public sealed class ProviderProbeTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public ProviderProbeTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task A_recovered_provider_is_connected_within_a_second_while_its_status_is_watched()
    {
        await using var usenet = Start();
        await GoDownAsync(usenet);
        usenet.Mock.RefuseConnections = false;
        usenet.Client.OnStatusViewed();
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => StatusOf(usenet).Phase == ProviderPhase.Connected);
        Assert.Null(StatusOf(usenet).Trouble);
    }

    [Fact]
    public async Task A_recovery_is_noticed_as_soon_for_a_provider_that_had_served_nothing()
    {
        await using var usenet = Start();
        usenet.Mock.RefuseConnections = false;
        await Until.TrueAsync(() =>
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            return StatusOf(usenet).Phase == ProviderPhase.Connected;
        });
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await GoDownAsync(usenet);
        usenet.Mock.RefuseConnections = false;
        usenet.Client.OnStatusViewed();
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => StatusOf(usenet).Phase == ProviderPhase.Connected);
    }

    [Fact]
    public async Task A_provider_that_is_down_is_probed_every_second_and_every_five_after_ten_minutes()
    {
        await using var usenet = Start();
        await GoDownAsync(usenet);
        var asked = 0L;
        for (var second = 0; second < 10; second++)
            asked += await LookAsync(usenet);
        Assert.Equal(10, asked);

        // A page that is open and hidden. Second by second: in a minute that passes at once, the time of an attempt would be over before it
        // has begun.
        for (var second = 0; second < 12 * 60; second++)
            await StepAsync(usenet);

        while (StatusOf(usenet).NextAttempt - _clock.GetUtcNow() < TimeSpan.FromSeconds(60))
            await StepAsync(usenet);
        asked = 0;
        for (var second = 0; second < 20; second++)
            asked += await LookAsync(usenet);
        // The first of them is as old as it happens to be.
        Assert.InRange(asked, 4, 5);
    }

    [Fact]
    public async Task While_its_status_is_not_watched_nothing_is_sent_before_the_break_ends()
    {
        await using var usenet = Start();
        await GoDownAsync(usenet);
        usenet.Client.OnStatusViewed();
        var until = StatusOf(usenet).NextAttempt!.Value;
        for (var second = 0; second < 3; second++)
            await StepAsync(usenet);
        var before = usenet.Mock.Stats.ConnectionsRefused;
        while (_clock.GetUtcNow() < until - TimeSpan.FromSeconds(1))
            await StepAsync(usenet);
        Assert.Equal(before, usenet.Mock.Stats.ConnectionsRefused);
    }

    [Theory]
    [InlineData("481 account expired\r\n", NntpConnectFailure.LoginRefused)]
    [InlineData(null, NntpConnectFailure.BadGreeting)]
    public async Task A_login_that_fails_is_not_tried_again_because_the_server_greets(string? answer, NntpConnectFailure failure)
    {
        var (connections, logins, refusing) = (0, 0, true);
        await using var server = new ScriptedServer(async peer =>
        {
            Interlocked.Increment(ref connections);
            await peer.SayAsync(Volatile.Read(ref refusing) ? "500 not now\r\n" : "200 hello\r\n");
            if (await peer.HearAsync() is null)
                return;
            Interlocked.Increment(ref logins);
            if (answer is not null)
                await peer.SayAsync(answer);
            peer.Close();
        });
        await using var usenet = new UsenetFixture([new()],
            (options, _) => options with { Port = server.Port, Username = "me", Password = "secret", MaxConnections = 1 }, time: _clock);
        await GoDownAsync(usenet);
        var reason = StatusOf(usenet).Reason;

        // The first greeting leads to a login, which fails; no other second does.
        Volatile.Write(ref refusing, false);
        usenet.Client.OnStatusViewed();
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => StatusOf(usenet).Reason != reason);
        await SettleAsync(usenet);
        Assert.Equal((failure, 1), (StatusOf(usenet).Failure, Volatile.Read(ref logins)));
        var (before, until) = (Volatile.Read(ref connections), StatusOf(usenet).NextAttempt!.Value);
        while (_clock.GetUtcNow() < until - TimeSpan.FromSeconds(1))
            await LookAsync(usenet);
        Assert.Equal((before, 1), (Volatile.Read(ref connections), Volatile.Read(ref logins)));
    }

    private static ProviderStatus StatusOf(UsenetFixture usenet) => usenet.Client.Providers[0].Status;

    private UsenetFixture Start() =>
        new([new MockProviderOptions()], (options, _) => options with { WarmConnections = 1, MaxConnections = 1 }, time: _clock,
            prepare: static mock => mock.RefuseConnections = true);

    /// <summary>Until its break is longer than what the test looks at.</summary>
    private async Task GoDownAsync(UsenetFixture usenet)
    {
        await Until.TrueAsync(() => StatusOf(usenet) is { Phase: ProviderPhase.Down, NextAttempt: not null });
        while (StatusOf(usenet).NextAttempt - _clock.GetUtcNow() is not { } wait || wait < TimeSpan.FromSeconds(60))
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            await SettleAsync(usenet);
        }
    }

    /// <summary>A second in which somebody looks.</summary>
    /// <returns>Connections that the provider saw for it.</returns>
    private async Task<long> LookAsync(UsenetFixture usenet)
    {
        usenet.Client.OnStatusViewed();
        return await StepAsync(usenet);
    }

    private async Task<long> StepAsync(UsenetFixture usenet)
    {
        var before = usenet.Mock.Stats.ConnectionsRefused;
        _clock.Advance(TimeSpan.FromSeconds(1));
        await SettleAsync(usenet);
        return usenet.Mock.Stats.ConnectionsRefused - before;
    }

    /// <summary>No attempt and no probe is under way: only the watch and the break have timers.</summary>
    private async Task SettleAsync(UsenetFixture usenet) =>
        await Until.TrueAsync(() => StatusOf(usenet).NextAttempt > _clock.GetUtcNow() && _clock.ArmedTimers == 2);
}
