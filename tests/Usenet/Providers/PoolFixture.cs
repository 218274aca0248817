using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>One provider's connections over real sockets, on a clock that the test moves.</summary>
internal sealed class PoolFixture : IAsyncDisposable
{
    private readonly UsenetFixture _usenet;

    public PoolFixture(MockProviderOptions mock, Func<ProviderOptions, ProviderOptions> configure, Action<MockProvider>? prepare = null,
        StubLog? log = null, bool shared = false)
    {
        // No real clock shows 0, and 0 means never in some places.
        Clock.Advance(TimeSpan.FromSeconds(1));
        Shares = new ConnectionLeases(Clock);
        _usenet = new UsenetFixture(
            [mock], (options, _) => configure(options), time: Clock, prepare: prepare, log: log, shares: shared ? Shares : null);
    }

    public ManualTimeProvider Clock { get; } = new();

    /// <summary>This process's part of the account, if the pool is shared.</summary>
    public ConnectionLeases Shares { get; }

    public MockProvider Mock => _usenet.Mock;

    public UsenetClient Client => _usenet.Client;

    public ProviderStatus Status => Client.Providers[0].Status;

    public long KeepAlives => Mock.Stats.Commands.GetValueOrDefault("DATE");

    public PostedFile Post(long length) => _usenet.Post(length);

    /// <summary>Waits until that many connections are open.</summary>
    public Task OpenAsync(int count) => Until.TrueAsync(() => Status.OpenConnections == count);

    public async Task<ContentFault?> ProbeAsync(PostedFile file, FetchPriority priority = FetchPriority.Import) =>
        (await Client.ProbeAsync(file.Segments[0].MessageId, priority, CancellationToken.None)).Fault;

    /// <summary>Asks for so much at once that all connections are wanted.</summary>
    public async Task FillAsync(int connections)
    {
        var file = _usenet.Post(4_000_000, new PostOptions { ArticleSize = 50_000 }, name: "fill");
        await Task.WhenAll(
            file.Segments.Select(segment => Client.ProbeAsync(segment.MessageId, FetchPriority.Import, CancellationToken.None)));
        await OpenAsync(connections);
        await AnsweredAsync();
    }

    /// <summary>Lets time pass with nothing to do. The server answers keep-alives at once.</summary>
    public async Task IdleAsync(TimeSpan time)
    {
        for (var second = 0; second < time.TotalSeconds; second++)
        {
            Clock.Advance(TimeSpan.FromSeconds(1));
            await AnsweredAsync();
        }
    }

    /// <summary>Lets the connections live long enough for their loss not to be taken for a refusal.</summary>
    public Task AgeAsync() => IdleAsync(TimeSpan.FromSeconds(10));

    /// <summary>
    /// Waits until the provider has failed and its next attempt is set. Two timers are the pool's; a third watches over what waits.
    /// </summary>
    public Task BackOffAsync() =>
        Until.TrueAsync(() => Status.NextAttempt > Clock.GetUtcNow() && Clock.ArmedTimers == (Client.QueuedRequests > 0 ? 3 : 2));

    /// <summary>Moves the clock to the provider's next attempt and waits until that is made.</summary>
    public async Task SkipBackOffAsync()
    {
        await BackOffAsync();
        var attempts = Mock.Stats.ConnectionsOpened + Mock.Stats.ConnectionsRefused;
        Clock.Advance(Status.NextAttempt!.Value - Clock.GetUtcNow());
        await Until.TrueAsync(() => Mock.Stats.ConnectionsOpened + Mock.Stats.ConnectionsRefused > attempts);
    }

    /// <summary>Renews the share as the owner of the book does.</summary>
    /// <param name="share">What is granted.</param>
    /// <param name="goal">What it is to have; null: as many.</param>
    /// <param name="lasts">How long it lasts; null: for the whole test.</param>
    /// <returns>What the pool asked for.</returns>
    public LeaseDemand Grant(int share, int? goal = null, TimeSpan? lasts = null)
    {
        var demand = Assert.Single(Shares.Begin());
        Shares.Renewed([new LeaseGrant(demand.Account, share, goal ?? share)], lasts ?? TimeSpan.FromDays(1));
        return demand;
    }

    public async ValueTask DisposeAsync()
    {
        await _usenet.DisposeAsync();
        Assert.Equal(0, Shares.Held);
        Shares.Dispose();
    }

    /// <summary>Waits until all that was asked has been answered.</summary>
    private Task AnsweredAsync() => Until.TrueAsync(() => Client is { RequestsOnWire: 0, QueuedRequests: 0 });
}
