using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Providers;

namespace NzbDav.Usenet.Providers;

/// <summary>A provider's connections over real sockets, on a clock that the test moves.</summary>
public sealed class ConnectionPoolTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public ConnectionPoolTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task The_warm_floor_is_opened_at_the_start_and_no_more()
    {
        await using var usenet = Start(new(), options => options with { WarmConnections = 3 });
        await OpenAsync(usenet, 3);
        await IdleAsync(usenet, TimeSpan.FromMinutes(5));
        Assert.Equal((3L, 3L), (usenet.Mock.Stats.ConnectionsOpened, usenet.Mock.Stats.ConnectionsOpen));
    }

    [Fact]
    public async Task Without_a_warm_floor_the_first_request_opens_a_connection()
    {
        await using var usenet = Start(new(), options => options with { WarmConnections = 0 });
        var file = usenet.Post(100_000);
        Assert.Equal(0, usenet.Mock.Stats.ConnectionsOpened);
        await ProbeAsync(usenet, file);
        Assert.Equal(1, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task Requests_that_find_no_room_open_more_and_those_go_when_they_are_spare()
    {
        await using var usenet = Start(new(), options => options with { WarmConnections = 2, MaxConnections = 6 });
        await OpenAsync(usenet, 2);
        await FillAsync(usenet, 6);
        await IdleAsync(usenet, TimeSpan.FromMinutes(1));
        Assert.Equal(6, usenet.Client.Providers[0].Status.OpenConnections);
        await IdleAsync(usenet, TimeSpan.FromMinutes(2));
        await OpenAsync(usenet, 2);
        await IdleAsync(usenet, TimeSpan.FromMinutes(10));
        Assert.Equal((6L, 2L, 4L), (usenet.Mock.Stats.ConnectionsOpened, usenet.Mock.Stats.ConnectionsOpen, usenet.Mock.Stats.Commands["QUIT"]));
    }

    [Fact]
    public async Task Spare_connections_go_for_good_where_the_account_allows_fewer_than_configured()
    {
        await using var usenet = Start(new() { MaxConnections = 4 }, options => options with { WarmConnections = 2 });
        await OpenAsync(usenet, 2);
        await FillAsync(usenet, 4);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.MaxConnections == 4);
        await IdleAsync(usenet, TimeSpan.FromMinutes(3));
        await OpenAsync(usenet, 2);
        await IdleAsync(usenet, TimeSpan.FromMinutes(10));
        Assert.Equal(4, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task An_idle_connection_is_kept_alive_once_a_minute()
    {
        await using var usenet = Start(new(), options => options with { WarmConnections = 2 });
        await OpenAsync(usenet, 2);
        _clock.Advance(TimeSpan.FromSeconds(60));
        Assert.False(usenet.Mock.Stats.Commands.ContainsKey("DATE"));
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => Dates(usenet) == 2);
        await IdleAsync(usenet, TimeSpan.FromMinutes(10));
        Assert.InRange(Dates(usenet), 20, 22);
        Assert.Equal(2, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_connection_that_stalls_is_closed_after_ten_seconds_and_its_requests_are_served_elsewhere()
    {
        await using var usenet = Start(new(), options => options with { WarmConnections = 2, MaxConnections = 2 });
        await OpenAsync(usenet, 2);
        var file = usenet.Post(100_000);
        var stall = usenet.Mock.Faults.Add(Fault.Stall(after: 1000), FaultTarget.All, timesInAll: 1);

        // By the priority for which nothing is asked a second time elsewhere: here it is the connection that counts.
        var probing = ProbeAsync(usenet, file, FetchPriority.Health);
        await Until.TrueAsync(() => stall.Struck == 1);
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.False(probing.IsCompleted);
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(SegmentOutcome.Found, await probing);

        // The article may be there before the pool knows that the connection is gone.
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened == 3);
        await OpenAsync(usenet, 2);
        Assert.Equal(3, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_keep_alive_without_answer_ends_the_connection()
    {
        // A server that greets and then says nothing any more.
        await using var server = new ScriptedServer(peer => peer.SayAsync("200 hello\r\n"));
        await using var usenet = Start(new(), options => options with { Port = server.Port, WarmConnections = 1, MaxConnections = 1 });
        await OpenAsync(usenet, 1);
        _clock.Advance(TimeSpan.FromSeconds(61));
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(1, server.Connections);
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => server.Connections == 2);
    }

    [Fact]
    public async Task A_refused_login_is_tried_by_one_lane_only_and_seldom()
    {
        await using var usenet = Start(new() { Username = "me", Password = "right" }, options => options with { Username = "me", Password = "wrong" });
        await BackOffAsync(usenet);
        Assert.Equal(2, usenet.Mock.Stats.LoginsRefused);
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((ProviderState.Failing, NntpConnectFailure.LoginRefused, 0), (status.State, status.Failure, status.OpenConnections));

        var end = _clock.GetUtcNow() + TimeSpan.FromHours(1);
        while (_clock.GetUtcNow() < end)
            await SkipBackOffAsync(usenet);
        await BackOffAsync(usenet);
        Assert.InRange(usenet.Mock.Stats.LoginsRefused, 15, 25);
        Assert.Equal(usenet.Mock.Stats.LoginsRefused, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_password_that_becomes_right_opens_all_lanes()
    {
        await using var usenet = Start(
            new() { Username = "me", Password = "right" }, options => options with { Username = "me", Password = "right" }, mock => mock.RefuseLogins = 4);
        for (var i = 0; i < 3; i++)
            await SkipBackOffAsync(usenet);
        await OpenAsync(usenet, 8);
        Assert.Equal(4, usenet.Mock.Stats.LoginsRefused);
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((ProviderState.Ready, NntpConnectFailure.None, null, null), (status.State, status.Failure, status.Reason, status.NextAttempt));
    }

    [Fact]
    public async Task A_provider_that_is_lost_keeps_its_requests_for_a_moment()
    {
        await using var usenet = Start(new(), options => options with { MaxConnections = 1 });
        await OpenAsync(usenet, 1);
        await AgeAsync(usenet);
        var file = usenet.Post(100_000);
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await BackOffAsync(usenet);
        var probing = ProbeAsync(usenet, file);
        Assert.False(probing.IsCompleted);
        usenet.Mock.RefuseConnections = false;
        await SkipBackOffAsync(usenet);
        Assert.Equal(SegmentOutcome.Found, await probing);
    }

    [Fact]
    public async Task A_provider_that_stays_away_fails_its_requests_with_its_reason_and_new_ones_at_once()
    {
        await using var usenet = Start(new() { Name = "mock" }, options => options with { MaxConnections = 1 });
        await OpenAsync(usenet, 1);
        await AgeAsync(usenet);
        var file = usenet.Post(100_000);
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await BackOffAsync(usenet);
        var since = _clock.GetUtcNow();
        var probing = usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Import, CancellationToken.None);
        Assert.False(probing.IsCompleted);

        // The clock stands still once the grace is over: what ends the probe then has nothing more to wait for.
        while (!probing.IsCompleted && _clock.GetUtcNow() - since < TimeSpan.FromSeconds(8))
            await SkipBackOffAsync(usenet);
        var probe = await probing;
        Assert.Equal(SegmentOutcome.Unavailable, probe.Outcome);
        Assert.Contains("mock: 127.0.0.1", probe.Reason, StringComparison.Ordinal);
        Assert.InRange(_clock.GetUtcNow() - since, TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(15));
        Assert.True(usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Import, CancellationToken.None).IsCompleted);
    }

    [Fact]
    public async Task A_provider_that_vanishes_is_not_stormed()
    {
        await using var usenet = Start(new(), options => options with { MaxConnections = 20 });
        await OpenAsync(usenet, 20);
        await AgeAsync(usenet);
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.NextAttempt > _clock.GetUtcNow());

        // One tries for all, and once more: that opens the breaker, however many worked a moment ago.
        Assert.Equal(2, usenet.Mock.Stats.ConnectionsRefused);
        usenet.Mock.RefuseConnections = false;
        await SkipBackOffAsync(usenet);
        await OpenAsync(usenet, 20);
        Assert.Equal((2L, 40L), (usenet.Mock.Stats.ConnectionsRefused, usenet.Mock.Stats.ConnectionsOpened));
    }

    [Fact]
    public async Task One_that_lets_some_connections_live_is_not_stormed_either_and_gets_all_of_them_back()
    {
        var greeted = new ConcurrentQueue<ScriptedPeer>();
        var refuses = false;
        await using var server = new ScriptedServer(async peer =>
        {
            if (Volatile.Read(ref refuses))
            {
                peer.Close();
                return;
            }

            greeted.Enqueue(peer);
            await peer.SayAsync("200 hello\r\n");
        });
        var log = new StubLog();
        await using var usenet = new UsenetFixture([new()], (options, _) => options with { Port = server.Port, MaxConnections = 20 }, time: _clock, log: log);
        await OpenAsync(usenet, 20);
        await AgeAsync(usenet);
        Volatile.Write(ref refuses, true);
        foreach (var peer in greeted.Take(19))
            peer.Close(reset: true);
        await OpenAsync(usenet, 1);
        await Until.TrueAsync(() => log.Entries.Any(entry => entry.Text.Contains("next attempt in 2 s", StringComparison.Ordinal)) && _clock.ArmedTimers == 2);
        Assert.Equal(22, server.Connections);
        Volatile.Write(ref refuses, false);
        _clock.Advance(ProviderBreaker.FirstBreak);
        await OpenAsync(usenet, 20);
        Assert.Equal(41, server.Connections);
    }

    [Fact]
    public async Task The_cap_is_tried_again_after_a_minute_and_grows_as_far_as_it_may()
    {
        await using var usenet = Start(new() { MaxConnections = 2 }, static options => options);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status is { OpenConnections: 2, MaxConnections: 2 } && _clock.ArmedTimers == 1);
        var refused = usenet.Mock.Stats.ConnectionsRefused;
        await IdleAsync(usenet, TimeSpan.FromSeconds(55));
        Assert.Equal(refused, usenet.Mock.Stats.ConnectionsRefused);
        usenet.Mock.MaxConnections = 6;
        await IdleAsync(usenet, TimeSpan.FromSeconds(10));
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status is { OpenConnections: 6, MaxConnections: 6 });
        Assert.Equal(refused + 1, usenet.Mock.Stats.ConnectionsRefused);
    }

    [Theory]
    [InlineData("nzbdav.usenet.first_byte")]
    [InlineData("nzbdav.usenet.receive")]
    public async Task A_fault_of_the_program_costs_a_connection_and_no_article(string instrument)
    {
        using var meters = new ThrowingMeters(instrument, times: 3);
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 1 }, meters: meters);
        var file = usenet.Post(10_000_000);
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length, ReadIntent.Download);
        Assert.Equal(3, meters.Thrown);
        Assert.True(usenet.Mock.Stats.ConnectionsOpened >= 4);
    }

    [Fact]
    public async Task A_fault_of_the_program_while_a_connection_begins_is_got_over_after_a_pause()
    {
        using var meters = new ThrowingMeters("nzbdav.usenet.connect", times: 3);
        var time = new SkippedPauses(ConnectionPool.FaultPause);
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 1 }, time: time, meters: meters);
        Assert.Equal(SegmentOutcome.Found, await ProbeAsync(usenet, usenet.Post(100_000)));
        Assert.Equal((3, 3, 4L), (meters.Thrown, time.Count, usenet.Mock.Stats.ConnectionsOpened));
    }

    private static long Dates(UsenetFixture usenet) => usenet.Mock.Stats.Commands.GetValueOrDefault("DATE");

    private static Task OpenAsync(UsenetFixture usenet, int count) =>
        Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == count);

    private static async Task<SegmentOutcome> ProbeAsync(UsenetFixture usenet, PostedFile file, FetchPriority priority = FetchPriority.Import) =>
        (await usenet.Client.ProbeAsync(file.Segments[0].MessageId, priority, CancellationToken.None)).Outcome;

    private UsenetFixture Start(MockProviderOptions mock, Func<ProviderOptions, ProviderOptions> configure, Action<MockProvider>? prepare = null) =>
        new([mock], (options, _) => configure(options), time: _clock, prepare: prepare);

    /// <summary>Asks for so much at once that all connections are wanted.</summary>
    private async Task FillAsync(UsenetFixture usenet, int connections)
    {
        var file = usenet.Post(4_000_000, new PostOptions { ArticleSize = 50_000 }, name: "fill");
        await Task.WhenAll(file.Segments.Select(segment => usenet.Client.ProbeAsync(segment.MessageId, FetchPriority.Import, CancellationToken.None)));
        await OpenAsync(usenet, connections);
        await WhileNothingComesAsync(usenet);
    }

    /// <summary>Lets time pass with nothing to do; the server's answers to keep-alives come at once, as they do in life.</summary>
    private async Task IdleAsync(UsenetFixture usenet, TimeSpan time)
    {
        for (var second = 0; second < time.TotalSeconds; second++)
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            await WhileNothingComesAsync(usenet);
        }
    }

    /// <summary>The connections have lived long enough for their loss not to be taken for a refusal.</summary>
    private Task AgeAsync(UsenetFixture usenet) => IdleAsync(usenet, TimeSpan.FromSeconds(10));

    /// <summary>All that was asked has been answered.</summary>
    private static Task WhileNothingComesAsync(UsenetFixture usenet) => Until.TrueAsync(() => usenet.Client is { RequestsOnWire: 0, QueuedRequests: 0 });

    /// <summary>The provider has failed and waits for its next attempt.</summary>
    /// <summary>Two timers are the pool's; a third watches over what waits.</summary>
    private Task BackOffAsync(UsenetFixture usenet) =>
        Until.TrueAsync(() => usenet.Client.Providers[0].Status.NextAttempt > _clock.GetUtcNow() && _clock.ArmedTimers == (usenet.Client.QueuedRequests > 0 ? 3 : 2));

    private async Task SkipBackOffAsync(UsenetFixture usenet)
    {
        await BackOffAsync(usenet);
        var attempts = usenet.Mock.Stats.ConnectionsOpened + usenet.Mock.Stats.ConnectionsRefused;
        _clock.Advance(usenet.Client.Providers[0].Status.NextAttempt!.Value - _clock.GetUtcNow());
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened + usenet.Mock.Stats.ConnectionsRefused > attempts);
    }
}
