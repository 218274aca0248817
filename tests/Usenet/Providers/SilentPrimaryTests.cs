using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>
/// The provider of the first priority falls silent, accepts connections and greets none, while a backup works; on a clock that the test
/// moves.
/// </summary>
public sealed class SilentPrimaryTests
{
    private static readonly TimeSpan Late = TimeSpan.FromSeconds(1);

    /// <summary>Of the real clock: what has not come by then never comes.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public SilentPrimaryTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Theory]
    [InlineData(FetchPriority.Waiting)]
    [InlineData(FetchPriority.Import)]
    [InlineData(FetchPriority.Health)]
    public async Task A_backup_is_used_after_a_second_when_the_primary_never_greets(FetchPriority priority)
    {
        await using var usenet = Start(isFrozen: true);
        var file = usenet.Post(300_000);
        await AttemptingAsync(usenet);
        var probe = ProbeAsync(usenet, file, priority);
        await Until.TrueAsync(() => usenet.Client.QueuedRequests == 1);
        _clock.Advance(Late - TimeSpan.FromMilliseconds(1));
        Assert.False(probe.IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(await probe);

        // And at once from then on.
        usenet.Client.Cache.Reclaim(long.MaxValue);
        Assert.Null(await ProbeAsync(usenet, file, priority));
    }

    [Fact]
    public async Task A_late_attempt_that_succeeds_brings_the_primary_back()
    {
        var greets = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new ScriptedServer(async peer =>
        {
            await greets.Task;
            await peer.SayAsync("200 late\r\n");
        });
        await using var usenet = Start(isFrozen: false, first: options => options with { Port = server.Port });
        await server.Accepted.Task;
        await ConnectedAsync(usenet, 1);
        _clock.Advance(Late);
        Assert.Equal(ProviderAvailability.Interrupted, usenet.Client.Providers[0].Availability);
        greets.SetResult();
        await ConnectedAsync(usenet, 0);
        Assert.Equal(ProviderAvailability.Working, usenet.Client.Providers[0].Availability);
    }

    [Fact]
    public async Task A_late_primary_without_a_backup_is_waited_for()
    {
        await using var usenet = Start(isFrozen: true, count: 1);
        var file = usenet.Post(300_000);
        await AttemptingAsync(usenet);
        var probe = ProbeAsync(usenet, file, FetchPriority.Import);
        _clock.Advance(10 * Late);
        await Until.TrueAsync(() => usenet.Client.QueuedRequests == 1);
        Assert.False(probe.IsCompleted);
        _clock.Advance(10 * Late);
        Assert.Equal(ContentFault.Unavailable, await probe);
    }

    [Fact]
    public async Task When_its_connections_fell_silent_and_were_closed_the_backup_is_used_at_once()
    {
        await using var usenet = Start(isFrozen: false);
        var file = usenet.Post(300_000);
        await ConnectedAsync(usenet, 0);
        Assert.Null(await ProbeAsync(usenet, file, FetchPriority.Import));
        await Until.TrueAsync(() => usenet.Mock.Stats.ArticlesServed == 1);
        usenet.Mock.IsFrozen = true;
        usenet.Client.Cache.Reclaim(long.MaxValue);
        var hedged = ProbeAsync(usenet, file, FetchPriority.Waiting);
        await Until.TrueAsync(() => usenet.Client.RequestsOnWire == 1);
        for (var quarter = 0; quarter < 3; quarter++)
            _clock.Advance(Late / 4);
        Assert.Null(await hedged);

        // Only the silent connection has something on it now.
        await Until.TrueAsync(() => usenet.Client.RequestsOnWire == 1);
        for (var half = 0; half < 24; half++)
            _clock.Advance(Late / 2);
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == 0);

        // Time stands still: nobody waits for the attempt to connect.
        usenet.Client.Cache.Reclaim(long.MaxValue);
        Assert.Null(await ProbeAsync(usenet, file, FetchPriority.Import));
    }

    [Fact]
    public async Task A_name_server_that_does_not_answer_ends_no_stream_within_eight_seconds()
    {
        SocketError? error = null;
        var dialler = new Dialler(TimeProvider.System)
        {
            Resolve = (_, _) => error is { } fault
                ? Task.FromException<IPAddress[]>(new SocketException((int)fault))
                : Task.FromResult<IPAddress[]>([IPAddress.Loopback]),
        };
        await using var usenet = new UsenetFixture(
            configure: static (options, _) => options with { Host = "news.test", WarmConnections = 1, MaxConnections = 1 },
            time: _clock,
            dialler: dialler);
        var file = usenet.Post(300_000);
        Assert.Null(await ProbeAsync(usenet, file, FetchPriority.Import));
        usenet.Client.Cache.Reclaim(long.MaxValue);
        error = SocketError.TryAgain;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status is { Failure: NntpConnectFailure.TimedOut, NextAttempt: not null });
        var reading = ProbeAsync(usenet, file, FetchPriority.Waiting);
        for (var second = 0; second < 5; second++)
            await StepAsync();
        Assert.False(reading.IsCompleted);

        // It answers again before the next attempt, which comes after breaks of 2 and 4 seconds.
        error = null;
        await StepAsync();
        Assert.Null(await reading);

        async Task StepAsync()
        {
            _clock.Advance(Late);
            await Until.TrueAsync(() => usenet.Client.Providers[0].Status is var status
                && (status.OpenConnections == 1 || status.NextAttempt > _clock.GetUtcNow()));
        }
    }

    /// <summary>
    /// Two providers, one connection each, with articles that both have: the first of priority 0, the second of priority 1.
    /// </summary>
    private UsenetFixture Start(bool isFrozen, int count = 2, Func<ProviderOptions, ProviderOptions>? first = null)
    {
        var mocks = 0;
        return new UsenetFixture(
            [.. Enumerable.Range(0, count).Select(static index => new MockProviderOptions { Name = $"p{index}" })],
            (options, index) => (index == 0 ? first?.Invoke(options) ?? options : options) with
            {
                WarmConnections = 1,
                MaxConnections = 1,
                Priority = index,
            },
            time: _clock,
            prepare: mock => mock.IsFrozen = isFrozen && mocks++ == 0);
    }

    private static Task ConnectedAsync(UsenetFixture usenet, int provider) =>
        Until.TrueAsync(() => usenet.Client.Providers[provider].Status.OpenConnections == 1);

    /// <summary>Waits until the first provider's attempt is under way and the others are connected.</summary>
    private static async Task AttemptingAsync(UsenetFixture usenet)
    {
        for (var other = 1; other < usenet.Mocks.Count; other++)
            await ConnectedAsync(usenet, other);
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened == 1);
    }

    private static async Task<ContentFault?> ProbeAsync(UsenetFixture usenet, PostedFile file, FetchPriority priority) =>
        (await usenet.Client.ProbeAsync(file.Segments[0].MessageId, priority, CancellationToken.None).WaitAsync(Patience)).Fault;
}
