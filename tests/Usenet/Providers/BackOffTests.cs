using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>A provider that refuses or is lost: it is tried seldom and by one connection, and all are back once it answers.</summary>
public sealed class BackOffTests
{
    [Fact]
    public async Task A_refused_login_is_retried_by_only_one_connection_and_rarely()
    {
        await using var usenet = new PoolFixture(
            new() { Username = "me", Password = "right" }, options => options with { Username = "me", Password = "wrong" });
        await usenet.BackOffAsync();
        Assert.Equal(2, usenet.Mock.Stats.LoginsRefused);
        var status = usenet.Status;
        Assert.Equal((ProviderState.Failing, NntpConnectFailure.LoginRefused, 0), (status.State, status.Failure, status.OpenConnections));

        var end = usenet.Clock.GetUtcNow() + TimeSpan.FromHours(1);
        while (usenet.Clock.GetUtcNow() < end)
            await usenet.SkipBackOffAsync();
        await usenet.BackOffAsync();
        Assert.InRange(usenet.Mock.Stats.LoginsRefused, 15, 25);
        Assert.Equal(usenet.Mock.Stats.LoginsRefused, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task All_connections_open_once_the_password_is_right()
    {
        await using var usenet = new PoolFixture(
            new() { Username = "me", Password = "right" }, options =>
                options with { Username = "me", Password = "right" }, mock => mock.RefuseLogins = 4);
        for (var i = 0; i < 3; i++)
            await usenet.SkipBackOffAsync();
        await usenet.OpenAsync(8);
        Assert.Equal(4, usenet.Mock.Stats.LoginsRefused);
        var status = usenet.Status;
        Assert.Equal(
            (ProviderState.Ready, NntpConnectFailure.None, null, null), (status.State, status.Failure, status.Reason, status.NextAttempt));
    }

    [Fact]
    public async Task A_lost_provider_keeps_its_requests_for_a_moment()
    {
        await using var usenet = new PoolFixture(new(), options => options with { MaxConnections = 1 });
        await usenet.OpenAsync(1);
        await usenet.AgeAsync();
        var file = usenet.Post(100_000);
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await usenet.BackOffAsync();
        var probing = usenet.ProbeAsync(file);
        Assert.False(probing.IsCompleted);
        usenet.Mock.RefuseConnections = false;
        await usenet.SkipBackOffAsync();
        Assert.Null(await probing);
    }

    [Fact]
    public async Task A_provider_that_stays_down_fails_its_requests_with_the_reason_and_new_ones_at_once()
    {
        await using var usenet = new PoolFixture(new() { Name = "mock" }, options => options with { MaxConnections = 1 });
        await usenet.OpenAsync(1);
        await usenet.AgeAsync();
        var file = usenet.Post(100_000);
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await usenet.BackOffAsync();
        var since = usenet.Clock.GetUtcNow();
        var probing = usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Import, CancellationToken.None);
        Assert.False(probing.IsCompleted);

        // The clock stands still once the grace is over: what ends the probe then has nothing more to wait for.
        while (!probing.IsCompleted && usenet.Clock.GetUtcNow() - since < TimeSpan.FromSeconds(8))
            await usenet.SkipBackOffAsync();
        var probe = await probing;
        Assert.Equal(ContentFault.Unavailable, probe.Fault);
        Assert.Contains("mock: 127.0.0.1", probe.Reason, StringComparison.Ordinal);
        Assert.InRange(usenet.Clock.GetUtcNow() - since, TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(15));
        Assert.True(usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Import, CancellationToken.None).IsCompleted);
    }

    [Fact]
    public async Task A_provider_that_vanishes_is_not_flooded_with_connections()
    {
        await using var usenet = new PoolFixture(new(), options => options with { MaxConnections = 20 });
        await usenet.OpenAsync(20);
        await usenet.AgeAsync();
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(() => usenet.Status.NextAttempt > usenet.Clock.GetUtcNow());

        // One tries for all, and once more: that opens the breaker, however many worked a moment ago.
        Assert.Equal(2, usenet.Mock.Stats.ConnectionsRefused);
        usenet.Mock.RefuseConnections = false;
        await usenet.SkipBackOffAsync();
        await usenet.OpenAsync(20);
        Assert.Equal((2L, 40L), (usenet.Mock.Stats.ConnectionsRefused, usenet.Mock.Stats.ConnectionsOpened));
    }

    [Fact]
    public async Task A_partly_failing_provider_is_not_flooded_and_regains_all_connections()
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
        await using var usenet = new PoolFixture(new(), options => options with { Port = server.Port, MaxConnections = 20 }, log: log);
        await usenet.OpenAsync(20);
        await usenet.AgeAsync();
        Volatile.Write(ref refuses, true);
        foreach (var peer in greeted.Take(19))
            peer.Close(reset: true);
        await usenet.OpenAsync(1);
        await Until.TrueAsync(() => log.Entries.Any(entry => entry.Text.Contains("next attempt in 2 s", StringComparison.Ordinal))
            && usenet.Clock.ArmedTimers == 2);
        Assert.Equal(22, server.Connections);
        Volatile.Write(ref refuses, false);
        usenet.Clock.Advance(ProviderBreaker.FirstBreak);
        await usenet.OpenAsync(20);
        Assert.Equal(41, server.Connections);
    }
}
