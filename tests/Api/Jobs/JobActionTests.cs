using System.Globalization;
using System.Net;
using NzbDav.Api.Jobs;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Tests.Native;
using NzbDav.Api.Tests.QBittorrent;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Seeding;

namespace NzbDav.Api.Tests.Jobs;

/// <summary>A change to a job has the same result whichever interface it comes from.</summary>
public sealed class JobActionTests
{
    [Fact]
    public async Task A_job_that_was_published_while_it_was_deleted_leaves_no_files()
    {
        await using var sab = await SabFixture.OpenAsync();
        var seen = await sab.RunAsync("Film");
        await sab.PublishAsync(seen);
        Assert.Null(await sab.Get<JobActions>().DeleteAsync(seen, new JobDeletion(JobFiles.Keep), CancellationToken.None));
        Assert.Null(await sab.Jobs.GetAsync(seen.Id, CancellationToken.None));
        Assert.Null(await FileAsync(sab));
    }

    [Fact]
    public async Task A_job_that_was_published_while_it_was_deleted_keeps_files_whose_link_was_read()
    {
        await using var sab = await SabFixture.OpenAsync();
        var seen = await sab.RunAsync("Film");
        await sab.PublishAsync(seen);
        await sab.Links.MarkLinkReadAsync((await FileAsync(sab))!.Id, CancellationToken.None);
        Assert.Null(await sab.Get<JobActions>().DeleteAsync(seen, new JobDeletion(JobFiles.Keep), CancellationToken.None));
        Assert.NotNull(await FileAsync(sab));
        Assert.Equal([seen.Id], (await sab.Unwanted.ListAbandonedAsync(CancellationToken.None)).Select(static job => job.JobId!.Value));
    }

    [Fact]
    public async Task Deleting_an_address_that_has_just_become_a_job_deletes_both()
    {
        await using var sab = await SabFixture.OpenAsync();
        var id = sab.Jobs.NewId();
        using var nzb = new MemoryStream(SabFixture.Nzb("Film"));
        await sab.Jobs.EnqueueAsync(
            new NewJob { Id = id, Name = "Film", Category = "tv", Source = JobSource.Api }, nzb, CancellationToken.None);

        // Nothing works on it, so the address is still there.
        await sab.Get<UrlGrabs>().StopAsync(CancellationToken.None);
        await sab.Get<UrlGrabs>().AddAsync(
            new UrlGrab { Id = id, Url = "http://127.0.0.1:1/film.nzb", Name = "Film", Category = "tv", Priority = 0 },
            CancellationToken.None);
        Assert.True((await sab.AskAsync($"mode=queue&name=delete&value={NzoId.Of(id)}")).GetProperty("status").GetBoolean());
        Assert.Null(await sab.Jobs.GetAsync(id, CancellationToken.None));
        Assert.Empty(sab.Get<UrlGrabs>().Pending);
    }

    [Fact]
    public async Task A_person_deletes_no_files_whose_link_was_read_while_no_library_tells()
    {
        await using var native = await NativeFixture.OpenAsync();
        var job = await native.Sab.CompleteAsync("Film");
        await native.Sab.Links.MarkLinkReadAsync((await FileAsync(native.Sab))!.Id, CancellationToken.None);
        var answer = await native.ActAsync(new { action = "delete", withFiles = true, ids = Ids(job) });
        var refused = Assert.Single(answer.GetProperty("refused").EnumerateArray());
        Assert.Contains("a library may have it", refused.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.NotNull(await FileAsync(native.Sab));
        Assert.NotNull(await native.Sab.Jobs.GetAsync(job.Id, CancellationToken.None));
    }

    [Fact]
    public async Task Another_priority_for_a_job_that_has_ended_tells_nobody_that_it_was_published()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await sab.CompleteAsync("Film");
        var told = new List<JobChange>();
        sab.Jobs.Changed += told.Add;
        var answer = await sab.AskAsync($"mode=queue&name=priority&value={NzoId.Of(job)}&value2=1");
        Assert.Equal(-1, answer.GetProperty("position").GetInt32());
        Assert.Empty(told);
        Assert.Equal(job.Priority, (await sab.Jobs.GetAsync(job.Id, CancellationToken.None))!.Priority);
    }

