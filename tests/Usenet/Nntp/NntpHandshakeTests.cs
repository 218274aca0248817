using System.Security.Cryptography.X509Certificates;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.MockUsenet.Transports;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Nntp;

public sealed class NntpHandshakeTests
{
    private static readonly ProviderOptions NoLogin = new() { Host = "127.0.0.1", UseTls = false };
    private static readonly ProviderOptions Login = NoLogin with { Username = "me", Password = "secret" };

    [Theory]
    [InlineData("200 posting allowed\r\n")]
    [InlineData("201 no posting\r\n")]
    [InlineData("200\r\n")]
    [InlineData("201 bare line feed\n")]
    public async Task A_greeting_is_enough_where_no_login_is_configured(string greeting)
    {
        var result = await OpenAsync(peer => peer.SayAsync(greeting), NoLogin);
        Assert.Equal((NntpConnectFailure.None, ""), (result.Failure, result.Reason));
    }

    [Fact]
    public async Task The_login_is_sent_as_it_is_in_utf8()
    {
        var heard = new List<string?>();
        var result = await OpenAsync(
            async peer =>
            {
                await peer.SayAsync("200 hello\r\n");
                heard.Add(await peer.AnswerAsync("381 password\r\n"));
                heard.Add(await peer.AnswerAsync("281 welcome\r\n"));
            },
            NoLogin with { Username = "jürgen", Password = "pässwörd 🔑 with blanks" });
        Assert.Equal(NntpConnectFailure.None, result.Failure);
        Assert.Equal(["AUTHINFO USER jürgen", "AUTHINFO PASS pässwörd 🔑 with blanks"], heard);
    }

    [Fact]
    public async Task A_server_that_demands_no_password_is_not_told_it()
    {
        var result = await OpenAsync(
            async peer =>
            {
                await peer.SayAsync("200 hello\r\n");
                await peer.AnswerAsync("281 welcome\r\n");
            },
            Login);
        Assert.Equal(NntpConnectFailure.None, result.Failure);
    }

    [Fact]
    public async Task A_whole_login_in_single_bytes_is_understood()
    {
        var result = await OpenAsync(
            async peer =>
            {
                foreach (var c in "200 hello\r\n")
                    await peer.SayAsync($"{c}");
                await peer.HearAsync();
                foreach (var c in "381 password\r\n")
                    await peer.SayAsync($"{c}");
                await peer.HearAsync();
                foreach (var c in "281 welcome\r\n")
                    await peer.SayAsync($"{c}");
            },
            Login);
        Assert.Equal(NntpConnectFailure.None, result.Failure);
    }

