using NzbDav.Catalog.Database;
#if POSTGRES
using NzbDav.Catalog.Database.Postgres;
using NzbDav.Catalog.Gateways;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Users;
using NzbDav.Fakes;
#endif

namespace NzbDav.Catalog.Tests.Database;

public sealed class NoticeTests
{
    /// <summary>Ends a test that would hang for ever; none waits that long.</summary>
    private static readonly TimeSpan Hanging = TimeSpan.FromMinutes(1);

    private static CatalogNotice Job(long id) => new(NoticeKind.Job, $"{id}:queued");

    [Fact]
    public void Notices_are_read_as_they_were_written_and_each_once()
    {
        CatalogNotice[] notices = [Job(1), new(NoticeKind.Health, ""), Job(1), new(NoticeKind.Scope, "tree=17")];

        var payload = Assert.Single(CatalogNotice.Pack("me", notices, size: 7_900));

        Assert.Equal([Job(1), new CatalogNotice(NoticeKind.Health, ""), new CatalogNotice(NoticeKind.Scope, "tree=17")],
            CatalogNotice.Unpack("you", payload));
        Assert.Empty(CatalogNotice.Unpack("me", payload)!);
    }

    [Fact]
    public void Many_notices_are_spread_over_texts_that_are_not_too_long()
    {
        CatalogNotice[] notices = [.. Enumerable.Range(0, 100).Select(static id => Job(id))];

        var payloads = CatalogNotice.Pack("me", notices, size: 500);

        Assert.All(payloads, static payload => Assert.InRange(payload.Length, 1, 500));
        Assert.Equal(notices, payloads.SelectMany(static payload => CatalogNotice.Unpack("you", payload)!));
    }

    [Fact]
    public void Too_many_notices_say_only_that_anything_may_have_changed() =>
        Assert.Null(CatalogNotice.Unpack(
            "you", Assert.Single(CatalogNotice.Pack("me", Enumerable.Range(0, 10_000).Select(static id => Job(id)), size: 500))));

    [Fact]
    public void A_notice_that_is_too_long_says_only_that_anything_may_have_changed() =>
        Assert.Null(CatalogNotice.Unpack(
            "you", Assert.Single(CatalogNotice.Pack("me", [new CatalogNotice(NoticeKind.Torrent, new string('a', 600))], size: 500))));

    [Fact]
    public void No_notice_makes_no_text() => Assert.Empty(CatalogNotice.Pack("me", [], size: 500));

#if POSTGRES
    [Fact]
    public async Task A_job_of_another_gateway_is_told_with_each_of_its_states()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var heard = new Heard<JobChange>();
        there.Jobs.Changed += heard.Add;

        var job = await here.EnqueueAsync();
        var claimed = await here.ClaimAsync();
        await here.Jobs.ReportAsync(
            claimed, new JobProgress { Step = "parse", PerMille = 10 }, CatalogFixture.Lease, CancellationToken.None);
        await here.Jobs.FailAsync(claimed, "code", "why", CancellationToken.None);
        await here.Jobs.DeleteAsync(job.Id, withContent: false, CancellationToken.None);

