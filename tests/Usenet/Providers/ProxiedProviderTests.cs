using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Checks;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>
/// Providers behind a SOCKS 5 or HTTP proxy: what is read, that nothing goes around it, and what people are told when it does not work.
/// </summary>
public sealed class ProxiedProviderTests
{
    /// <summary>A name that the proxy alone knows.</summary>
    private const string Host = "news.invalid";

    [Theory]
    [InlineData("socks5", null, false)]
    [InlineData("socks5", "user:p@ss", true)]
    [InlineData("http", null, true)]
    [InlineData("http", "user:p@ss", false)]
    public async Task A_file_is_read_only_through_the_proxy_which_resolves_the_name(string scheme, string? credentials, bool useTls)
    {
        await using var proxy = new MockProxy { Credentials = credentials };
        await using var usenet = new UsenetFixture(
            [new MockProviderOptions { Tls = useTls, Username = "me", Password = "secret" }],
            (account, _) => account with
            {
                Host = Host,
                Username = "me",
                Password = "secret",
                VerifyCertificate = false,
                Proxy = At(scheme, proxy.Port, credentials)
            },
            prepare: mock => proxy.Names[Host] = new IPEndPoint(IPAddress.Loopback, mock.Port));
        var file = usenet.Post(10_000_000);
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
        Assert.All(proxy.Asked, asked => Assert.Equal($"{Host}:{usenet.Mock.Port}", asked));
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened == proxy.Asked.Count);
    }

    [Fact]
    public async Task The_TLS_certificate_of_the_server_behind_the_proxy_is_verified()
    {
        await using var proxy = new MockProxy();
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Tls = true });
        proxy.Names[Host] = proxy.Names["localhost"] = new IPEndPoint(IPAddress.Loopback, mock.Port);
        var account = new ProviderOptions
        { Host = "localhost", Port = mock.Port, TrustedRoots = [MockCertificate.Shared], Proxy = At("socks5", proxy.Port) };
        var right = await OpenAsync(account);
        Assert.Equal(NntpConnectFailure.None, right.Failure);
        await right.Stream!.DisposeAsync();
        Assert.Equal(NntpConnectFailure.Tls, (await OpenAsync(account with { Host = Host })).Failure);
    }

    [Theory]
    [InlineData("socks5", 1, "failed to connect to news.invalid:119 (reply 1", false)]
    [InlineData("socks5", 2, "does not allow connections to news.invalid:119", true)]
    [InlineData("socks5", 3, "has no network that leads to news.invalid:119", false)]
    [InlineData("socks5", 4, "cannot reach news.invalid:119, or does not find its name", false)]
    [InlineData("socks5", 5, "was refused by news.invalid:119: nothing listens there", false)]
    [InlineData("socks5", 6, "had no answer from news.invalid:119 in time", false)]
    [InlineData("socks5", 7, "reply 7 of SOCKS 5", false)]
    [InlineData("socks5", 8, "does not know addresses like news.invalid:119", false)]
    [InlineData("socks5", 200, "reply 200", false)]
    [InlineData("http", 403, "does not allow connections to news.invalid:119", true)]
    [InlineData("http", 407, "wants a user name and password", true)]
    [InlineData("http", 401, "wants a user name and password", true)]
    [InlineData("http", 500, "cannot reach news.invalid:119", false)]
    [InlineData("http", 502, "cannot reach news.invalid:119", false)]
    [InlineData("http", 504, "cannot reach news.invalid:119", false)]
    [InlineData("http", 418, "it said \"HTTP/1.1 418 No\"", false)]
    public async Task A_refusal_names_the_proxy_and_says_why(string scheme, int refusal, string said, bool isRefused)
    {
        await using var proxy = new MockProxy { Refusal = refusal };
        var result = await OpenAsync(Account(At(scheme, proxy.Port)));
        Assert.Contains(said, result.Reason, StringComparison.Ordinal);
        Assert.Contains($"proxy {scheme}://127.0.0.1:{proxy.Port}", result.Reason, StringComparison.Ordinal);
        Assert.Equal(isRefused ? NntpConnectFailure.ProxyRefused : NntpConnectFailure.Proxy, result.Failure);
    }

    [Theory]
    [InlineData("socks5", "user:wrong", "does not accept the user name and password")]
    [InlineData("socks5", null, "wants a user name and password")]
    [InlineData("http", "user:wrong", "does not accept the user name and password")]
    [InlineData("http", null, "wants a user name and password")]
    public async Task A_login_refused_by_the_proxy_is_reported_without_the_password(string scheme, string? credentials, string said)
    {
        await using var proxy = new MockProxy { Credentials = "user:right" };
        var result = await OpenAsync(Account(At(scheme, proxy.Port, credentials)));
        Assert.Equal(NntpConnectFailure.ProxyRefused, result.Failure);
        Assert.Contains(said, result.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("wrong", result.Reason, StringComparison.Ordinal);
        Assert.Empty(proxy.Asked);
    }

    [Theory]
    [InlineData("socks5", "does not speak SOCKS 5")]
    [InlineData("http", "does not speak HTTP")]
    public async Task An_invalid_proxy_is_reported(string scheme, string said)
    {
        // A news server greets at once, which is neither.
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions());
        var result = await OpenAsync(Account(At(scheme, mock.Port)));
        Assert.Equal(NntpConnectFailure.Proxy, result.Failure);
        Assert.Contains(said, result.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("socks5://127.0.0.1:PORT", "nothing listens there")]
    [InlineData("http://proxy.invalid:3128", "cannot be resolved")]
    public async Task An_unreachable_proxy_is_named(string proxy, string said)
    {
        Assert.True(ProxyAddress.TryParse(proxy.Replace(
            "PORT", ClosedPort().ToString(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal), out var address));
        var result = await OpenAsync(Account(address));
        Assert.Equal(NntpConnectFailure.Proxy, result.Failure);
        Assert.Contains($"proxy {address}", result.Reason, StringComparison.Ordinal);
        Assert.Contains(said, result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_provider_is_connected_within_a_second_of_its_proxys_recovery_while_watched()
    {
        var clock = new ManualTimeProvider();
        clock.Advance(TimeSpan.FromSeconds(1));
        await using var proxy = new MockProxy { Refusal = 4 };
        await using var usenet = new UsenetFixture(
            configure: (account, _) =>
                account with { Host = Host, Proxy = At("socks5", proxy.Port), WarmConnections = 1, MaxConnections = 1 }, time: clock,
            prepare: mock => proxy.Names[Host] = new IPEndPoint(IPAddress.Loopback, mock.Port));
        var provider = usenet.Client.Providers[0];
        await Until.TrueAsync(() => provider.Status is { Phase: ProviderPhase.Down, NextAttempt: not null });
        while (provider.Status.NextAttempt - clock.GetUtcNow() is not { } wait || wait < TimeSpan.FromSeconds(10))
        {
            clock.Advance(TimeSpan.FromSeconds(1));

            // No attempt is under way: only the watch and the break have timers.
            await Until.TrueAsync(() => provider.Status.NextAttempt > clock.GetUtcNow() && clock.ArmedTimers == 2);
        }

        Assert.Contains("does not find its name", provider.Status.Trouble, StringComparison.Ordinal);
        proxy.Refusal = null;
        usenet.Client.OnStatusViewed();
        clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => provider.Status.Phase == ProviderPhase.Connected);
    }

    [Fact]
    public async Task The_account_check_uses_the_proxy_too()
    {
        await using var proxy = new MockProxy { Credentials = "user:pass" };
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Username = "me", Password = "secret" });
        proxy.Names[Host] = new IPEndPoint(IPAddress.Loopback, mock.Port);
        var account = new ProviderOptions
        {
            Host = Host,
            Port = mock.Port,
            UseTls = false,
            Username = "me",
            Password = "secret",
            MaxConnections = 3,
            Proxy = At("http", proxy.Port, "user:pass")
        };
        var verdict = await CheckAsync(account);
        Assert.Equal((true, 3), (verdict.Ok, verdict.Connections));
        Assert.Equal(
            $"Connected to {Host}:{mock.Port} through the proxy http://127.0.0.1:{proxy.Port}.", MessageOf(verdict, CheckStep.Connect));
        Assert.Contains($"The proxy looks up {Host}.", MessageOf(verdict, CheckStep.Resolve), StringComparison.Ordinal);
        Assert.Equal(3, proxy.Asked.Count);

        verdict = await CheckAsync(account with { Proxy = At("http", proxy.Port, "user:other") });
        Assert.Equal((false, CheckStep.Connect), (verdict.Ok, verdict.Results[^1].Step));
        Assert.Contains("does not accept the user name and password", verdict.Results[^1].Message, StringComparison.Ordinal);
    }

    private static Task<CheckVerdict> CheckAsync(ProviderOptions account) =>
        new ProviderCheck(new CheckOptions { Account = account }, TimeProvider.System).RunAsync(CancellationToken.None);

    private static string MessageOf(CheckVerdict verdict, CheckStep step) => verdict.Results.Single(result => result.Step == step).Message;

    private static ProviderOptions Account(ProxyAddress proxy) => new() { Host = Host, Port = 119, UseTls = false, Proxy = proxy };

    private static Task<NntpConnectResult> OpenAsync(ProviderOptions account) =>
        NntpHandshake.OpenAsync(account, static () => false, TimeProvider.System, CancellationToken.None);

    private static ProxyAddress At(string scheme, int port, string? credentials = null)
    {
        var parts = credentials?.Split(':') ?? ["", ""];
        return new ProxyAddress(scheme == "http" ? ProxyKind.Http : ProxyKind.Socks5, "127.0.0.1", port, parts[0], parts[1]);
    }

    /// <summary>A port on which nothing listens.</summary>
    private static int ClosedPort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
