using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>How many connections a provider has, and how it keeps them.</summary>
public sealed class ConnectionPoolTests
{
    [Fact]
    public async Task Only_the_warm_connections_are_opened_at_startup()
    {
        await using var usenet = new PoolFixture(new(), options => options with { WarmConnections = 3 });
        await usenet.OpenAsync(3);
        await usenet.IdleAsync(TimeSpan.FromMinutes(5));
        Assert.Equal((3L, 3L), (usenet.Mock.Stats.ConnectionsOpened, usenet.Mock.Stats.ConnectionsOpen));
    }

    [Fact]
    public async Task Without_warm_connections_the_first_request_opens_one()
    {
        await using var usenet = new PoolFixture(new(), options => options with { WarmConnections = 0 });
        var file = usenet.Post(100_000);
        Assert.Equal(0, usenet.Mock.Stats.ConnectionsOpened);
        await usenet.ProbeAsync(file);
        Assert.Equal(1, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_connection_does_not_carry_the_async_locals_of_the_request_that_wanted_it()
    {
        var request = new AsyncLocal<string?>();
        string? seen = null;
        var dialler = new Dialler(TimeProvider.System)
        {
            Connect = async (address, cancellationToken) =>
            {
                seen = request.Value ?? "none";
                var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
                await socket.ConnectAsync(address, cancellationToken);
                return socket;
            },
        };
        await using var usenet = new UsenetFixture(
            configure: static (options, _) => options with { WarmConnections = 0 }, dialler: dialler);
        request.Value = "GET";
        var file = usenet.Post(100_000);
        await usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Import, CancellationToken.None);
        Assert.Equal("none", seen);
    }

    [Fact]
    public async Task More_connections_open_under_load_and_close_when_idle()
    {
        await using var usenet = new PoolFixture(new(), options => options with { WarmConnections = 2, MaxConnections = 6 });
        await usenet.OpenAsync(2);
        await usenet.FillAsync(6);
        await usenet.IdleAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(6, usenet.Status.OpenConnections);
        await usenet.IdleAsync(TimeSpan.FromMinutes(2));
        await usenet.OpenAsync(2);
        await usenet.IdleAsync(TimeSpan.FromMinutes(10));
        Assert.Equal(
            (6L, 2L, 4L), (usenet.Mock.Stats.ConnectionsOpened, usenet.Mock.Stats.ConnectionsOpen, usenet.Mock.Stats.Commands["QUIT"]));
    }

    [Fact]
    public async Task Idle_connections_close_for_good_when_the_account_allows_fewer_than_configured()
    {
        await using var usenet = new PoolFixture(new() { MaxConnections = 4 }, options => options with { WarmConnections = 2 });
        await usenet.OpenAsync(2);
        await usenet.FillAsync(4);
        await Until.TrueAsync(() => usenet.Status.MaxConnections == 4);
        await DialsEndedAsync();
        for (var second = 0; second < 180; second++)
        {
            // One more is tried after a minute. Still under way when the first connections close, it would be allowed.
            await usenet.IdleAsync(TimeSpan.FromSeconds(1));
            await DialsEndedAsync();
        }

        await usenet.OpenAsync(2);
        await usenet.IdleAsync(TimeSpan.FromMinutes(10));
        Assert.Equal(4, usenet.Mock.Stats.ConnectionsOpened);

        Task DialsEndedAsync() => Until.TrueAsync(() => usenet.Client.Providers[0].Unopened == 0);
    }

    [Fact]
    public async Task An_idle_connection_is_kept_alive_once_a_minute()
    {
        await using var usenet = new PoolFixture(new(), options => options with { WarmConnections = 2 });
        await usenet.OpenAsync(2);
        usenet.Clock.Advance(TimeSpan.FromSeconds(60));
        Assert.False(usenet.Mock.Stats.Commands.ContainsKey("DATE"));
        usenet.Clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => usenet.KeepAlives == 2);
        await usenet.IdleAsync(TimeSpan.FromMinutes(10));
        Assert.InRange(usenet.KeepAlives, 20, 22);
        Assert.Equal(2, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task A_connection_that_stalls_is_closed_after_ten_seconds_and_its_requests_are_served_elsewhere()
    {
        await using var usenet = new PoolFixture(new(), options => options with { WarmConnections = 2, MaxConnections = 2 });
        await usenet.OpenAsync(2);
        var file = usenet.Post(100_000);
        var stall = usenet.Mock.Faults.Add(Fault.Silence, FaultTarget.All, timesInAll: 1);

        // By the priority for which nothing is asked a second time elsewhere: here it is the connection that counts.
        var probing = usenet.ProbeAsync(file, FetchPriority.Health);
        await Until.TrueAsync(() => stall.Struck == 1);
        usenet.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.False(probing.IsCompleted);
        usenet.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(await probing);

        // The article may be there before the pool knows that the connection is gone.
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened == 3);
        await usenet.OpenAsync(2);
        Assert.Equal(3, usenet.Mock.Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task An_unanswered_keep_alive_ends_the_connection()
    {
        // A server that greets and then says nothing any more.
        await using var server = new ScriptedServer(peer => peer.SayAsync("200 hello\r\n"));
        await using var usenet = new PoolFixture(
            new(), options => options with { Port = server.Port, WarmConnections = 1, MaxConnections = 1 });
        await usenet.OpenAsync(1);
        usenet.Clock.Advance(TimeSpan.FromSeconds(61));
        usenet.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(1, server.Connections);
        usenet.Clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => server.Connections == 2);
    }

    [Fact]
    public async Task The_limit_is_tested_again_after_a_minute_and_grows_up_to_the_configured_one()
    {
        await using var usenet = new PoolFixture(new() { MaxConnections = 2 }, static options => options);
        await Until.TrueAsync(() =>
            usenet.Status is { OpenConnections: 2, MaxConnections: 2 } && usenet.Client.Providers[0].Unopened == 0);
        var refused = usenet.Mock.Stats.ConnectionsRefused;
        await usenet.IdleAsync(TimeSpan.FromSeconds(55));
        Assert.Equal(refused, usenet.Mock.Stats.ConnectionsRefused);
        usenet.Mock.MaxConnections = 6;

        // The clock stands while the pool connects: to it, an attempt that takes seconds is lost.
        await usenet.IdleAsync(TimeSpan.FromSeconds(5));
        await Until.TrueAsync(() => usenet.Status is { OpenConnections: 6, MaxConnections: 6 });
        Assert.Equal(refused + 1, usenet.Mock.Stats.ConnectionsRefused);
    }

    [Fact]
    public async Task The_line_is_measured_when_the_account_allows_less_than_half_of_what_is_configured()
    {
        await using var usenet = new PoolFixture(new() { MaxConnections = 4 }, options => options with { MaxConnections = 20 });
        await Until.TrueAsync(() => usenet.Status is { OpenConnections: 4, MaxConnections: 4 });
        var file = usenet.Post(8 * 700_000);
        await Task.WhenAll(
            file.Segments.Select(segment => usenet.Client.ProbeAsync(segment.MessageId, FetchPriority.Import, CancellationToken.None)));

        // On this clock an article takes no time. A guess is limited to 64 MiB then, a measurement to 128.
        Assert.Equal(128L << 20, usenet.Client.Cache.Burst);
    }
}