        JobState?[] states = [JobState.Queued, JobState.Running, JobState.Running, JobState.Failed, null];
        Assert.Equal(states.Select(state => new JobChange(job.Id, state) { IsForeign = true }), await heard.TakeAsync(states.Length));
    }

    [Fact]
    public async Task What_is_rolled_back_is_not_told()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var heard = new Heard<JobChange>();
        there.Jobs.Changed += heard.Add;

        await Assert.ThrowsAsync<InvalidOperationException>(() => here.Database.WriteAsync<int>(
            transaction =>
            {
                transaction.Notify(NoticeKind.Job, "1:queued");
                throw new InvalidOperationException();
            },
            CancellationToken.None));
        await here.Database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Job, "2:queued");
                transaction.Abandon();
                return 0;
            },
            CancellationToken.None);
        var job = await here.EnqueueAsync();

        Assert.Equal(job.Id, Assert.Single(await heard.TakeAsync(1)).JobId);
    }

    [Fact]
    public async Task A_file_of_another_gateway_is_found_before_the_next_look()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var heard = new Heard<long>();
        there.Tree.ChildrenChanged += parents => heard.Add([.. parents]);
        await there.ResolveAsync("content/movies/Movie.2020/movie.mkv");

        await here.PublishAsync("Movie.2020", "movie.mkv");

        await heard.TakeAsync(1);
        Assert.NotNull(await there.ResolveAsync("content/movies/Movie.2020/movie.mkv"));
    }

    /// <summary>The gateway that owns a torrent removes its data when another one deletes the last file of it.</summary>
    [Fact]
    public async Task A_deletion_by_another_gateway_is_heard()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var item = await here.PublishAsync("Movie.2020", "movie.mkv");
        var heard = new Heard<string>();
        there.Tree.Removed += () => heard.Add("removed");

        await here.Tree.DeleteAsync(item.Id, CancellationToken.None);

        await heard.TakeAsync(1);
        Assert.Null(await there.Tree.GetAsync(item.Id, CancellationToken.None));
    }

    [Fact]
    public async Task A_setting_of_another_gateway_is_taken_over_although_nobody_asks_for_it()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        await there.Settings.GetAllAsync(CancellationToken.None);
        var heard = new Heard<string>();
        there.Settings.Changed += heard.Add;

        await here.Settings.SetAsync("a", "1", CancellationToken.None);

        Assert.Equal("a", Assert.Single(await heard.TakeAsync(1)));
        Assert.Equal("1", await there.Settings.GetAsync("a", CancellationToken.None));
    }

    [Fact]
    public async Task What_another_gateway_hides_is_hidden_here()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        await here.PublishAsync("Movie.2020", "movie.mkv");
        var file = (await here.ResolveAsync("content/movies/Movie.2020/movie.mkv"))!;
        var (unwanted, others) = (new UnwantedItems(here.Database), new UnwantedItems(there.Database));
        var holds = new HoldStore(here.Database, unwanted);
        var now = here.Clock.GetUtcNow();
        await holds.AddAsync(new Dictionary<long, string> { [file.Id] = "/library/movie.strm" }, now, CancellationToken.None);
        await holds.RecordAsync([file.Id], [], now, CancellationToken.None);
        var heard = new Heard<bool>();
        others.HiddenChanged += () => heard.Add(others.IsHidden(file.Id));

        await unwanted.HideAsync([file.Id], now, CancellationToken.None);
        Assert.True(Assert.Single(await heard.TakeAsync(1)));

        await unwanted.KeepAsync(file.Id, now, CancellationToken.None);
        Assert.False(Assert.Single(await heard.TakeAsync(1)));
    }

    [Fact]
    public async Task A_job_that_is_released_at_another_gateway_is_told()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        await here.PublishAsync("Movie.2020", "movie.mkv");
        var job = (await here.ResolveAsync("content/movies/Movie.2020"))!;
        var (unwanted, others) = (new UnwantedItems(here.Database), new UnwantedItems(there.Database));
        var heard = new Heard<bool>();
        others.JobAbandoned += () => heard.Add(true);
        await unwanted.MarkAbandonedAsync(job.Id, null, CancellationToken.None);
        Assert.True(Assert.Single(await heard.TakeAsync(1)));
        Assert.Equal(job.Id, Assert.Single(await others.ListAbandonedAsync(CancellationToken.None)).ItemId);
    }

    [Fact]
    public async Task A_session_that_another_gateway_ends_is_told()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var (sessions, others) = (new SessionStore(here.Database), new SessionStore(there.Database));
        var heard = new Heard<string>();
        others.Ended += ids => heard.Add([.. ids]);
        var now = here.Clock.GetUtcNow();
        var session = new StoredSession { Id = "one", Username = "ann", Via = UserStore.PasswordSessions, StartedAt = now, Seen = now };
        await sessions.AddAsync(session, CancellationToken.None);
        Assert.Equal("ann", (await others.FindAsync("one", CancellationToken.None))?.Username);

        await sessions.RemoveAsync(["one"], CancellationToken.None);

        Assert.Equal("one", Assert.Single(await heard.TakeAsync(1)));
    }

    [Fact]
    public async Task A_key_that_another_gateway_replaces_is_told()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var (keys, others) = (new KeyStore(here.Database), new KeyStore(there.Database));
        var heard = new Heard<bool>();
        Assert.Equal([1], await keys.AddAsync("links", [1], CancellationToken.None));
        Assert.Equal([1], await others.AddAsync("links", [2], CancellationToken.None));
        others.Changed += () => heard.Add(true);

        await keys.SetAsync("links", [3], CancellationToken.None);

        await heard.TakeAsync(1);
        Assert.Equal([3], (await others.ListAsync(CancellationToken.None))["links"]);
    }

    [Fact]
    public async Task A_gateway_that_lacks_connections_tells_the_others_once()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var (one, two) = (new ConnectionLeaseStore(here.Database, "one"), new ConnectionLeaseStore(there.Database, "two"));
        var (keys, others) = (new KeyStore(here.Database), new KeyStore(there.Database));
        var heard = new Heard<string>();
        one.Lacking += () => heard.Add("lacking");
        keys.Changed += () => heard.Add("keys");
        await one.RenewAsync([new LeaseRequest("account", Most: 8, Kept: 0, Wanted: 8, Recent: 8)], CancellationToken.None);
        Assert.Equal(0, await WantAsync(2));
        Assert.Equal(["lacking"], await heard.TakeAsync(1));

        await WantAsync(2);
        await others.AddAsync("links", [1], CancellationToken.None);
        await WantAsync(3);
        Assert.Equal(["keys", "lacking"], await heard.TakeAsync(2));

        async Task<int> WantAsync(int wanted) => Assert.Single(
            await two.RenewAsync([new LeaseRequest("account", Most: 8, Kept: 0, wanted, Recent: 0)], CancellationToken.None)).Granted;
    }

    [Fact]
    public async Task A_gateway_whose_connection_was_cut_learns_that_it_may_have_missed_something_and_hears_again()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        var missed = new Heard<bool>();
        there.Jobs.NoticesLost += () => missed.Add(true);
        var removed = new Heard<bool>();
        there.Tree.Removed += () => removed.Add(true);
        var heard = new Heard<JobChange>();
        there.Jobs.Changed += heard.Add;
        await using (var raw = here.RawConnection())
        await using (var cut = raw.CreateCommand())
        {
            cut.CommandText =
                "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND application_name = " +
                "'nzbdav listener'";
            Assert.Equal(2L, await cut.ExecuteScalarAsync());
        }

        // It pauses before it connects again.
        await Until.TrueAsync(() =>
        {
            here.Clock.Advance(PostgresListener.Pause);
            return missed.HasAny && removed.HasAny;
        });
        var job = await here.EnqueueAsync();
        Assert.Equal(job.Id, Assert.Single(await heard.TakeAsync(1)).JobId);
    }

    [Fact]
    public async Task One_of_two_gateways_leads_and_the_other_takes_over_when_it_ends()
    {
        await using var here = await CatalogFixture.OpenAsync();
        await using var there = await here.OpenOtherAsync();
        Assert.True(here.Database.IsLeading);
        Assert.False(there.Database.IsLeading);

        await here.Database.DisposeAsync();

        Assert.True(await Task.Run(() => SpinWait.SpinUntil(() => there.Database.IsLeading, Hanging)));
    }

    /// <summary>What an event brought, in order.</summary>
    private sealed class Heard<T>
    {
        private readonly System.Threading.Channels.Channel<T> _all = System.Threading.Channels.Channel.CreateUnbounded<T>();

        public bool HasAny => _all.Reader.Count > 0;

        public void Add(T one) => _all.Writer.TryWrite(one);

        public void Add(IReadOnlyCollection<T> some)
        {
            foreach (var one in some)
                Add(one);
        }

        public async Task<List<T>> TakeAsync(int count)
        {
            var taken = new List<T>();
            while (taken.Count < count)
                taken.Add(await _all.Reader.ReadAsync().AsTask().WaitAsync(Hanging));
            return taken;
        }
    }
#endif
}
