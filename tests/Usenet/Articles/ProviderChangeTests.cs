using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Accounts added and removed while files are read.</summary>
public sealed class ProviderChangeTests
{
    private static readonly MockProviderOptions[] TwoProviders = [new() { Name = "one" }, new() { Name = "two" }];

    private readonly ManualTimeProvider _server = new();
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public ProviderChangeTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task A_reader_continues_with_the_new_account_when_its_own_is_removed()
    {
        // On a clock that stands still nothing is late, and so nothing asked for twice.
        await using var usenet = new UsenetFixture(TwoProviders, time: new ManualTimeProvider());
        var accounts = Accounts(usenet);
        usenet.Client.SetProviders([accounts[0]]);
        // More than can be read ahead: some of it is left for the new account, however quick the old one is.
        var file = usenet.Post(100_000_000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Download);
        await UsenetFixture.AssertReadsAsync(reader, file, 5 * 716_800);

        usenet.Client.SetProviders([accounts[1]]);
        await UsenetFixture.AssertReadsAsync(reader, file, file.Length - (5 * 716_800));
        Assert.Equal(["two"], usenet.Client.Providers.Select(provider => provider.Options.Name));
        Assert.NotEqual(0, usenet.Mocks[1].Stats.ArticlesServed);
        await Until.TrueAsync(() => usenet.Mocks[0].Stats.ConnectionsOpen == 0);

        // Nothing was cut: what one had begun it ended, and nothing was asked for twice.
        var (one, two) = (usenet.Mocks[0].Stats, usenet.Mocks[1].Stats);
        Assert.Equal(one.ArticlesAsked, one.ArticlesServed);
        Assert.Equal(file.Segments.Count, one.ArticlesAsked + two.ArticlesAsked);
    }

    [Fact]
    public async Task An_unchanged_account_keeps_its_connections()
    {
        await using var usenet = new UsenetFixture(TwoProviders);
        var accounts = Accounts(usenet);
        await Until.TrueAsync(() => usenet.Client.Providers.All(provider => provider.Status.OpenConnections == 8));
        var before = usenet.Client.Providers.ToArray();

        usenet.Client.SetProviders([accounts[1] with { }, accounts[0] with { Priority = 1 }]);
        Assert.Same(before[1], usenet.Client.Providers[0]);
        Assert.NotSame(before[0], usenet.Client.Providers[1]);
        await Until.TrueAsync(() => usenet.Client.Providers.All(provider => provider.Status.OpenConnections == 8)
            && usenet.Mocks[0].Stats.ConnectionsOpen == 8);
        Assert.Equal(16, usenet.Mocks[0].Stats.ConnectionsOpened);
        Assert.Equal(8, usenet.Mocks[0].Stats.Commands["QUIT"]);
        Assert.Equal(8, usenet.Mocks[1].Stats.ConnectionsOpened);
    }

    [Fact]
    public async Task Requests_waiting_for_a_removed_account_go_to_its_successors()
    {
        await using var usenet = new UsenetFixture();
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var accounts = Accounts(usenet);
        usenet.Client.SetProviders([]);
        var file = usenet.Post(3_000_000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        var e = await Assert.ThrowsAsync<ContentException>(() => UsenetFixture.AssertReadsAsync(content, file, 0, file.Length));
        Assert.Equal(ContentFault.Unavailable, e.Fault);
        Assert.Contains("No Usenet provider", e.Message, StringComparison.Ordinal);

        // It takes connections and never greets, so that requests wait for it.
        usenet.Client.SetProviders([accounts[0] with { Port = ((IPEndPoint)silent.LocalEndpoint).Port }]);
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Playback);
        Assert.NotEqual(0, usenet.Client.QueuedRequests);
        usenet.Client.SetProviders(accounts);
        await UsenetFixture.AssertReadsAsync(reader, file, file.Length);
    }

    [Fact]
    public async Task Accounts_can_change_any_number_of_times_while_files_are_read()
    {
        await using var usenet = new UsenetFixture(TwoProviders);
        var accounts = Accounts(usenet);
        var file = usenet.Post(60_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        var reading = UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
        for (var i = 0; i < 300; i++)
        {
            // Each time other accounts, and always one that works.
            usenet.Client.SetProviders([accounts[i % 2] with { Name = $"turn {i}", MaxConnections = 1 + (i % 4) }]);
            if (i % 10 == 0)
                await Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections > 0);
        }

        await reading;
        usenet.Client.SetProviders(accounts);
        await Until.TrueAsync(() => usenet.Mocks.All(mock => mock.Stats.ConnectionsOpen == 8)
            && usenet.Client.Providers.All(provider => provider.Status.OpenConnections == 8));
    }

