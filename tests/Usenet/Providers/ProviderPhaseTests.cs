using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>What people see of a provider, and how soon, on a clock that the test moves.</summary>
public sealed class ProviderPhaseTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public ProviderPhaseTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task An_idle_provider_that_dies_is_shown_as_down_at_once_without_a_request()
    {
        await using var usenet = Start(new MockProviderOptions(), options => options with { WarmConnections = 3 });
        await Until.TrueAsync(() => StatusOf(usenet) is { Phase: ProviderPhase.Connected, OpenConnections: 3, Trouble: null });
        await PassAsync(usenet, 15);
        var died = _clock.GetUtcNow();
        usenet.Mock.RefuseConnections = true;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(() => StatusOf(usenet).Phase == ProviderPhase.Down);
        Assert.Equal(died, StatusOf(usenet).Since);
        Assert.StartsWith($"127.0.0.1:{usenet.Mock.Port} ", StatusOf(usenet).Trouble, StringComparison.Ordinal);
        Assert.Empty(usenet.Mock.Stats.Commands);

        // And back with the first attempt that works.
        await Until.TrueAsync(() => StatusOf(usenet).NextAttempt > _clock.GetUtcNow());
        usenet.Mock.RefuseConnections = false;
        while (StatusOf(usenet).Phase != ProviderPhase.Connected)
            await PassAsync(usenet, 1);
        Assert.Equal((null, true), (StatusOf(usenet).Trouble, StatusOf(usenet).Since > died));
    }

    [Fact]
    public async Task A_lost_provider_without_a_new_greeting_is_connecting_and_shows_the_cause()
    {
        var connections = 0;
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new ScriptedServer(async peer =>
        {
            if (Interlocked.Increment(ref connections) > 1)
                return;
            await peer.SayAsync("200 hello\r\n");
            await end.Task;
            peer.Close();
        });
        var account = new ProviderOptions { Host = "127.0.0.1", Port = server.Port, UseTls = false, MaxConnections = 1 };
        await using var usenet = new UsenetClient(
            [account], new BufferPool(new BufferBudget(16 << 20)), _clock, NullLogger<UsenetClient>.Instance);
        usenet.Start();
        await Until.TrueAsync(() => usenet.Providers[0].Status.Phase == ProviderPhase.Connected);
        for (var second = 0; second < 15; second++)
            _clock.Advance(TimeSpan.FromSeconds(1));
        end.SetResult();
        await Until.TrueAsync(() => usenet.Providers[0].Status
            is { Phase: ProviderPhase.Connecting, Trouble: "The last connection was lost: the server closed it." });
    }

    [Fact]
    public async Task Without_warm_connections_and_work_a_provider_is_idle()
    {
        await using var usenet = Start(new MockProviderOptions(), options => options with { WarmConnections = 0 });
        Assert.Equal((ProviderPhase.Idle, null), (StatusOf(usenet).Phase, StatusOf(usenet).Trouble));
    }

    [Fact]
    public async Task Articles_are_counted_by_outcome_and_the_rate_drops_to_zero_after_them()
    {
        await using var usenet = Start(new MockProviderOptions(), options => options with { WarmConnections = 1 });
        var file = usenet.Post(300_000, new PostOptions { ArticleSize = 100_000 });
        usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index == 1));
        _clock.Advance(TimeSpan.FromSeconds(1));
        foreach (var segment in file.Segments)
            await usenet.Client.ProbeAsync(segment.MessageId, FetchPriority.Import, CancellationToken.None);
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((3L, 2L, 1L, 0L, 0L), (CountersOf(usenet).Asked, CountersOf(usenet).Found, CountersOf(usenet).Missing,
            CountersOf(usenet).Corrupt, CountersOf(usenet).Failed));
        Assert.Equal((200_000L, 200_000.0), (StatusOf(usenet).Bytes, StatusOf(usenet).Rate));
        await PassAsync(usenet, RecentRate.Window);
        Assert.Equal(0, StatusOf(usenet).Rate);
    }

    [Fact]
    public async Task A_learned_limit_is_shown_next_to_the_configured_one()
    {
        await using var usenet = Start(new MockProviderOptions { MaxConnections = 2 }, options => options with { WarmConnections = 8 });
        await Until.TrueAsync(() => StatusOf(usenet).GrantedConnections == 2);
        Assert.Equal((ProviderPhase.Connected, 2), (StatusOf(usenet).Phase, StatusOf(usenet).OpenConnections));
    }

    private static ProviderStatus StatusOf(UsenetFixture usenet) => usenet.Client.Providers[0].Status;

    private static ProviderCounters CountersOf(UsenetFixture usenet) => StatusOf(usenet).Counters;

    private UsenetFixture Start(MockProviderOptions mock, Func<ProviderOptions, ProviderOptions> configure) =>
        new([mock], (options, _) => configure(options), time: _clock);

    private async Task PassAsync(UsenetFixture usenet, int seconds)
    {
        for (var second = 0; second < seconds; second++)
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            await Until.TrueAsync(() => usenet.Client is { RequestsOnWire: 0, QueuedRequests: 0 });
        }
    }
}
