using System.Text;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Torrents;

/// <summary>The torrents that the user has: rows, totals, order, labels.</summary>
public sealed class TorrentStoreTests : IAsyncLifetime
{
    private static readonly string First = new('a', 40);
    private static readonly string Second = new('b', 40);
    private static readonly string Third = new('c', 40);

    private CatalogFixture _catalog = null!;

    public async ValueTask InitializeAsync() => _catalog = await CatalogFixture.OpenAsync();

    public async ValueTask DisposeAsync() => await _catalog.DisposeAsync();

    [Fact]
    public async Task A_torrent_job_creates_a_row_with_all_its_options()
    {
        var wanted = new NewTorrent
        {
            Name = "Mine",
            Tags = ["one", "two"],
            SavePath = "/downloads",
            Layout = "NoSubfolder",
            Policy = new TorrentPolicy
            { Keep = true, Ratio = 1.5, SeedMinutes = TorrentPolicy.Unlimited, IdleMinutes = 30, AtLimit = LimitAction.RemoveData },
            IsStopped = true,
            IsSequential = true,
            IsEdgesFirst = true,
            UploadLimit = 1_000,
            DownloadLimit = 2_000,
        };
        await EnqueueAsync(First, wanted);

        var entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal(("Mine", "tv", "/downloads", "NoSubfolder"), (entry.Name, entry.Category, entry.SavePath, entry.Layout));
        Assert.Equal(["one", "two"], entry.Tags);
        Assert.Equal(wanted.Policy, entry.Policy);
        Assert.True(entry
            is { IsStopped: true, IsForced: false, IsSequential: true, IsEdgesFirst: true, UploadLimit: 1_000, DownloadLimit: 2_000 });
        Assert.Equal(_catalog.Clock.GetUtcNow(), entry.Added, TimeSpan.FromMinutes(1));
        Assert.True(entry is { Ready: null, Completed: null, LastActive: null, Removed: null, Error: null, Files.Count: 0 });
        Assert.Equal(["one", "two"], await _catalog.Labels.ListTagsAsync(default));
    }

    [Fact]
    public async Task Nzbs_and_unreadable_torrents_create_no_row()
    {
        await _catalog.EnqueueAsync();
        await EnqueueAsync(First, failure: "malformed");
        Assert.Empty(await _catalog.Torrents.ListAsync(default));
    }

    [Fact]
    public async Task A_torrent_added_again_keeps_its_row_unless_it_was_removed()
    {
        await EnqueueAsync(First, new NewTorrent { Tags = ["old"] });
        await _catalog.Torrents.SetTotalsAsync(Totals(First, 10, 20), default);
        await EnqueueAsync(First, new NewTorrent { Tags = ["new"] });
        var entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal(["old"], entry.Tags);
        Assert.Equal(20, entry.Totals.Uploaded);

        await _catalog.Torrents.UpdateAsync([First], one => one with { Removed = _catalog.Torrents.Now, IsStopped = true }, default);
        await EnqueueAsync(First, new NewTorrent { Tags = ["new"] });
        entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal(["new"], entry.Tags);
        Assert.True(entry is { Removed: null, IsStopped: false, Totals.Uploaded: 0 });
    }

    [Fact]
    public async Task Torrents_are_unchanged_after_a_restart()
    {
        await EnqueueAsync(First);
        var now = _catalog.Torrents.Now;
        var entry = (await _catalog.Torrents.UpdateAsync(
            [First],
            one => one with
            {
                Name = "Täst",
                Category = "films",
                Tags = ["x"],
                Ready = now,
                Completed = now,
                LastActive = now,
                IsForced = true,
                Error = "The disk is full.",
                Files = [FilePriority.Skip, FilePriority.Normal, FilePriority.Highest],
                Totals = new TorrentTotals(1, 2, TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(5)),
            },
            default)).Single();

        await using var other = await _catalog.OpenOtherAsync();
        var read = (await other.Torrents.ListAsync(default)).Single();
        Assert.Equal(entry.Files, read.Files);
        Assert.Equal(entry.Tags, read.Tags);
        Assert.Equal(entry, read with { Files = entry.Files, Tags = entry.Tags });
        Assert.Equal((FilePriority.Highest, FilePriority.Normal), (read.PriorityOf(2), read.PriorityOf(3)));
    }

