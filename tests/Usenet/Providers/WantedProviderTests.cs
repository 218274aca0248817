using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>A reader needs an article that only a provider in a break can have, on a clock that the test moves.</summary>
public sealed class WantedProviderTests
{
    private const int MissingPart = 2;
    private const int PartSize = 716_800;
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public WantedProviderTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task A_recovered_provider_serves_before_its_break_ends()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet);
        usenet.Mock.RefuseConnections = false;
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
        Assert.Equal(ProviderPhase.Connected, StatusOf(usenet).Phase);
    }

    [Fact]
    public async Task It_is_tried_at_once_although_the_clock_was_set_forward()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet);
        usenet.Mock.RefuseConnections = false;
        _clock.Set(TimeSpan.FromDays(365));
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
    }

    [Fact]
    public async Task A_provider_that_is_still_down_is_tried_once_and_the_article_is_unavailable()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet);
        var before = usenet.Mock.Stats.ConnectionsRefused;
        for (var reading = 0; reading < 5; reading++)
            await AssertUnavailableAsync(usenet, file);
        Assert.Equal(before + 1, usenet.Mock.Stats.ConnectionsRefused);
        _clock.Advance(TimeSpan.FromSeconds(10));
        await AssertUnavailableAsync(usenet, file);
        Assert.Equal(before + 2, usenet.Mock.Stats.ConnectionsRefused);
    }

    [Fact]
    public async Task An_attempt_for_a_reader_does_not_change_the_break_or_its_probes()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet);
        var until = StatusOf(usenet).NextAttempt;
        await AssertUnavailableAsync(usenet, file);

        // Readers hear of the failure before the pause goes on, and nothing is probed until it does.
        await StepAsync(usenet, isSilent: false);
        Assert.Equal(until!.Value, StatusOf(usenet).NextAttempt!.Value, TimeSpan.FromSeconds(1));
        usenet.Mock.RefuseConnections = false;
        usenet.Client.OnStatusViewed();
        _clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => StatusOf(usenet).Phase == ProviderPhase.Connected);
    }

    [Fact]
    public async Task A_provider_that_drops_packets_is_waited_for_three_seconds()
    {
        var (opened, left) = (0, 0);
        await using var server = new ScriptedServer(async peer =>
        {
            Interlocked.Increment(ref opened);
            try
            {
                await peer.HearAsync();
            }
            finally
            {
                Interlocked.Increment(ref left);
            }
        });
        await using var usenet = Start(options => options with { Port = server.Port });
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet, isSilent: true);
        var reading = AssertUnavailableAsync(usenet, file);

        // The reader waits, and only for this provider. The server says nothing of that: it may not even have accepted the earlier
        // attempts yet.
        await Until.TrueAsync(() => usenet.Client is { QueuedRequests: 1, RequestsOnWire: 0 }
            && usenet.Client.Providers[0].Availability == ProviderAvailability.Interrupted);
        for (var second = 0; second < 2; second++)
            _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.False(reading.IsCompleted);
        for (var second = 0; second < 2; second++)
            _clock.Advance(TimeSpan.FromSeconds(1));
        await reading;

        // The attempt itself goes on.
        await Until.TrueAsync(() => Volatile.Read(ref opened) == Volatile.Read(ref left) + 1);
    }

    [Fact]
    public async Task A_refused_login_is_retried_after_a_quarter_of_the_time_since_the_refusal()
    {
        var logins = 0;
        await using var server = new ScriptedServer(async peer =>
        {
            await peer.SayAsync("200 hello\r\n");
            if (await peer.HearAsync() is null)
                return;
            Interlocked.Increment(ref logins);
            await peer.SayAsync("481 account expired\r\n");
        });
        await using var usenet = Start(options => options with { Port = server.Port, Username = "me", Password = "secret" });
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet, leastBreak: 16, rest: 6);
        var before = Volatile.Read(ref logins);
        await AssertUnavailableAsync(usenet, file);
        await AssertUnavailableAsync(usenet, file);
        Assert.Equal(before + 1, Volatile.Read(ref logins));
        _clock.Advance(TimeSpan.FromSeconds(4));
        await AssertUnavailableAsync(usenet, file);
        Assert.Equal(before + 1, Volatile.Read(ref logins));
        _clock.Advance(TimeSpan.FromSeconds(3));
        await AssertUnavailableAsync(usenet, file);
        Assert.Equal(before + 2, Volatile.Read(ref logins));
    }

    [Fact]
    public async Task It_is_tried_when_readers_wait_for_a_place_at_the_other_provider()
    {
        await using var usenet = Start();
        var file = usenet.Post(30_000_000);
        await GoDownAsync(usenet);
        usenet.Mock.RefuseConnections = false;

        // The other one holds back all that it is asked for, and more readers wait than it has places.
        usenet.Mocks[1].Faults.Add(Fault.Stall(after: 1000), FaultTarget.All);
        ContentReader[] readers = [.. Enumerable.Range(1, 12).Select(
            part => usenet.Client.Open(UsenetFixture.TrueMap(file)).OpenReader(part * 3 * PartSize, file.Length, ReadIntent.Playback))];
        Task[] reading = [.. readers.Select(reader => UsenetFixture.AssertReadsAsync(reader, file, PartSize))];
        await Until.TrueAsync(() => usenet.Client.RequestsOnWire > 0 && usenet.Client.QueuedRequests >= readers.Length);
        for (var i = 0; i < 10; i++)
            _clock.Advance(TimeSpan.FromMilliseconds(50));
        await Until.TrueAsync(() => StatusOf(usenet).Phase == ProviderPhase.Connected);
        usenet.Mocks[1].Faults.Clear();
        usenet.Mocks[1].DropConnections();
        await Task.WhenAll(reading);
        foreach (var reader in readers)
            await reader.DisposeAsync();
    }

    [Fact]
    public async Task A_health_check_waits_for_the_break()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await GoDownAsync(usenet);
        var before = usenet.Mock.Stats.ConnectionsRefused;
        Assert.Equal(ContentFault.Unavailable,
            (await usenet.Client.ProbeAsync(file.Segments[MissingPart].MessageId, FetchPriority.Health, CancellationToken.None)).Fault);
        Assert.Equal(before, usenet.Mock.Stats.ConnectionsRefused);
    }

    private static ProviderStatus StatusOf(UsenetFixture usenet) => usenet.Client.Providers[0].Status;

    private static async Task AssertUnavailableAsync(UsenetFixture usenet, PostedFile file)
    {
        usenet.Client.Cache.Reclaim(long.MaxValue);
        await using var reader = usenet.Client.Open(UsenetFixture.TrueMap(file))
            .OpenReader(MissingPart * PartSize, file.Length, ReadIntent.Playback);
        var e = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(ContentFault.Unavailable, e.Fault);
    }

    /// <summary>The first provider cannot be reached; the second works and lacks one part.</summary>
    private UsenetFixture Start(Func<ProviderOptions, ProviderOptions>? first = null)
    {
        var mocks = 0;
        var usenet = new UsenetFixture(
            [new(), new()],
            (options, index) => index == 0 ? (first?.Invoke(options) ?? options)
                with
            { WarmConnections = 1, MaxConnections = 1 } : options with { WarmConnections = 1, MaxConnections = 2 },
            time: _clock,
            prepare: mock => mock.RefuseConnections = mocks++ == 0);
        usenet.Mocks[1].Holds = static segment => segment.Index != MissingPart;
        return usenet;
    }

    /// <summary>Until its break is longer than what the test looks at.</summary>
    private async Task GoDownAsync(UsenetFixture usenet, bool isSilent = false, int leastBreak = 60, int rest = 10)
    {
        await Until.TrueAsync(() => usenet.Client.Providers[1].Status.Phase == ProviderPhase.Connected);
        while (StatusOf(usenet) is not { Phase: ProviderPhase.Down } status || status.NextAttempt - _clock.GetUtcNow() is not { } wait
            || wait < TimeSpan.FromSeconds(leastBreak))
            await StepAsync(usenet, isSilent);

        // The last attempt is a while ago.
        for (var second = 0; second < rest; second++)
            await StepAsync(usenet, isSilent);
    }

    private async Task StepAsync(UsenetFixture usenet, bool isSilent)
    {
        _clock.Advance(TimeSpan.FromSeconds(1));

        // The two watches, and the break; an attempt that is swallowed waits for its limit instead, and is watched for being late.
        await Until.TrueAsync(() => (_clock.ArmedTimers == 3 || (isSilent && _clock.ArmedTimers == 4))
            && (isSilent || StatusOf(usenet).NextAttempt > _clock.GetUtcNow()));

        // The other one's keep-alives are answered as they come.
        await Until.TrueAsync(() => usenet.Client.RequestsOnWire == 0);
    }
}