    // RFC 3977 §5.1.1: 400 temporarily, 502 permanently unavailable; the rest is what servers and other services say.
    [Theory]
    [InlineData("400 service temporarily unavailable", false, NntpConnectFailure.BadGreeting)]
    [InlineData("502 access denied", false, NntpConnectFailure.BadGreeting)]
    [InlineData("502 Connections from Germany are not allowed", false, NntpConnectFailure.BadGreeting)]
    [InlineData("502 Too many connections", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("400 too many connections from your account", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("502 Connection limit (20) reached", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("400 max connections reached", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("502 access denied", true, NntpConnectFailure.TooManyConnections)]
    [InlineData("503 fault", true, NntpConnectFailure.BadGreeting)]
    [InlineData("480 login first", false, NntpConnectFailure.BadGreeting)]
    [InlineData("220 mail.example ESMTP", false, NntpConnectFailure.BadGreeting)]
    [InlineData("SSH-2.0-OpenSSH_9.6", false, NntpConnectFailure.BadGreeting)]
    [InlineData("HTTP/1.1 400 Bad Request", false, NntpConnectFailure.BadGreeting)]
    [InlineData("", false, NntpConnectFailure.BadGreeting)]
    public async Task A_greeting_that_is_none_is_quoted(string greeting, bool othersOpen, NntpConnectFailure failure)
    {
        var result = await OpenAsync(peer => peer.SayAsync($"{greeting}\r\n"), Login, othersOpen: othersOpen);
        Assert.Equal(failure, result.Failure);
        Assert.Contains($"said \"{greeting}\"", result.Reason, StringComparison.Ordinal);
    }

    // RFC 4643 §2.3.1 and what large providers say.
    [Theory]
    [InlineData("481 Authentication failed", false, NntpConnectFailure.LoginRefused)]
    [InlineData("482 Authentication rejected", false, NntpConnectFailure.LoginRefused)]
    [InlineData("502 Permission denied", false, NntpConnectFailure.LoginRefused)]
    [InlineData("502 Your account expired", false, NntpConnectFailure.LoginRefused)]
    [InlineData("483 Encryption required", true, NntpConnectFailure.LoginRefused)]
    [InlineData("500 What?", true, NntpConnectFailure.LoginRefused)]
    [InlineData("501 Syntax", false, NntpConnectFailure.LoginRefused)]
    [InlineData("200 out of step", false, NntpConnectFailure.LoginRefused)]
    [InlineData("nonsense", false, NntpConnectFailure.LoginRefused)]
    [InlineData("502 too many connections for your user", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("481 Max Connections Exceeded", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("482 connection limit", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("400 Too many connections", false, NntpConnectFailure.TooManyConnections)]
    [InlineData("481 Authentication failed", true, NntpConnectFailure.TooManyConnections)]
    public async Task A_refused_login_is_quoted(string answer, bool othersOpen, NntpConnectFailure failure)
    {
        foreach (var atPassword in new[] { false, true })
        {
            var result = await OpenAsync(
                async peer =>
                {
                    await peer.SayAsync("200 hello\r\n");
                    if (atPassword)
                        await peer.AnswerAsync("381 password\r\n");
                    await peer.AnswerAsync($"{answer}\r\n");
                },
                Login,
                othersOpen: othersOpen);
            Assert.Equal(failure, result.Failure);
            Assert.Contains($"said \"{answer}\"", result.Reason, StringComparison.Ordinal);
            Assert.DoesNotContain("secret", result.Reason, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(0, true)]
    [InlineData(1, true)]
    [InlineData(2, true)]
    public async Task A_server_that_leaves_in_between_is_a_failure_with_a_reason(int after, bool reset)
    {
        var result = await OpenAsync(
            async peer =>
            {
                if (after > 0)
                    await peer.SayAsync("200 hello\r\n");
                if (after > 0)
                    await peer.HearAsync();
                if (after > 1)
                    await peer.SayAsync("381 pass");
                if (after > 1 && !reset)
                    await peer.SayAsync("word\r\n");
                peer.Close(reset);
            },
            Login);

        // A reset may overtake the end of the connect.
        if (after == 0 && reset && result.Failure == NntpConnectFailure.Refused)
            return;
        Assert.Equal(NntpConnectFailure.BadGreeting, result.Failure);
        Assert.Contains("closed the connection", result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_line_without_end_is_given_up_and_quoted()
    {
        var result = await OpenAsync(peer => peer.SayAsync(new string('2', 10_000)), Login);
        Assert.Equal(NntpConnectFailure.BadGreeting, result.Failure);
        Assert.Contains("said \"2222", result.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("closed", result.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(0, true)]
    public async Task A_silent_server_is_given_up_after_the_time_limit(int after, bool tls)
    {
        var clock = new ManualTimeProvider();
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new ScriptedServer(async peer =>
        {
            if (after > 0)
                await peer.SayAsync("200 hello\r\n");
            if (after > 0)
                await peer.HearAsync();
            if (after > 1)
                await peer.SayAsync("381 password\r\n");
            if (after > 1)
                await peer.HearAsync();
            reached.SetResult();
        });
        var options = Login with { Port = server.Port, UseTls = tls };
        var opening = NntpHandshake.OpenAsync(options, static () => false, clock, CancellationToken.None);
        await reached.Task;
        clock.Advance(NntpHandshake.TimeLimit - TimeSpan.FromTicks(1));
        Assert.False(opening.IsCompleted);
        clock.Advance(TimeSpan.FromTicks(1));
        var result = await opening;
        Assert.Equal(NntpConnectFailure.TimedOut, result.Failure);
        Assert.Contains($"127.0.0.1:{server.Port} did not answer within 15 s", result.Reason, StringComparison.Ordinal);
        Assert.Equal(0, clock.ArmedTimers);
    }

    [Fact]
    public async Task Who_calls_may_give_up()
    {
        await using var server = new ScriptedServer(static _ => Task.CompletedTask);
        using var cancel = new CancellationTokenSource();
        var opening = NntpHandshake.OpenAsync(Login with { Port = server.Port }, static () => false, TimeProvider.System, cancel.Token);
        await server.Accepted.Task;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
    }

    [Fact]
    public async Task A_port_where_nobody_listens_is_refused()
    {
        int port;
        await using (var server = new ScriptedServer(static _ => Task.CompletedTask))
            port = server.Port;
        var result = await NntpHandshake.OpenAsync(Login with { Port = port }, static () => false, TimeProvider.System, CancellationToken.None);
        Assert.Equal(NntpConnectFailure.Refused, result.Failure);
        Assert.Contains($"127.0.0.1:{port} cannot be reached", result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_that_does_not_exist_is_named()
    {
        var result = await NntpHandshake.OpenAsync(Login with { Host = "no-such-host.invalid" }, static () => false, TimeProvider.System, CancellationToken.None);
        Assert.Equal(NntpConnectFailure.UnknownHost, result.Failure);
        Assert.Contains("'no-such-host.invalid'", result.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("localhost", true, true, NntpConnectFailure.None, "")]
    [InlineData("127.0.0.1", true, true, NntpConnectFailure.None, "")]
    [InlineData("localhost", false, true, NntpConnectFailure.Tls, "certificate")]
    [InlineData("localhost", false, false, NntpConnectFailure.None, "")]
    [InlineData("127.0.0.2", true, true, NntpConnectFailure.Tls, "RemoteCertificateNameMismatch")]
    [InlineData("127.0.0.2", true, false, NntpConnectFailure.None, "")]
    public async Task Certificates_are_verified_unless_switched_off(string host, bool trusted, bool verify, NntpConnectFailure failure, string reason)
    {
        var options = Login with { Host = host, UseTls = true, VerifyCertificate = verify, TrustedRoots = trusted ? [MockCertificate.Shared] : null };
        var result = await OpenAsync(Welcome, options, certificate: MockCertificate.Shared, anyAddress: true);
        Assert.Equal(failure, result.Failure);
        Assert.Contains(reason, result.Reason, StringComparison.Ordinal);
    }

    // The name is no other class's: the runtime keeps sessions by it, for the whole process.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_next_connection_resumes_the_TLS_session_of_the_one_before(bool verify)
    {
        using var certificate = MockCertificate.Create();
        await using var mock = MockProvider.Start(new ArticleStore(), new MockProviderOptions { Tls = true, Certificate = certificate, Username = "me", Password = "secret" });
        var options = Login with { Host = "localhost", Port = mock.Port, UseTls = true, VerifyCertificate = verify, TrustedRoots = [certificate] };
        for (var connection = 0; connection < 4; connection++)
        {
            var result = await NntpHandshake.OpenAsync(options, static () => false, TimeProvider.System, CancellationToken.None);
            Assert.Equal((NntpConnectFailure.None, ""), (result.Failure, result.Reason));
            await result.Stream!.DisposeAsync();
        }

        Assert.Equal((4, 3), (mock.Stats.Handshakes, mock.Stats.HandshakesResumed));
    }

    [Fact]
    public async Task Another_root_than_the_trusted_one_does_not_help()
    {
        using var other = MockCertificate.Create();
        var options = Login with { Host = "localhost", UseTls = true, TrustedRoots = [other] };
        var result = await OpenAsync(Welcome, options, certificate: MockCertificate.Shared);
        Assert.Equal(NntpConnectFailure.Tls, result.Failure);
    }

    [Fact]
    public async Task TLS_to_a_plain_port_says_what_to_look_at()
    {
        var result = await OpenAsync(peer => peer.SayAsync("200 hello, this is no TLS\r\n"), Login with { UseTls = true });
        Assert.Equal(NntpConnectFailure.Tls, result.Failure);
        Assert.Contains("TLS", result.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("closed", result.Reason, StringComparison.Ordinal);
    }

    private static async Task Welcome(ScriptedPeer peer)
    {
        await peer.SayAsync("200 hello\r\n");
        await peer.AnswerAsync("381 password\r\n");
        await peer.AnswerAsync("281 welcome\r\n");
    }

    private static async Task<NntpConnectResult> OpenAsync(
        Func<ScriptedPeer, Task> script, ProviderOptions options, bool othersOpen = false, X509Certificate2? certificate = null, bool anyAddress = false)
    {
        await using var server = new ScriptedServer(script, certificate, anyAddress);
        var result = await NntpHandshake.OpenAsync(options with { Port = server.Port }, () => othersOpen, TimeProvider.System, CancellationToken.None);
        Assert.Equal(result.Failure == NntpConnectFailure.None, result.Stream is not null);
        if (result.Stream is not null)
            await result.Stream.DisposeAsync();
        return result;
    }
}