    [Theory]
    [InlineData(CapRefusal.AtGreeting, 1)]
    [InlineData(CapRefusal.AtLogin, 2)]
    public async Task A_read_continues_when_its_account_is_changed_while_all_connections_are_busy(CapRefusal refusal, int changes)
    {
        await using var usenet = Full(refusal, allowed: 4);
        var reading = await BeginAsync(usenet);
        for (var change = 1; change <= changes; change++)
            usenet.Client.SetProviders([usenet.Client.Providers[0].Options with { Name = $"change {change}" }]);
        await ServeAsync(reading);

        // Each connection was opened only when one had ended.
        Assert.Equal((0L, 4L), (usenet.Mock.Stats.ConnectionsRefused, usenet.Mock.Stats.ConnectionsPeak));
    }

    [Theory]
    [InlineData(CapRefusal.AtGreeting)]
    [InlineData(CapRefusal.AtLogin)]
    public async Task A_read_continues_when_its_account_is_changed_and_allows_fewer_connections_than_configured(CapRefusal refusal)
    {
        await using var usenet = Full(refusal, allowed: 3);
        var reading = await BeginAsync(usenet);
        var refused = usenet.Mock.Stats.ConnectionsRefused;
        usenet.Client.SetProviders([usenet.Client.Providers[0].Options with { Name = "changed" }]);
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsRefused == refused + 1);

        // The old connections end, and requests wait for the next attempt.
        var provider = usenet.Client.Providers[0];
        await ServeAsync(Until.TrueAsync(
            () => usenet.Mock.Stats.ConnectionsOpen == 0 && provider is { Inherited: 0, Status.Phase: ProviderPhase.Down }));
        Assert.Contains(reading, static one => !one.IsCompleted);
        _clock.Advance(TimeSpan.FromSeconds(2));
        await ServeAsync(reading);
    }

    [Fact]
    public async Task Too_many_accounts_are_refused_and_change_nothing()
    {
        await using var usenet = new UsenetFixture();
        var account = Accounts(usenet)[0];
        Assert.Throws<ArgumentException>(
            () => usenet.Client.SetProviders([.. Enumerable.Range(0, 33).Select(number => account with { Name = $"{number}" })]));
        Assert.Same(account, usenet.Client.Providers.Single().Options);
    }

    /// <summary>An account that is configured with four connections. Its server answers when <see cref="_server"/> moves.</summary>
    private UsenetFixture Full(CapRefusal refusal, int allowed) => new(
        [new()
        {
            MaxConnections = allowed,
            CapRefusal = refusal,
            Username = "me",
            Password = "secret",
            Latency = TimeSpan.FromSeconds(1),
            Time = _server,
        }],
        static (options, _) => options with { MaxConnections = 4, Username = "me", Password = "secret" },
        time: _clock);

    /// <summary>Begins to read a file in twelve places: all connections are busy, and more is queued.</summary>
    private async Task<Task[]> BeginAsync(UsenetFixture usenet)
    {
        var provider = usenet.Client.Providers[0];
        var allowed = usenet.Mock.MaxConnections;
        await ServeAsync(Until.TrueAsync(
            () => provider.Status.OpenConnections == allowed && (allowed == 4 || usenet.Mock.Stats.ConnectionsRefused > 0)));
        var file = usenet.Post(36_000_000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        Task[] reading = [.. Enumerable.Range(0, 12)
            .Select(place => UsenetFixture.AssertReadsAsync(content, file, place * 3_000_000L, (place + 1) * 3_000_000L))];
        await Until.TrueAsync(() => provider.Status.BusyConnections == allowed && usenet.Client.QueuedRequests > 0);
        return reading;
    }

    /// <summary>Lets the server answer until something is done.</summary>
    private async Task ServeAsync(params Task[] all)
    {
        var done = Task.WhenAll(all);
        await Until.TrueAsync(() =>
        {
            _server.Advance(TimeSpan.FromSeconds(1));
            return done.IsCompleted;
        });
        await done;
    }

    private static ProviderOptions[] Accounts(UsenetFixture usenet) => [.. usenet.Client.Providers.Select(provider => provider.Options)];
}
