using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using static NzbDav.Usenet.Tests.Nntp.ScriptedLogin;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>From the greeting to the end of the login, and what is told of those that fail.</summary>
public sealed class NntpHandshakeTests
{
    [Theory]
    [InlineData("200 posting allowed\r\n")]
    [InlineData("201 no posting\r\n")]
    [InlineData("200\r\n")]
    [InlineData("201 bare line feed\n")]
    public async Task A_greeting_is_enough_when_no_login_is_configured(string greeting)
    {
        var result = await OpenAsync(peer => peer.SayAsync(greeting), NoLogin);
        Assert.Equal((NntpConnectFailure.None, ""), (result.Failure, result.Reason));
    }

    [Fact]
    public async Task The_login_is_sent_unchanged_in_UTF_8()
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
    public async Task The_password_is_not_sent_to_a_server_that_does_not_ask_for_it()
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
    public async Task A_login_dialogue_in_single_bytes_is_parsed()
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

    [Theory]
    [InlineData(SocketError.HostNotFound, NntpConnectFailure.UnknownHost)]
    [InlineData(SocketError.NoData, NntpConnectFailure.UnknownHost)]
    [InlineData(SocketError.TryAgain, NntpConnectFailure.TimedOut)]
    [InlineData(SocketError.ConnectionRefused, NntpConnectFailure.Refused)]
    public void A_name_server_that_does_not_answer_is_another_failure_than_a_name_that_does_not_exist(
        SocketError error, NntpConnectFailure failure) =>
        Assert.Equal(failure, NntpHandshake.Unreachable(new SocketException((int)error), Login).Failure);

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
    public async Task An_invalid_greeting_is_quoted(string greeting, bool othersOpen, NntpConnectFailure failure)
    {
        var result = await OpenAsync(peer => peer.SayAsync($"{greeting}\r\n"), Login, othersOpen: othersOpen);
        Assert.Equal(failure, result.Failure);
        Assert.Contains($"answered \"{greeting}\"", result.Reason, StringComparison.Ordinal);
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
    [InlineData("482 Download limit exceeded", true, NntpConnectFailure.LoginRefused)]
    [InlineData("502 You have used your transfer limit", true, NntpConnectFailure.LoginRefused)]
    [InlineData("481 Quota exceeded", true, NntpConnectFailure.LoginRefused)]
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
            Assert.Contains($"answered \"{answer}\"", result.Reason, StringComparison.Ordinal);
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
    public async Task A_server_that_disconnects_during_login_is_a_failure_with_a_reason(int after, bool reset)
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
    public async Task An_endless_line_is_given_up_and_quoted()
    {
        var result = await OpenAsync(peer => peer.SayAsync(new string('2', 10_000)), Login);
        Assert.Equal(NntpConnectFailure.BadGreeting, result.Failure);
        Assert.Contains("answered \"2222", result.Reason, StringComparison.Ordinal);
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
    public async Task A_handshake_can_be_cancelled()
    {
        await using var server = new ScriptedServer(static _ => Task.CompletedTask);
        using var cancel = new CancellationTokenSource();
        var opening = NntpHandshake.OpenAsync(Login with { Port = server.Port }, static () => false, TimeProvider.System, cancel.Token);
        await server.Accepted.Task;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
    }

    [Fact]
    public async Task A_closed_port_is_reported_as_refused()
    {
        int port;
        await using (var server = new ScriptedServer(static _ => Task.CompletedTask))
            port = server.Port;
        var result = await NntpHandshake.OpenAsync(
            Login with { Port = port }, static () => false, TimeProvider.System, CancellationToken.None);
        Assert.Equal(NntpConnectFailure.Refused, result.Failure);
        Assert.Contains($"127.0.0.1:{port} cannot be reached", result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_host_name_is_named()
    {
        var result = await NntpHandshake.OpenAsync(
            Login with { Host = "no-such-host.invalid" }, static () => false, TimeProvider.System, CancellationToken.None);
        Assert.Equal(NntpConnectFailure.UnknownHost, result.Failure);
        Assert.Contains("'no-such-host.invalid'", result.Reason, StringComparison.Ordinal);
    }
}