    [Fact]
    public async Task Web_seeds_trackers_and_a_selection_are_read_as_they_were_stored_even_with_a_line_break_in_an_address()
    {
        await EnqueueAsync(First, new NewTorrent { Selection = "0,2,4-6" });
        Uri[] addresses = [new("http://a.example/d?key=1"), new("http://b.example/one\ntwo three"), new("https://c.example/%C3%A4/")];
        var entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal(("0,2,4-6", null), (entry.Selection, entry.WebSeeds));
        await _catalog.Torrents.UpdateAsync(
            [First], one => one with { WebSeeds = addresses, Trackers = [addresses, [addresses[0]]] }, default);
        entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal(addresses, entry.WebSeeds!);
        Assert.Equal([addresses, [addresses[0]]], entry.Trackers!);
        await _catalog.Torrents.UpdateAsync([First], static one => one with { WebSeeds = [], Selection = null }, default);
        entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Empty(entry.WebSeeds!);
        Assert.Null(entry.Selection);
    }

    [Fact]
    public async Task An_update_reports_the_changed_torrents_and_nothing_if_none_changed()
    {
        await EnqueueAsync(First);
        var told = new List<string>();
        _catalog.Torrents.Changed += told.AddRange;
        Assert.Empty(await _catalog.Torrents.UpdateAsync([First, Second], entry => entry, default));
        Assert.Empty(told);
        Assert.Single(await _catalog.Torrents.UpdateAsync([First, Second], entry => entry with { IsStopped = true }, default));
        Assert.Equal([First], told);
    }

    [Fact]
    public async Task Setting_totals_changes_nothing_else()
    {
        await EnqueueAsync(First, new NewTorrent { Tags = ["kept"] });
        var at = _catalog.Torrents.Now;
        await _catalog.Torrents.SetTotalsAsync(Totals(First, 7, 9, at), default);
        await _catalog.Torrents.SetTotalsAsync(Totals(First, 8, 9), default);
        var entry = (await _catalog.Torrents.FindAsync(First, default))!;
        Assert.Equal((8, 9, at), (entry.Totals.Downloaded, entry.Totals.Uploaded, entry.LastActive));
        Assert.Equal(["kept"], entry.Tags);
    }

    [Fact]
    public async Task Torrents_can_be_reordered_and_new_ones_come_last()
    {
        await EnqueueAsync(First);
        await EnqueueAsync(Second);
        await _catalog.Torrents.ArrangeAsync(order => [.. order.Reverse()], default);
        Assert.Equal([Second, First], await OrderAsync());
        await EnqueueAsync(Third);
        Assert.Equal([Second, First, Third], await OrderAsync());
    }

    [Fact]
    public async Task A_row_is_removed_with_its_last_file_or_job()
    {
        var (waiting, _) = await EnqueueAsync(First);
        await EnqueueAsync(Second);
        var held = await _catalog.ClaimAsync();
        await _catalog.Jobs.FailAsync(held, "code", "why", default);
        Assert.Empty(await _catalog.Torrents.DeleteUnneededAsync(default));

        await _catalog.Jobs.DeleteAsync(waiting, withContent: false, default);
        Assert.Equal([First], await _catalog.Torrents.DeleteUnneededAsync(default));
        Assert.Equal([Second], await OrderAsync());
    }

    [Fact]
    public async Task A_removed_torrent_can_be_added_again()
    {
        var filter = new JobFilter { ContentHash = First, Categories = ["tv"] };
        await EnqueueAsync(First);
        Assert.Equal(1, (await _catalog.Jobs.List.CountAsync(filter, default)).Total);
        await _catalog.Torrents.UpdateAsync([First], one => one with { Removed = _catalog.Torrents.Now }, default);
        Assert.Equal(0, (await _catalog.Jobs.List.CountAsync(filter, default)).Total);
    }

    [Fact]
    public async Task A_source_names_the_torrent_file_its_job_and_its_published_folder()
    {
        var (_, blob) = await EnqueueAsync(First);
        var source = (await _catalog.Places.ListSourcesAsync(First, default)).Single();
        Assert.Equal((blob, null, JobState.Queued, null), (source.Metainfo, source.Magnet, source.Job, source.ItemId));

        var job = await _catalog.ClaimAsync();
        var file = new PublishedFile { Path = ["film.mkv"], Size = 100, ExtentMap = blob, Torrent = new TorrentPart(First, 0) };
        var item = (await _catalog.Jobs.PublishAsync(job, new JobPublication { Files = [file] }, default))!;
        await EnqueueAsync(Second, kind: JobKind.Magnet);
        var sources = (await _catalog.Places.ListSourcesAsync(hash: null, default)).ToDictionary(one => one.InfoHash);
        Assert.Equal((blob, JobState.Completed, item.Id, 100),
            (sources[First].Metainfo!.Value, sources[First].Job, sources[First].ItemId, sources[First].Size));
        Assert.True(sources[Second] is { Metainfo: null, Magnet: not null, Job: JobState.Queued });
        Assert.Empty(await _catalog.Torrents.DeleteUnneededAsync(default));
    }

