using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Checks;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Checks;

/// <summary>What the check of an account says, against servers that do one thing wrong.</summary>
public sealed class ProviderCheckTests
{
    private static readonly ProviderOptions Account = new()
    { Host = "127.0.0.1", UseTls = false, Username = "me", Password = "secret", MaxConnections = 6 };

    [Fact]
    public async Task A_working_account_is_checked_step_by_step_and_all_connections_are_closed()
    {
        await using var mock = MockProvider.Start(new ArticleStore(),
            new MockProviderOptions { Tls = true, Username = "me", Password = "secret", Latency = TimeSpan.FromMilliseconds(5) });
        var file = mock.Store.AddFile("film.mkv", new SeededSource(1, "film", 10_000_000));
        var verdict = await RunAsync(Account
            with
        { Host = "localhost", Port = mock.Port, UseTls = true, TrustedRoots = [MockCertificate.Shared] }, articles: Ids(file));
        Assert.Equal(Enum.GetValues<CheckStep>(), verdict.Results.Select(static result => result.Step));
        Assert.All(verdict.Results, static result => Assert.True(result is { Ok: true, Skipped: false }, result.Message));
        Assert.True(verdict.Ok);
        Assert.Equal(6, verdict.Connections);
        Assert.InRange(verdict.RoundTrip!.Value.TotalMilliseconds, 5, 2_000);
        Assert.True(verdict.Rate > 0);
        Assert.Contains("certificate of MockUsenet, valid until", MessageOf(verdict, CheckStep.Tls), StringComparison.Ordinal);
        Assert.Contains("10.", MessageOf(verdict, CheckStep.Speed), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", string.Join(' ', verdict.Results), StringComparison.Ordinal);
        await Until.TrueAsync(() => mock.Stats.ConnectionsOpen == 0);

        // Told, not dropped: the server need not find out that they are gone.
        Assert.Equal(6, mock.Stats.Commands["QUIT"]);
    }

    [Fact]
    public async Task Connections_are_opened_until_the_first_refusal_and_counted()
    {
        await using var mock = MockProvider.Start(new ArticleStore(),
            new MockProviderOptions { Username = "me", Password = "secret", MaxConnections = 4, CapRefusal = CapRefusal.AtLogin });
        var verdict = await RunAsync(Account with { Port = mock.Port, MaxConnections = 50 });
        Assert.Equal((true, 4), (verdict.Ok, verdict.Connections));
        Assert.Contains(
            "4 of 50 connections are granted. The next was refused: ", MessageOf(verdict, CheckStep.Connections), StringComparison.Ordinal);
        Assert.Contains("502 Too many connections", MessageOf(verdict, CheckStep.Connections), StringComparison.Ordinal);
        Assert.InRange(mock.Stats.ConnectionsPeak, 4, 12);
    }

    [Theory]
    [InlineData(CapRefusal.AtGreeting)]
    [InlineData(CapRefusal.AtLogin)]
    public async Task Connections_already_open_count_towards_the_account(CapRefusal refusal)
    {
        await using var mock = MockProvider.Start(
            new ArticleStore(), new MockProviderOptions { Username = "me", Password = "secret", MaxConnections = 3, CapRefusal = refusal });
        var inUse = new List<NntpConnectResult>();
        for (var i = 0; i < 3; i++)
            inUse.Add(await NntpHandshake.OpenAsync(
                Account with { Port = mock.Port }, static () => false, TimeProvider.System, CancellationToken.None));
        var full = await RunAsync(Account with { Port = mock.Port, MaxConnections = 20 }, own: 3);
        Assert.Equal((true, 3), (full.Ok, full.Connections));
        Assert.Equal("The account grants 3 connections, and this server has all of them open.", MessageOf(full, CheckStep.Connections));
        Assert.Equal(CheckStep.Connections, full.Results[^1].Step);

        await inUse[0].Stream!.DisposeAsync();
        await Until.TrueAsync(() => mock.Stats.ConnectionsOpen == 2);
        var one = await RunAsync(Account with { Port = mock.Port, MaxConnections = 3 }, own: 2);
        Assert.Equal((true, 3), (one.Ok, one.Connections));
        Assert.Equal("All 3 connections are granted, the 2 that this server has open included.", MessageOf(one, CheckStep.Connections));
        foreach (var connection in inUse.Skip(1))
            await connection.Stream!.DisposeAsync();
    }

    [Theory]
    [InlineData("481 Authentication failed", "User name or password is wrong: the server said \"481 Authentication failed\"")]
    [InlineData("482 Authentication rejected", "The server rejects the login: it said \"482 Authentication rejected\"")]
    [InlineData("502 Access denied", "The server does not let this account in: it said \"502 Access denied\"")]
    [InlineData("502 Too many connections", "All connections of this account are in use: the server said \"502 Too many connections\"")]
    [InlineData("483 TLS required", "Switch TLS on")]
    [InlineData("500 What?", "Check user name and password")]
    public async Task A_refused_login_is_explained_with_the_servers_own_words(string answer, string message)
    {
        await using var server = new ScriptedServer(async peer =>
        {
            await peer.SayAsync("200 hello\r\n");
            await peer.AnswerAsync("381 password\r\n");
            await peer.AnswerAsync($"{answer}\r\n");
        });
        var failed = await FailAsync(Account with { Port = server.Port }, CheckStep.Login);
        Assert.Contains(message, failed, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", failed, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("expired", "its certificate expired on 2001-01-01")]
    [InlineData("wrong name", "its certificate is for news.example.com, not for 127.0.0.1")]
    [InlineData("self-signed", "its certificate is self-signed")]
    [InlineData("unknown issuer", "its certificate is issued by Some Authority, which this system does not trust")]
    public async Task A_rejected_certificate_is_explained(string kind, string message)
    {
        using var certificate = Certify(kind);
        await using var server = new ScriptedServer(static peer => peer.SayAsync("200 hello\r\n"), certificate);
        var account = Account with { Port = server.Port, UseTls = true, Username = "", Password = "" };
        Assert.Contains($"The certificate is not accepted: {message}.", await FailAsync(account, CheckStep.Tls), StringComparison.Ordinal);

        // Who switched the check off is told all the same.
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Tls = true, Certificate = certificate });
        var verdict = await RunAsync(account with { Port = mock.Port, VerifyCertificate = false });
        Assert.True(verdict.Ok);
        Assert.Contains($"but nobody checks the certificate, and {message}.", MessageOf(verdict, CheckStep.Tls), StringComparison.Ordinal);
    }

    [Fact]
    public async Task TLS_to_a_plain_port_says_so()
    {
        await using var server = new ScriptedServer(static peer => peer.SayAsync("200 hello, this is no TLS\r\n"));
        Assert.Contains("does not speak TLS", await FailAsync(Account with { Port = server.Port, UseTls = true }, CheckStep.Tls),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_TLS_port_without_TLS_is_silent_and_the_check_says_why()
    {
        var clock = new ManualTimeProvider();
        await using var server = new ScriptedServer(static _ => Task.CompletedTask);
        var check = new ProviderCheck(new CheckOptions { Account = Account with { Port = server.Port } }, clock);
        var running = check.RunAsync(CancellationToken.None);

        // It knows the address, is connected, and leaves TLS out. Then the limits of the whole and of one step are armed.
        await Until.TrueAsync(() => check.StepsDone == 3 && clock.ArmedTimers == 2);
        await MoveAsync(clock, running);
        var verdict = await running;
        Assert.Equal(CheckStep.Greeting, verdict.Results[^1].Step);
        Assert.False(verdict.Ok);
        Assert.Contains("a TLS port does so without TLS. Switch TLS on.", verdict.Results[^1].Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_closed_port_and_an_unknown_host_name_are_told_apart()
    {
        int port;
        await using (var server = new ScriptedServer(static _ => Task.CompletedTask))
            port = server.Port;
        Assert.Contains(
            $"Nothing listens on port {port}", await FailAsync(Account with { Port = port }, CheckStep.Connect), StringComparison.Ordinal);
        Assert.Contains("no-such-host.invalid", await FailAsync(Account with { Host = "no-such-host.invalid" }, CheckStep.Resolve),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("400 come back later", "not available at the moment")]
    [InlineData("502 not from your country", "does not serve this address")]
    [InlineData("220 mail.example ESMTP", "no news server")]
    public async Task An_invalid_greeting_is_explained(string greeting, string message)
    {
        await using var server = new ScriptedServer(peer => peer.SayAsync($"{greeting}\r\n"));
        var failed = await FailAsync(Account with { Port = server.Port }, CheckStep.Greeting);
        Assert.Contains(message, failed, StringComparison.Ordinal);
        Assert.Contains($"\"{greeting}\"", failed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_requires_a_login_is_reported_when_none_is_given()
    {
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Username = "me", Password = "secret" });
        Assert.Contains("wants a user name",
            await FailAsync(Account with { Port = mock.Port, Username = "", Password = "" }, CheckStep.Login), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "the library holds no post yet")]
    [InlineData(false, "none of 3 articles of your library is on this server")]
    public async Task The_speed_is_not_measured_without_articles(bool isEmpty, string message)
    {
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Username = "me", Password = "secret" });
        var verdict = await RunAsync(Account with { Port = mock.Port }, articles: isEmpty ? [] : ["a@gone", "b@gone", "c@gone"]);
        Assert.True(verdict.Ok);
        Assert.Null(verdict.Rate);
        var speed = Assert.Single(verdict.Results, static result => result.Step == CheckStep.Speed);
        Assert.True(speed.Skipped);
        Assert.Contains(message, speed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_measurement_stops_at_twenty_megabytes()
    {
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Username = "me", Password = "secret" });
        var file = mock.Store.AddFile("film.mkv", new SeededSource(1, "film", 100_000_000));
        var verdict = await RunAsync(Account with { Port = mock.Port, MaxConnections = 2 }, articles: Ids(file));
        Assert.True(verdict.Rate > 0);

        // Two more on each connection may be under way when the bound is passed.
        Assert.InRange(mock.Stats.PayloadBytes, 20_000_000, 20_000_000 + (5 * 800_000));
    }

    [Fact]
    public async Task A_cancelled_check_leaves_no_connection()
    {
        await using var server = new ScriptedServer(static _ => Task.CompletedTask);
        using var cancel = new CancellationTokenSource();
        var running = new ProviderCheck(new CheckOptions { Account = Account with { Port = server.Port } }, TimeProvider.System)
            .RunAsync(cancel.Token);
        await server.Accepted.Task;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    private static string[] Ids(PostedFile file) => [.. file.Segments.Select(static segment => segment.MessageId)];

    private static Task<CheckVerdict> RunAsync(ProviderOptions account, int own = 0, string[]? articles = null) =>
        new ProviderCheck(new CheckOptions
        {
            Account = account,
            OwnConnections = own,
            Articles = (most, _) => Task.FromResult<IReadOnlyList<string>>([.. (articles ?? []).Take(most)])
        }, TimeProvider.System)
            .RunAsync(CancellationToken.None);

    private static string MessageOf(CheckVerdict verdict, CheckStep step) =>
        Assert.Single(verdict.Results, result => result.Step == step).Message;

    /// <summary>What the step says that fails; it is the last.</summary>
    private static async Task<string> FailAsync(ProviderOptions account, CheckStep step)
    {
        var verdict = await RunAsync(account);
        Assert.False(verdict.Ok);
        Assert.Equal((step, false), (verdict.Results[^1].Step, verdict.Results[^1].Ok));
        Assert.All(verdict.Results.SkipLast(1), static result => Assert.True(result.Ok));
        Assert.Equal((null, null, null), (verdict.Connections, verdict.RoundTrip, verdict.Rate));
        return verdict.Results[^1].Message;
    }

    private static async Task MoveAsync(ManualTimeProvider clock, Task until)
    {
        while (!until.IsCompleted)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }
    }

    private static X509Certificate2 Certify(string kind)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=News", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        if (kind == "wrong name")
            names.AddDnsName("news.example.com");
        else
            names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        var begin = new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);
        var end = begin.AddYears(kind == "expired" ? 1 : 100);
        if (kind != "unknown issuer")
        {
            using var own = request.CreateSelfSigned(begin, end);
            return X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pkcs12), null);
        }

        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var authority = new CertificateRequest("CN=Some Authority", authorityKey, HashAlgorithmName.SHA256);
        authority.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var root = authority.CreateSelfSigned(begin, end);
        using var issued = request.Create(root, begin, end.AddYears(-1), [1, 2, 3, 4]).CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(issued.Export(X509ContentType.Pkcs12), null);
    }
}
