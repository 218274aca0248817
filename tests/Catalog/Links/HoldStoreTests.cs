using Dapper;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Links;

/// <summary>Links of libraries, as stored in the catalog.</summary>
public class HoldStoreTests
{
    private static readonly DateTimeOffset Day = new(2031, 5, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly HashSet<string> Nothing = [];

    [Fact]
    public async Task Only_existing_files_are_held_and_a_moved_link_is_the_same_hold()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, _, _) = Stores(catalog);
        var (_, file) = await PublishAsync(catalog, "Film");
        await holds.AddAsync(Held((file, "/tv/a.mkv"), (12345, "/tv/stale.mkv")), Day, CancellationToken.None);
        Assert.Equal((1, 1, 0), (await holds.CountHeldAsync(CancellationToken.None),
            await holds.CountHeldBelowAsync("/tv", CancellationToken.None), await holds.CountHeldBelowAsync("/t", CancellationToken.None)));
        await holds.AddAsync(Held((file, "/tv2/a.mkv")), Day, CancellationToken.None);
        Assert.Equal((0, 1), (await holds.CountHeldBelowAsync("/tv", CancellationToken.None),
            await holds.CountHeldBelowAsync("/tv2", CancellationToken.None)));
        Assert.Equal("/tv2/a.mkv", (await holds.FindHolderAsync(file, CancellationToken.None)).Holder);
    }

    [Fact]
    public async Task Only_files_held_by_a_library_that_was_read_count_as_missing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, _, _) = Stores(catalog);
        var (_, one) = await PublishAsync(catalog, "One");
        var (_, two) = await PublishAsync(catalog, "Two");
        await holds.AddAsync(Held((one, "/tv/a.mkv"), (two, "Sonarr: /tv/b.mkv")), Day, CancellationToken.None);
        Assert.Equal([one], await holds.FindMissingAsync(Held(), ["/tv/", "Radarr: "], CancellationToken.None));
        Assert.Empty(await holds.FindMissingAsync(Held((one, "x")), ["/tv/"], CancellationToken.None));
    }

    [Fact]
    public async Task The_first_and_the_last_reading_are_remembered()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, _, _) = Stores(catalog);
        Assert.Null(await holds.ReadingsAsync(CancellationToken.None));
        await holds.RecordAsync([], ["tv"], Day, CancellationToken.None);
        await holds.RecordAsync([], ["tv", "movies"], Day.AddDays(2), CancellationToken.None);
        var readings = (await holds.ReadingsAsync(CancellationToken.None))!;
        Assert.Equal((Day, Day.AddDays(2)), (readings.First, readings.Last));
        Assert.Equal(["tv", "movies"], readings.Categories);
    }

    [Fact]
    public async Task A_hidden_file_that_is_held_or_kept_again_is_not_deleted()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, unwanted, deleter) = Stores(catalog);
        var (job, file) = await PublishAsync(catalog, "Film");
        await holds.AddAsync(Held((file, "/tv/a.mkv")), Day, CancellationToken.None);
        Assert.False(await deleter.DeleteLostAsync(file, Day, Nothing, CancellationToken.None));
        await holds.RecordAsync([file], [], Day, CancellationToken.None);
        await unwanted.HideAsync([file], Day, CancellationToken.None);
        Assert.True(unwanted.IsHidden(file) && unwanted.IsHidden(job));
        Assert.False(await deleter.DeleteLostAsync(file, Day.AddTicks(-1), Nothing, CancellationToken.None));
        await holds.AddAsync(Held((file, "/tv/a.mkv")), Day, CancellationToken.None);
        Assert.False(unwanted.AnyHidden);
        Assert.False(await deleter.DeleteLostAsync(file, Day.AddDays(1), Nothing, CancellationToken.None));
        await holds.RecordAsync([file], [], Day, CancellationToken.None);
        await unwanted.HideAsync([file], Day, CancellationToken.None);
        await unwanted.KeepAsync(file, Day, CancellationToken.None);
        Assert.False(await deleter.DeleteLostAsync(file, Day.AddDays(1), Nothing, CancellationToken.None));
        await unwanted.HideAsync([file], Day, CancellationToken.None);
        Assert.False(unwanted.AnyHidden);
        Assert.NotNull(await catalog.Tree.GetAsync(file, CancellationToken.None));
    }

    [Fact]
    public async Task A_released_job_is_deleted_unless_a_library_held_some_of_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, unwanted, deleter) = Stores(catalog);
        var (held, file) = await PublishAsync(catalog, "Held");
        var (free, _) = await PublishAsync(catalog, "Free");
        await holds.AddAsync(Held((file, "/tv/a.mkv")), Day, CancellationToken.None);
        var told = 0;
        unwanted.JobAbandoned += () => told++;
        Assert.False(await deleter.DeleteAbandonedAsync(free, CancellationToken.None));
        foreach (var job in (long[])[held, free, file, 99])
            await unwanted.MarkAbandonedAsync(job, null, CancellationToken.None);
        Assert.Equal(2, told);
        Assert.Equal([("Held", "movies"), ("Free", "movies")],
            (await unwanted.ListAbandonedAsync(CancellationToken.None)).Select(job => (job.Name, job.Category)));
        Assert.False(await deleter.DeleteAbandonedAsync(held, CancellationToken.None));
        var id = (await catalog.Tree.GetAsync(free, CancellationToken.None))!.JobId!.Value;
        Assert.True(await deleter.DeleteAbandonedAsync(free, CancellationToken.None));
        Assert.Null(await catalog.Tree.GetAsync(free, CancellationToken.None));
        Assert.Null(await catalog.Jobs.GetAsync(id, CancellationToken.None));
        Assert.NotNull(await catalog.Tree.GetAsync(held, CancellationToken.None));
        Assert.Equal(0, await catalog.Database.ReadAsync(reader =>
            reader.ScalarAsync<int>("SELECT COUNT(*) FROM unwanted WHERE item_id NOT IN (SELECT id FROM items)"), CancellationToken.None));
    }

    [Fact]
    public async Task A_released_job_keeps_its_id_after_its_history_entry_is_deleted()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (_, unwanted, _) = Stores(catalog);
        var (item, _) = await PublishAsync(catalog, "Film");
        var id = (await catalog.Tree.GetAsync(item, CancellationToken.None))!.JobId!.Value;
        await unwanted.MarkAbandonedAsync(item, null, CancellationToken.None);
        await catalog.Jobs.DeleteAsync(id, withContent: false, CancellationToken.None);
        Assert.Equal(id, Assert.Single(await unwanted.ListAbandonedAsync(CancellationToken.None)).JobId);
    }

    [Fact]
    public async Task A_released_job_is_known_by_its_id_from_another_program()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (_, unwanted, _) = Stores(catalog);
        var (item, _) = await PublishAsync(catalog, "Film");
        var id = (await catalog.Tree.GetAsync(item, CancellationToken.None))!.JobId!.Value;
        await new AliasStore(catalog.Database)
            .AdoptAsync(new MovedTitle("nzbdav", "1", []) { DownloadId = "old", IsListed = true }, id, [], CancellationToken.None);
        await unwanted.MarkAbandonedAsync(item, id, CancellationToken.None);
        await catalog.Jobs.DeleteAsync(id, withContent: false, CancellationToken.None);
        Assert.Equal("old", Assert.Single(await unwanted.ListAbandonedAsync(CancellationToken.None)).DownloadId);
    }

    [Fact]
    public async Task A_released_torrent_is_known_by_its_info_hash_after_its_job_is_deleted()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (_, unwanted, _) = Stores(catalog);
        var hash = new string('a', 40);
        var (post, _) = await PublishAsync(catalog, "Post");
        using (var brought = new MemoryStream("d4:infod"u8.ToArray()))
            await catalog.Jobs.EnqueueAsync(new NewJob
            {
                Name = "Torrent",
                Category = "tv",
                Source = JobSource.Dav,
                Kind = JobKind.Torrent,
                ContentHash = hash
            }, brought, CancellationToken.None);
        var claimed = await catalog.ClaimAsync();
        var file = new PublishedFile
        { Path = ["Season 1", "e1.mkv"], Size = 5, ExtentMap = claimed.Nzb!.Value, Torrent = new TorrentPart(hash, 0) };
        var item = (await catalog.Jobs.PublishAsync(
            claimed, new JobPublication { Files = [file, file with { Path = ["e2.mkv"] }] }, CancellationToken.None))!;
        await unwanted.MarkAbandonedAsync(item.Id, claimed.Id, CancellationToken.None);
        await unwanted.MarkAbandonedAsync(post, null, CancellationToken.None);
        await catalog.Jobs.DeleteAsync(claimed.Id, withContent: false, CancellationToken.None);
        Assert.Equal([("Post", null), ("Torrent", hash)],
            (await unwanted.ListAbandonedAsync(CancellationToken.None)).Select(job => (job.Name, job.InfoHash)).Order());
    }

    [Fact]
    public async Task A_post_whose_files_are_hidden_does_not_count_as_a_duplicate()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (holds, unwanted, _) = Stores(catalog);
        using (var nzb = new MemoryStream("<nzb/>"u8.ToArray()))
            await catalog.Jobs.EnqueueAsync(new NewJob { Name = "Film", Category = "movies", Source = JobSource.Dav, ContentHash = "abc" },
                nzb, CancellationToken.None);
        var item = (await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(), new JobPublication { Files = [await catalog.FileAsync("film.mkv")] }, CancellationToken.None))!;
        var file = (await catalog.Tree.FindChildAsync(item.Id, "film.mkv", CancellationToken.None))!.Id;
        await holds.AddAsync(Held((file, "/tv/a.mkv")), Day, CancellationToken.None);
        await holds.RecordAsync([file], [], Day, CancellationToken.None);
        Assert.Equal(1, await CountAsync());
        await unwanted.HideAsync([file], Day, CancellationToken.None);
        Assert.Equal(0, await CountAsync());
        await unwanted.KeepAsync(file, Day, CancellationToken.None);
        Assert.Equal(1, await CountAsync());

        async Task<int> CountAsync()
        {
            var count = 0;
            await foreach (var _ in catalog.Jobs.List.EachAsync(
                new JobFilter { ContentHash = "abc", Categories = ["movies"] }, CancellationToken.None))
                count++;
            return count;
        }
    }

    private static (HoldStore Holds, UnwantedItems Unwanted, UnwantedDeleter Deleter) Stores(CatalogFixture catalog)
    {
        var unwanted = new UnwantedItems(catalog.Database);
        return (new HoldStore(catalog.Database, unwanted), unwanted,
            new UnwantedDeleter(catalog.Database, catalog.Jobs, catalog.Collector, unwanted));
    }

    private static Dictionary<long, string> Held(params (long Id, string Holder)[] held) =>
        held.ToDictionary(one => one.Id, one => one.Holder);

    private static async Task<(long Job, long File)> PublishAsync(CatalogFixture catalog, string name)
    {
        var job = await catalog.PublishAsync(name, "film.mkv");
        await foreach (var file in catalog.Tree.ListAsync(job.Id, after: null, CancellationToken.None))
            return (job.Id, file.Id);
        throw new InvalidOperationException("nothing in it");
    }
}
