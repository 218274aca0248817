using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>A pool whose account other processes use too: it never has more connections than its share.</summary>
public sealed partial class SharedAccountTests
{
    [Fact]
    public async Task No_connection_is_opened_before_a_share_is_granted()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 6 }, shared: true);
        await usenet.IdleAsync(TimeSpan.FromSeconds(5));
        Assert.Equal((0L, 0), (usenet.Mock.Stats.ConnectionsOpened, usenet.Status.Share));
        Assert.Equal(0, usenet.Grant(2).Kept);
        await usenet.OpenAsync(2);
        await usenet.IdleAsync(TimeSpan.FromMinutes(1));
        Assert.Equal((2L, 2L), (usenet.Mock.Stats.ConnectionsPeak, usenet.Mock.Stats.ConnectionsOpened));
        Assert.Equal((2, 2), (usenet.Status.Share, usenet.Status.MaxConnections));
    }

    [Fact]
    public async Task Idle_connections_quit_at_once_when_others_need_them_and_come_back_with_the_share()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 8 }, shared: true);
        usenet.Grant(8);
        await usenet.OpenAsync(8);

        // What was granted may be open until the pool has closed it.
        Assert.Equal(8, usenet.Grant(8, goal: 3).Kept);
        await Until.TrueAsync(() => usenet.Shares.Held == 3);
        Assert.Equal((5L, 3), (usenet.Mock.Stats.Commands["QUIT"], usenet.Grant(3).Kept));
        await usenet.IdleAsync(TimeSpan.FromSeconds(10));
        Assert.Equal(3, usenet.Status.OpenConnections);
        usenet.Grant(8);
        await usenet.OpenAsync(8);
        Assert.Equal(8, usenet.Mock.Stats.ConnectionsPeak);
    }

    [Fact]
    public async Task Everything_is_closed_when_the_share_is_not_renewed_in_time()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 4 }, shared: true);
        usenet.Grant(4, lasts: TimeSpan.FromSeconds(7));
        await usenet.OpenAsync(4);
        var (probing, _) = await StallAsync(usenet, Fault.Silence);
        usenet.Clock.Advance(TimeSpan.FromSeconds(7) - TimeSpan.FromTicks(1));
        Assert.Equal(4, usenet.Status.OpenConnections);
        usenet.Clock.Advance(TimeSpan.FromTicks(1));
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpen == 0 && usenet.Status.OpenConnections == 0);

        // Each counts for half a second more, from when its own task sees its end.
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(TimeSpan.FromSeconds(1));
            return usenet.Client.Providers[0].Unopened == 0;
        });
        for (var second = 0; second < 30; second++)
            usenet.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((4L, 0), (usenet.Mock.Stats.ConnectionsOpened, usenet.Status.Share));
        Assert.False(probing.IsCompleted);
        Assert.Null(usenet.Status.Trouble);
        usenet.Grant(4);
        Assert.Null(await probing);
        await usenet.OpenAsync(4);
    }

    [Fact]
    public async Task A_renewal_prolongs_the_lease_from_before_it_was_sent()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 1 }, shared: true);
        usenet.Grant(1, lasts: TimeSpan.FromSeconds(7));
        await usenet.OpenAsync(1);
        usenet.Clock.Advance(TimeSpan.FromSeconds(4));
        var demand = Assert.Single(usenet.Shares.Begin());
        usenet.Clock.Advance(TimeSpan.FromSeconds(2));
        usenet.Shares.Renewed([new LeaseGrant(demand.Account, 1, 1)], TimeSpan.FromSeconds(7));
        usenet.Clock.Advance(TimeSpan.FromSeconds(5) - TimeSpan.FromTicks(1));
        Assert.False(usenet.Shares.HasExpired);
        usenet.Clock.Advance(TimeSpan.FromTicks(1));
        Assert.True(usenet.Shares.HasExpired);
        await usenet.OpenAsync(0);
    }

    [Fact]
    public async Task A_connection_that_is_being_opened_counts_and_is_given_up_at_the_end_of_the_lease()
    {
        var gone = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new ScriptedServer(async peer =>
        {
            try
            {
                await peer.HearAsync();
            }
            finally
            {
                gone.TrySetResult();
            }
        });
        await using var usenet = new PoolFixture(
            new(), options => options with { Port = server.Port, WarmConnections = 1, MaxConnections = 4 }, shared: true);
        usenet.Grant(4, lasts: TimeSpan.FromSeconds(7));
        await server.Accepted.Task;
        Assert.Equal((1, 0), (usenet.Shares.Held, usenet.Status.OpenConnections));
        usenet.Clock.Advance(TimeSpan.FromSeconds(7));
        await gone.Task;
        await Until.TrueAsync(() => usenet.Shares.Held == 0);
        Assert.Equal(NntpConnectFailure.None, usenet.Status.Failure);
    }

    [Fact]
    public async Task A_failing_provider_takes_no_place_during_a_break()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 2 },
            prepare: static mock => mock.RefuseConnections = true, shared: true);
        usenet.Grant(8);
        await Until.TrueAsync(() => usenet.Status.NextAttempt is not null && usenet.Shares.Held == 0);
        usenet.Grant(0);
        usenet.Mock.RefuseConnections = false;
        usenet.Clock.Advance(ProviderBreaker.LongestBreak);
        Assert.Equal((0L, 0), (usenet.Mock.Stats.ConnectionsOpened, usenet.Shares.Held));
        usenet.Grant(2);
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(TimeSpan.FromSeconds(1));
            return usenet.Status.OpenConnections == 2;
        });
    }

    [Fact]
    public async Task Requests_that_find_no_connection_ask_for_a_renewal_and_are_counted()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 0 }, shared: true);
        usenet.Grant(0);
        var asked = 0;
        usenet.Shares.RenewalWanted += () => Interlocked.Increment(ref asked);
        var probing = Enumerable.Range(0, 3).Select(number => usenet.ProbeAsync(usenet.Post(50_000 + number))).ToArray();
        await Until.TrueAsync(() => usenet.Client.QueuedRequests == 3);
        Assert.Equal(1, asked);
        var demand = usenet.Grant(2);
        Assert.Equal((8, 3, 0), (demand.Most, demand.Wanted, demand.Recent));
        Assert.All(await Task.WhenAll(probing), static outcome => Assert.Null(outcome));
        Assert.InRange(usenet.Mock.Stats.ConnectionsPeak, 1, 2);

        // Used a moment ago, then within the last minute, then not at all.
        var used = usenet.Grant(2).Wanted;
        Assert.InRange(used, 1, 2);
        await usenet.IdleAsync(ConnectionPool.InUseFor);
        Assert.Equal((0, used), (usenet.Grant(2) is var later ? later.Wanted : -1, later.Recent));
        await usenet.IdleAsync(ConnectionPool.RecentFor);
        Assert.Equal(0, usenet.Grant(2).Recent);
    }

    [Fact]
    public async Task A_changed_account_shares_with_the_one_that_it_replaces()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 4 }, shared: true);
        usenet.Grant(4);
        await usenet.OpenAsync(4);
        usenet.Client.SetProviders([usenet.Client.Providers[0].Options with { Weight = 2, MaxConnections = 6 }]);
        await Until.TrueAsync(() =>
        {
            // A connection that was closed without an answer to its QUIT keeps its place for a second of this clock. If the old pool has
            // ended before the new one begins, the share is granted anew.
            usenet.Clock.Advance(TimeSpan.FromMilliseconds(10));
            if (usenet.Status.Share == 0 && usenet.Shares.Begin().Count == 1)
                usenet.Grant(4);
            return usenet.Status.OpenConnections == 4;
        });
        await Until.TrueAsync(() => usenet.Shares.Begin().Single().Most == 6);
        Assert.Equal(4, usenet.Mock.Stats.ConnectionsPeak);
        usenet.Client.SetProviders([]);
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(TimeSpan.FromMilliseconds(10));
            return usenet.Shares.Held == 0 && usenet.Shares.Begin().Count == 0;
        });
    }

    [Fact]
    public async Task At_the_end_everything_is_closed()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 4 }, shared: true);
        usenet.Grant(4);
        await usenet.OpenAsync(4);
        var (probing, _) = await StallAsync(usenet, Fault.Silence);
        var ending = usenet.Shares.EndAsync(TimeSpan.FromSeconds(1), TimeSpan.FromDays(1));
        await Until.TrueAsync(() => usenet.Shares.Held == 1);
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(TimeSpan.FromMilliseconds(50));
            return ending.IsCompleted;
        });
        Assert.True(await ending);
        Assert.Equal((0, 3L), (usenet.Shares.Held, usenet.Mock.Stats.Commands["QUIT"]));
        usenet.Grant(1);
        await probing;

        // The probe lets go of its article after it has answered.
        await Until.TrueAsync(() => usenet.Client.Cache.Open == 0);
    }

    [Fact]
    public void A_machine_that_slept_has_lost_its_share()
    {
        var clock = new ManualTimeProvider();
        var lease = new LeaseTerm(clock);
        Assert.True(lease.HasExpired);
        lease.Begin(lease.Now, TimeSpan.FromSeconds(7));
        Pass(monotonic: TimeSpan.FromSeconds(1), ofDay: TimeSpan.FromSeconds(2));
        Assert.Equal(TimeSpan.FromSeconds(5), lease.Left);
        Pass(monotonic: TimeSpan.FromSeconds(3), ofDay: TimeSpan.FromSeconds(-60));
        Assert.Equal(TimeSpan.FromSeconds(3), lease.Left);
        Pass(monotonic: TimeSpan.Zero, ofDay: TimeSpan.FromHours(1));
        Assert.True(lease.HasExpired);

        void Pass(TimeSpan monotonic, TimeSpan ofDay)
        {
            clock.Advance(monotonic);
            clock.Set(ofDay - monotonic);
        }
    }

    /// <summary>Waits until an article is held up half way; the next request for it is served.</summary>
    private static async Task<(Task<ContentFault?> Probing, FaultRule Stall)> StallAsync(PoolFixture usenet, Fault fault)
    {
        var file = usenet.Post(100_000);
        var stall = usenet.Mock.Faults.Add(fault, FaultTarget.All, timesInAll: 1);

        // By the priority for which nothing is asked a second time elsewhere.
        var probing = usenet.ProbeAsync(file, FetchPriority.Health);
        await Until.TrueAsync(() => stall.Struck == 1);
        return (probing, stall);
    }
}