    [Fact]
    public async Task Torrents_of_earlier_versions_are_taken_over_as_complete()
    {
        var folder = CatalogFixture.NewFolder();
        try
        {
            var options = TestEngine.Options(folder, isNew: true);
            var migrations = MigrationRunner.Embedded(TestEngine.Name);
            using var stream = new MemoryStream([1]);
            var blob = (await new BlobStore(options, _catalog.Clock).PutAsync(stream, default)).Hash.ToString();
            await using (var database = await CatalogOpening.OpenAsync(
                options, _catalog.Clock, [.. migrations.TakeWhile(one => one.Number < 14)], default))
            {
                await database.WriteAsync(
                    transaction =>
                    {
                        transaction.Execute(
                            "INSERT INTO jobs (id, name, category, state, priority, source, nzb_size, created, kind, content_hash) " +
                            "VALUES (5, 'j', 'films', 'completed', 0, 'dav', 1, 40, 'torrent', @First)", new { First });
                        transaction.Execute(
                            "INSERT INTO jobs (id, name, category, state, priority, source, nzb_size, created, kind, content_hash) " +
                            "VALUES (6, 'k', 'tv', 'queued', 0, 'dav', 1, 60, 'magnet', @Second)", new { Second });
                        return transaction.Execute(
                            "INSERT INTO items (id, parent_id, name, kind, size, created, modified, extent_map, job_id, torrent, " +
                            "torrent_file) VALUES (9, @RootId, 'f', 'file', 3, 50, 50, @blob, 5, @First, 0)",
                            new { CatalogItem.RootId, First, blob });
                    },
                    default);
            }

            await using var opened = await CatalogFixture.OpenAsync(folder, _catalog.Clock, ownsFolder: false);
            var entries = (await opened.Torrents.ListAsync(default)).ToDictionary(entry => entry.Hash);
            Assert.Equal(
                ("films", 50L, 50L), (entries[First].Category, entries[First].Added.UtcTicks, entries[First].Completed!.Value.UtcTicks));
            Assert.True(entries[Second] is { Category: "tv", Ready: null, Completed: null });
            Assert.Equal(2, entries.Count);
        }
        finally
        {
            TestEngine.Drop(TestEngine.Options(folder));
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Categories_and_tags_survive_a_restart()
    {
        Assert.True(await _catalog.Labels.CreateCategoryAsync(new("tv", "/mnt/tv"), default));
        Assert.False(await _catalog.Labels.CreateCategoryAsync(new("tv", "/other"), default));
        Assert.True(await _catalog.Labels.CreateCategoryAsync(new("films", ""), default));
        Assert.True(await _catalog.Labels.ChangeCategoryAsync(new("films", "/mnt/films"), default));
        Assert.False(await _catalog.Labels.ChangeCategoryAsync(new("none", ""), default));
        await _catalog.Labels.CreateTagsAsync(["b", "a", "b"], default);
        await using (var other = await _catalog.OpenOtherAsync())
        {
            Assert.Equal([new("films", "/mnt/films"), new("tv", "/mnt/tv")], await other.Labels.ListCategoriesAsync(default));
            Assert.Equal(["a", "b"], await other.Labels.ListTagsAsync(default));
        }

        await _catalog.Labels.RemoveCategoriesAsync(["tv", "none"], default);
        await _catalog.Labels.RemoveTagsAsync(["a"], default);
        Assert.Equal([new("films", "/mnt/films")], await _catalog.Labels.ListCategoriesAsync(default));
        Assert.Equal(["b"], await _catalog.Labels.ListTagsAsync(default));
    }

    private static Dictionary<string, (TorrentTotals Totals, DateTimeOffset? LastActive)> Totals(
        string hash, long down, long up, DateTimeOffset? at = null) =>
        new() { [hash] = (new TorrentTotals(down, up, default, default, default), at) };

    private async Task<List<string>> OrderAsync() => [.. (await _catalog.Torrents.ListAsync(default)).Select(entry => entry.Hash)];

    private async Task<(long Job, BlobHash Blob)> EnqueueAsync(
        string hash, NewTorrent? torrent = null, string? failure = null, JobKind kind = JobKind.Torrent)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes("of " + hash));
        var job = new NewJob
        {
            Name = "job " + hash[0],
            Category = "tv",
            Source = JobSource.Api,
            Kind = kind,
            ContentHash = hash,
            Torrent = torrent,
            FailureCode = failure,
            FailureMessage = failure
        };
        var queued = await _catalog.Jobs.EnqueueAsync(job, stream, default);
        return (queued.Id, queued.Nzb!.Value);
    }
}
