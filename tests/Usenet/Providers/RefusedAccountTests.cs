using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>An account that has expired, beside one that lacks an article, on a clock that the test moves.</summary>
public sealed class RefusedAccountTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(5);
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public RefusedAccountTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task An_import_takes_an_article_as_missing_after_ten_minutes_of_refused_logins()
    {
        await using var usenet = await StartAsync();
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Import)).Fault);
        await PassAsync(usenet, Patience - TimeSpan.FromSeconds(1));
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Import)).Fault);
        _clock.Advance(TimeSpan.FromSeconds(1));
        var answer = await AskAsync(usenet, FetchPriority.Import);
        Assert.Equal(ContentFault.Missing, answer.Fault);
        Assert.Contains("(expired refuses the login, good)", answer.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Readers_and_checks_never_take_it_as_missing()
    {
        await using var usenet = await StartAsync();
        await PassAsync(usenet, 2 * Patience);
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Waiting)).Fault);
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Health)).Fault);
    }

    [Fact]
    public async Task Who_wants_to_wait_longer_waits_longer()
    {
        await using var usenet = await StartAsync();
        usenet.Client.RefusedLoginTimeout = TimeSpan.FromDays(30);
        await PassAsync(usenet, 2 * Patience);
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Import)).Fault);
        usenet.Client.RefusedLoginTimeout = TimeSpan.Zero;
        Assert.Equal(ContentFault.Missing, (await AskAsync(usenet, FetchPriority.Import)).Fault);
    }

    [Fact]
    public async Task An_article_of_a_refused_account_alone_is_never_missing()
    {
        await using var usenet = await StartAsync(hasGood: false);
        await PassAsync(usenet, 2 * Patience);
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Import)).Fault);
    }

    [Fact]
    public async Task An_account_that_is_merely_unreachable_keeps_its_say()
    {
        await using var usenet = await StartAsync();
        usenet.Mock.RefuseConnections = true;
        await PassAsync(usenet, 2 * Patience);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.Failure != NntpConnectFailure.LoginRefused);
        Assert.Equal(ContentFault.Unavailable, (await AskAsync(usenet, FetchPriority.Import)).Fault);
    }

    /// <summary>The first account refuses every login; the second has nothing.</summary>
    private async Task<UsenetFixture> StartAsync(bool hasGood = true)
    {
        var usenet = new UsenetFixture(
            hasGood ? [new() { Name = "expired" }, new() { Name = "good" }] : [new() { Name = "expired" }],
            static (options, _) => options with { Username = "me", Password = "secret", WarmConnections = 1, MaxConnections = 1 },
            time: _clock,
            prepare: static mock => mock.RefuseLogins = mock.Name == "expired" ? int.MaxValue : 0);
        await Until.TrueAsync(
            () => usenet.Client.Providers[0].Status is { Failure: NntpConnectFailure.LoginRefused, NextAttempt: not null });
        await Until.TrueAsync(() => !hasGood || usenet.Client.Providers[1].Status.OpenConnections == 1);
        return usenet;
    }

    /// <summary>Lets time pass. Keep-alives and logins are answered as they come.</summary>
    private async Task PassAsync(UsenetFixture usenet, TimeSpan time)
    {
        for (var left = time; left > TimeSpan.Zero; left -= Step)
        {
            _clock.Advance(left < Step ? left : Step);
            await Until.TrueAsync(() => usenet.Client.RequestsOnWire == 0
                && usenet.Client.Providers[0].Status.NextAttempt > _clock.GetUtcNow());
        }
    }

    private static Task<ArticleProbe> AskAsync(UsenetFixture usenet, FetchPriority priority) =>
        usenet.Client.ProbeAsync("gone@example.com", priority, CancellationToken.None).WaitAsync(TimeSpan.FromSeconds(60));
}