    [Fact]
    public async Task Resuming_a_job_whose_file_was_never_fetched_fetches_it_again()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.Inner.Get<UrlGrabs>().StopAsync(CancellationToken.None);
        var job = await FailToFetchAsync(qbit.Inner);
        await qbit.DoAsync("torrents/resume", new() { ["hashes"] = NzbTorrents.HashOf(job.Id) });
        Assert.Null(await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None));
        Assert.Equal("http://127.0.0.1:1/film.nzb", Assert.Single(qbit.Inner.Get<UrlGrabs>().Pending).Url);
    }

    [Fact]
    public async Task A_job_that_is_fetched_again_was_added_when_the_first_was()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.Get<UrlGrabs>().StopAsync(CancellationToken.None);
        var job = await FailToFetchAsync(sab);
        await sab.AskAsync($"mode=retry&value={NzoId.Of(job.Id)}");
        Assert.Equal(job.Created, Assert.Single(sab.Get<UrlGrabs>().Pending).Added);
    }

    [Theory]
    [InlineData("mode=queue&name=delete&value=")]
    [InlineData("mode=queue&name=pause&value=")]
    [InlineData("mode=change_cat&value2=movies&value=")]
    [InlineData("mode=queue&name=rename&value2=Other&value=")]
    [InlineData("mode=queue&name=priority&value2=2&value=")]
    public async Task Clients_of_SABnzbd_change_no_torrents(string query)
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await Shelf.QueueAsync(sab);
        await sab.AskAsync(query + NzoId.Of(job.Id));
        Assert.Equivalent(job, await sab.Jobs.GetAsync(job.Id, CancellationToken.None), strict: true);
    }

    [Theory]
    [InlineData("torrents/delete")]
    [InlineData("torrents/pause")]
    public async Task The_hash_of_a_job_names_no_torrents_job(string call)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var job = await Shelf.QueueAsync(qbit.Inner);
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync(call, new() { ["hashes"] = NzbTorrents.HashOf(job.Id) })).Status);
        Assert.Equivalent(job, await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None), strict: true);
    }

    [Fact]
    public async Task A_torrents_job_that_is_paused_on_the_page_is_stopped_for_clients_and_either_resumes_it()
    {
        await using var qbit = await QbitFixture.OpenAsync(add: Shelf.Add);
        var job = await Shelf.QueueAsync(qbit.Inner);
        var actions = qbit.Inner.Get<JobActions>();
        Assert.Null(await actions.PauseAsync(job, CancellationToken.None));
        Assert.Equal("stoppedDL", await StateAsync());
        await qbit.DoAsync("torrents/start", new() { ["hashes"] = Shelf.Hash });
        Assert.False(await IsPausedAsync());
        Assert.Equal("metaDL", await StateAsync());
        await qbit.DoAsync("torrents/stop", new() { ["hashes"] = Shelf.Hash });
        Assert.True(await IsPausedAsync());
        Assert.Null(await actions.ResumeAsync((await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None))!, CancellationToken.None));
        Assert.False(await IsPausedAsync());
        Assert.Equal("metaDL", await StateAsync());

        async Task<string?> StateAsync() => (await qbit.ReadAsync("torrents/info"))[0].GetProperty("state").GetString();
        async Task<bool> IsPausedAsync() => (await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None))!.Paused;
    }

    [Theory]
    [InlineData("torrents/start", "")]
    [InlineData("torrents/setForceStart", "true")]
    public async Task Starting_a_torrent_whose_import_failed_tries_it_again(string call, string value)
    {
        await using var qbit = await QbitFixture.OpenAsync(add: Shelf.Add);
        await Shelf.QueueAsync(qbit.Inner);
        var job = (await qbit.Inner.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await qbit.Inner.Jobs.FailAsync(job, "no-metadata", "No peer describes it.", CancellationToken.None);
        Assert.Equal("error", (await qbit.ReadAsync("torrents/info"))[0].GetProperty("state").GetString());
        await qbit.DoAsync(call, new() { ["hashes"] = Shelf.Hash, ["value"] = value });
        Assert.Equal(JobState.Queued, (await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        Assert.NotEqual("error", (await qbit.ReadAsync("torrents/info"))[0].GetProperty("state").GetString());
    }

    [Fact]
    public async Task A_new_category_of_a_torrent_that_is_not_published_is_that_of_its_job_too()
    {
        await using var qbit = await QbitFixture.OpenAsync(add: Shelf.Add);
        var job = await Shelf.QueueAsync(qbit.Inner);
        await qbit.DoAsync("torrents/createCategory", new() { ["category"] = "movies" });
        await qbit.DoAsync("torrents/setCategory", new() { ["hashes"] = Shelf.Hash, ["category"] = "movies" });
        job = (await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None))!;
        Assert.Equal("movies", job.Category);
        Assert.Null(await qbit.Inner.Get<JobActions>().SetCategoryAsync(job, "anime", CancellationToken.None));
        Assert.Equal(("anime", "anime"), await CategoriesAsync());

        // No category is none of a job's.
        await qbit.DoAsync("torrents/setCategory", new() { ["hashes"] = Shelf.Hash, ["category"] = "" });
        Assert.Equal(("", "anime"), await CategoriesAsync());

        async Task<(string Torrent, string Job)> CategoriesAsync() => (
            (await Shelf.FindAsync(qbit.Inner))!.Entry.Category,
            (await qbit.Inner.Jobs.GetAsync(job.Id, CancellationToken.None))!.Category);
    }

    [Fact]
    public async Task The_page_pauses_relabels_and_deletes_a_torrents_job_with_its_torrent()
    {
        await using var native = await NativeFixture.OpenAsync(add: Shelf.Add);
        var job = await Shelf.QueueAsync(native.Sab);
        await native.ActAsync(new { action = "pause", ids = Ids(job) });
        Assert.Equal(TorrentState.DownloadStopped, (await Shelf.FindAsync(native.Sab))!.State);
        await native.ActAsync(new { action = "category", ids = Ids(job), category = "movies" });
        await native.ActAsync(new { action = "resume", ids = Ids(job) });
        var torrent = (await Shelf.FindAsync(native.Sab))!;
        Assert.Equal((TorrentState.Metadata, "movies"), (torrent.State, torrent.Entry.Category));
        Assert.Equal(1, (await native.ActAsync(new { action = "delete", ids = Ids(job) })).GetProperty("done").GetInt32());
        Assert.Null(await Shelf.FindAsync(native.Sab));
        Assert.Null(await native.Sab.Jobs.GetAsync(job.Id, CancellationToken.None));
    }

    private static string[] Ids(CatalogJob job) => [job.Id.ToString(CultureInfo.InvariantCulture)];

    private static async Task<CatalogItem?> FileAsync(SabFixture sab) =>
        await sab.Tree.ResolveAsync(["content", "tv", "Film", "film.mkv"], CancellationToken.None);

    private static Task<CatalogJob> FailToFetchAsync(SabFixture sab)
    {
        var failed = new NewJob
        {
            Name = "Film",
            Category = "tv",
            Source = JobSource.Api,
            Url = "http://127.0.0.1:1/film.nzb",
            FailureCode = "url-fetch",
            FailureMessage = "It is away.",
        };
        return sab.Jobs.EnqueueAsync(failed, nzb: null, CancellationToken.None);
    }
}
