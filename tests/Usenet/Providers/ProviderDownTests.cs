using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>A provider is lost, seems to come back, and is lost again.</summary>
public sealed class ProviderDownTests
{
    private readonly ManualTimeProvider _clock = new();
    private ScriptedPeer? _first;
    private Task<ArticleProbe>? _refused;
    private int _connections;

    // No real clock shows 0, and 0 means never in some places.
    public ProviderDownTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task Requests_queued_during_a_false_recovery_fail_when_the_grace_period_ends()
    {
        await using var server = new ScriptedServer(ServeAsync);
        await using var usenet = Start(server, [new()]);
        var file = usenet.Post(100_000);
        var probing = await LoseAsync(usenet, file);
        for (var second = 0; second < 8; second++)
        {
            Assert.Equal((1, false), (usenet.Client.QueuedRequests, probing.IsCompleted));
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, usenet.Client.QueuedRequests);
        Assert.Equal(ContentFault.Unavailable, (await probing).Fault);
        Assert.Equal(ContentFault.Unavailable, (await _refused!).Fault);
    }

    [Fact]
    public async Task Another_provider_that_works_is_asked_at_once()
    {
        await using var server = new ScriptedServer(ServeAsync);
        await using var usenet = Start(server, [new(), new()]);
        var file = usenet.Post(100_000);
        await Until.TrueAsync(() => usenet.Client.Providers[1].Status.OpenConnections == 1);
        Assert.Null((await await LoseAsync(usenet, file)).Fault);
        Assert.Null((await _refused!).Fault);
    }

    private UsenetFixture Start(ScriptedServer server, MockProviderOptions[] mocks) => new(
        mocks,
        (options, index) => index == 0 ? options with
        {
            Port = server.Port,
            Username = "me",
            Password = "secret",
            MaxConnections = 1
        } : options with { Priority = 1, MaxConnections = 1 },
        time: _clock);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Requests_wait_for_an_account_that_worked_recently_when_its_login_is_refused(bool comesBack)
    {
        await using var usenet = new UsenetFixture(
            [new() { Username = "me", Password = "secret" }], (options, _) =>
                options with { Username = "me", Password = "secret", MaxConnections = 1 }, time: _clock);
        var file = usenet.Post(100_000);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == 1);
        _clock.Advance(TimeSpan.FromSeconds(30));
        usenet.Mock.RefuseLogins = int.MaxValue;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(
            () => usenet.Client.Providers[0].Status is { Failure: NntpConnectFailure.LoginRefused, NextAttempt: not null });
        var probing = usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Health, CancellationToken.None);
        Assert.Equal((1, false), (usenet.Client.QueuedRequests, probing.IsCompleted));
        usenet.Mock.RefuseLogins = comesBack ? 0 : int.MaxValue;
        while (!probing.IsCompleted)
        {
            await Until.TrueAsync(() => probing.IsCompleted || usenet.Client.Providers[0].Status is { OpenConnections: 1 }
                || usenet.Client.Providers[0].Status.NextAttempt > _clock.GetUtcNow());
            if (!comesBack || usenet.Client.Providers[0].Status.OpenConnections == 0)
                _clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(comesBack ? null : ContentFault.Unavailable, (await probing).Fault);
    }

    /// <summary>The first provider is lost, comes back, refuses to serve an article, and then fails by something that may pass. Returns
    /// what an article is asked for after that.</summary>
    private async Task<Task<ArticleProbe>> LoseAsync(UsenetFixture usenet, PostedFile file)
    {
        var lost = usenet.Client.Providers[0];
        await Until.TrueAsync(() => lost.Status.OpenConnections == 1);
        _clock.Advance(TimeSpan.FromSeconds(30));
        _first!.Close();
        _refused = usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Health, CancellationToken.None);
        await Until.TrueAsync(() => lost.Status is { Failure: NntpConnectFailure.BadGreeting, NextAttempt: not null }
            && _clock.ArmedTimers == usenet.Mocks.Count + 1);
        return usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Health, CancellationToken.None);
    }

    private async Task ServeAsync(ScriptedPeer peer)
    {
        switch (Interlocked.Increment(ref _connections))
        {
            case 1:
                _first = peer;
                await peer.SayAsync("200 hello\r\n");
                await peer.AnswerAsync("281 welcome\r\n");
                break;
            case 2:
                // Unusable at once.
                await peer.SayAsync("200 hello\r\n");
                await peer.AnswerAsync("281 welcome\r\n");
                await peer.HearAsync();
                await peer.SayAsync("502 no data left\r\n");
                peer.Close();
                break;
            case 3:
                // May pass: waited for during the rest of its grace.
                peer.Close();
                break;
            default:
                // Silent.
                break;
        }
    }
}
