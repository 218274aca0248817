using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>
/// A provider whose login works and whose connections end before they served anything. Its articles are on a second provider too.
/// </summary>
public sealed class ShortLivedConnectionTests
{
    private readonly ManualTimeProvider _clock = new();

    /// <summary>What the first provider answers to BODY; empty: it ends the connection without a word.</summary>
    private string _answer = "502 quota used up";

    // No real clock shows 0, and 0 means never in some places.
    public ShortLivedConnectionTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Theory]
    [InlineData("400 service temporarily unavailable")]
    [InlineData("480 authentication required")]
    [InlineData("481 account expired")]
    [InlineData("482 out of sequence")]
    [InlineData("502 quota used up")]
    public async Task A_provider_that_refuses_articles_is_left_to_the_breaker_after_two_connections(string answer)
    {
        _answer = answer;
        await using var server = new ScriptedServer(ServeAsync);
        await using var usenet = Start(server, 1);
        var file = usenet.Post(10_000, new PostOptions { ArticleSize = 1000 });

        // The clock stands still: no article waits for a break or a grace.
        await OpenAsync(usenet, 1);
        await ProbeAsync(usenet, file, 0);
        await Until.TrueAsync(() => server.Connections == 2);
        await OpenAsync(usenet, 1);
        await ProbeAsync(usenet, file, 1);
        await WaitForBreakAsync(usenet);
        for (var i = 2; i < 9; i++)
            await ProbeAsync(usenet, file, i);
        Assert.Equal(2, server.Connections);
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((ProviderState.Failing, NntpConnectFailure.ServiceRefused), (status.State, status.Failure));
        Assert.Contains(answer, status.Reason, StringComparison.Ordinal);
        Assert.Equal(ProviderBreaker.FirstBreak, status.NextAttempt - _clock.GetUtcNow());
    }

    [Fact]
    public async Task A_provider_that_disconnects_when_asked_is_left_to_the_breaker()
    {
        _answer = "";
        await using var server = new ScriptedServer(ServeAsync);
        await using var usenet = Start(server, 1);
        var file = usenet.Post(10_000, new PostOptions { ArticleSize = 1000 });
        for (var i = 0; i < 9; i++)
            await ProbeAsync(usenet, file, i);
        await WaitForBreakAsync(usenet);
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((2, ProviderState.Failing, NntpConnectFailure.Refused), (server.Connections, status.State, status.Failure));
    }

    [Fact]
    public async Task A_provider_that_disconnects_after_each_login_is_left_to_the_breaker()
    {
        await using var server = new ScriptedServer(async peer =>
        {
            await peer.SayAsync("200 hello\r\n");
            peer.Close();
        });
        await using var usenet = Start(server, 5);
        await WaitForBreakAsync(usenet);

        // Two are what the breaker waits for; the others of the account may have been on their way.
        Assert.InRange(server.Connections, 2, 5);

        // People see it when the last of them has ended.
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.State == ProviderState.Failing);
    }

    [Fact]
    public async Task Each_break_after_a_login_without_service_is_twice_as_long()
    {
        await using var server = new ScriptedServer(ServeAsync);
        await using var usenet = Start(server, 1);
        var file = usenet.Post(10_000, new PostOptions { ArticleSize = 1000 });
        await OpenAsync(usenet, 1);
        await ProbeAsync(usenet, file, 0);
        await Until.TrueAsync(() => server.Connections == 2);
        for (var failed = 0; failed < 6; failed++)
        {
            await OpenAsync(usenet, 1);
            await ProbeAsync(usenet, file, failed + 1);
            await WaitForBreakAsync(usenet);
            Assert.Equal(2 + failed, server.Connections);
            var wait = usenet.Client.Providers[0].Status.NextAttempt!.Value - _clock.GetUtcNow();
            Assert.Equal(ProviderBreaker.BreakAfter(failed), wait);
            _clock.Advance(wait);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_others_follow_once_one_connection_has_served_or_lived_for_a_while(bool serves)
    {
        var hangsUp = true;
        _answer = "430 no such article";
        await using var server = new ScriptedServer(async peer =>
        {
            if (!Volatile.Read(ref hangsUp))
            {
                await ServeAsync(peer);
                return;
            }

            await peer.SayAsync("200 hello\r\n");
            peer.Close();
        });
        await using var usenet = Start(server, 5);
        var file = usenet.Post(10_000, new PostOptions { ArticleSize = 1000 });
        await WaitForBreakAsync(usenet);
        Volatile.Write(ref hangsUp, false);
        await Until.TrueAsync(() => _clock.ArmedTimers == 3);

        // Others may have followed the very first connection before it ended, and then the break is longer.
        var before = server.Connections;
        _clock.Advance(usenet.Client.Providers[0].Status.NextAttempt!.Value - _clock.GetUtcNow());
        await OpenAsync(usenet, 1);
        Assert.Equal(before + 1, server.Connections);
        if (serves)
            await ProbeAsync(usenet, file, 0);
        else
            _clock.Advance(TimeSpan.FromSeconds(10));
        await OpenAsync(usenet, 5);
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((before + 5, ProviderState.Ready, NntpConnectFailure.None), (server.Connections, status.State, status.Failure));
    }

    [Fact]
    public async Task A_break_is_shown_after_the_last_of_two_simultaneous_connections_ends()
    {
        var (accepted, greet, ends) =
            (0, new TaskCompletionSource(), new[] { new TaskCompletionSource(), new TaskCompletionSource(), new TaskCompletionSource() });
        await using var server = new ScriptedServer(async peer =>
        {
            var number = Interlocked.Increment(ref accepted);
            if (number is 2 or 3)
                await greet.Task;
            await peer.SayAsync("200 hello\r\n");
            if (number <= ends.Length)
                await ends[number - 1].Task;
            peer.Close();
        });
        await using var usenet = Start(server, 3);

        // The first failure, while two more are being opened.
        await Until.TrueAsync(() => server.Connections == 3);
        await OpenAsync(usenet, 1);
        ends[0].SetResult();
        await OpenAsync(usenet, 0);
        greet.SetResult();
        await OpenAsync(usenet, 2);
        ends[1].SetResult();
        await OpenAsync(usenet, 1);
        ends[2].SetResult();
        await WaitForBreakAsync(usenet);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.State == ProviderState.Failing);

        // Another may have followed the very first before it ended.
        Assert.InRange(server.Connections, 3, 4);
    }

    [Fact]
    public async Task A_connection_that_served_is_replaced_at_once()
    {
        var answers = 0;
        await using var server = new ScriptedServer(async peer =>
        {
            await peer.SayAsync("200 hello\r\n");
            while (await peer.HearAsync() is not null)
                await peer.SayAsync(Interlocked.Increment(ref answers) % 2 == 0 ? "400 session is over\r\n" : "430 no\r\n");
        });
        await using var usenet = Start(server, 1);
        var file = usenet.Post(20_000, new PostOptions { ArticleSize = 1000 });
        for (var i = 0; i < 10; i++)
        {
            await Until.TrueAsync(() => server.Connections == i + 1);
            await OpenAsync(usenet, 1);
            await ProbeAsync(usenet, file, 2 * i);
            await ProbeAsync(usenet, file, (2 * i) + 1);
        }

        await Until.TrueAsync(() => server.Connections == 11);
        await OpenAsync(usenet, 1);
        Assert.Equal((20, null), (Volatile.Read(ref answers), usenet.Client.Providers[0].Status.NextAttempt));
    }

    private static Task OpenAsync(UsenetFixture usenet, int count) =>
        Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == count);

    private static async Task ProbeAsync(UsenetFixture usenet, PostedFile file, int index) =>
        Assert.Null(
            (await usenet.Client.ProbeAsync(file.Segments[index].MessageId, FetchPriority.Import, CancellationToken.None)).Fault);

    private UsenetFixture Start(ScriptedServer server, int connections) => new(
        [new(), new()],
        (options, index) => index == 0
            ? options with { Port = server.Port, MaxConnections = connections, WarmConnections = connections }
            : options with { Priority = 1 },
        time: _clock);

    private Task WaitForBreakAsync(UsenetFixture usenet) =>
        Until.TrueAsync(() => usenet.Client.Providers[0].Status.NextAttempt > _clock.GetUtcNow());

    private async Task ServeAsync(ScriptedPeer peer)
    {
        await peer.SayAsync("200 hello\r\n");
        while (await peer.HearAsync() is not null)
        {
            if (_answer.Length == 0)
            {
                peer.Close();
                return;
            }

            await peer.SayAsync($"{_answer}\r\n");
        }
    }
}
