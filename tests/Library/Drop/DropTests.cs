using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Drop;

/// <summary><c>/nzbs</c>.</summary>
public class DropTests
{
    [Theory]
    [InlineData("Show.nzb")]
    [InlineData("Show.NZB")]
    [InlineData("Show.Nzb")]
    public async Task A_dropped_file_is_found_under_its_own_name(string name)
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync($"/nzbs/tv/{name}", "<nzb/>")).Status);
        Assert.Equal(["Show.nzb"], await library.ListAsync("/nzbs/tv"));
        Assert.Equal("<nzb/>", await library.TextAsync($"/nzbs/tv/{name}"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync($"/nzbs/tv/{name}"));
        Assert.Empty(await library.ListAsync("/nzbs/tv"));
    }

    [Theory]
    [InlineData("Show.torrent", "Show.torrent")]
    [InlineData("Show.TORRENT", "Show.torrent")]
    [InlineData("Show.magnet", "Show.magnet")]
    public async Task Torrents_have_a_drop_folder_of_their_own(string name, string listed)
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync($"/torrents/tv/{name}", "d4:infode")).Status);
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/nzbs/tv/Show.nzb", "<nzb/>")).Status);
        Assert.Equal([listed], await library.ListAsync("/torrents/tv"));
        Assert.Equal(["Show.nzb"], await library.ListAsync("/nzbs/tv"));
        Assert.Equal("d4:infode", await library.TextAsync($"/torrents/tv/{name}"));
        Assert.Equal("<nzb/>", await library.TextAsync("/nzbs/tv/Show.nzb"));
        Assert.Null(await library.FindAsync("/torrents/tv/Show.nzb"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync($"/torrents/tv/{name}"));
        Assert.Empty(await library.ListAsync("/torrents/tv"));
        Assert.Equal(["Show.nzb"], await library.ListAsync("/nzbs/tv"));
    }

    [Fact]
    public async Task A_torrent_and_a_magnet_link_with_one_name_are_two_jobs_with_separate_notes()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PutAsync("/torrents/tv/Show.torrent", "d4:infode");
        await library.PutAsync("/torrents/tv/Show.magnet", "magnet:?");
        for (var i = 0; i < 2; i++)
        {
            var job = await library.Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None);
            await library.Jobs.FailAsync(job!, "no", $"Bad {job!.Kind}.", CancellationToken.None);
        }

        Assert.Equal(["Show.magnet", "Show.magnet.failed.txt", "Show.torrent", "Show.torrent.failed.txt"],
            (await library.ListAsync("/torrents/tv")).Order(StringComparer.Ordinal));
        Assert.Contains("Bad Magnet.", await library.TextAsync("/torrents/tv/Show.magnet.failed.txt"), StringComparison.Ordinal);
        Assert.Contains("Bad Torrent.", await library.TextAsync("/torrents/tv/Show.torrent.failed.txt"), StringComparison.Ordinal);
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/torrents/tv/Show.magnet"));
        Assert.Equal(["Show.torrent", "Show.torrent.failed.txt"], await library.ListAsync("/torrents/tv"));
    }

    [Fact]
    public async Task The_note_of_a_long_name_fits_the_file_system()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var name = string.Concat(Enumerable.Repeat("日", 83));
        await library.PutAsync($"/nzbs/tv/{name}.nzb", "<nzb/>");
        await library.PutAsync("/nzbs/tv/short.nzb", "<nzb>2</nzb>");
        for (var i = 0; i < 2; i++)
        {
            var job = await library.Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None);
            await library.Jobs.FailAsync(job!, "no", "It is no good.", CancellationToken.None);
        }

        var names = await library.ListAsync("/nzbs/tv");
        Assert.Equal(4, names.Count);
        Assert.All(names, one => Assert.True(Encoding.UTF8.GetByteCount(one) <= 255, one));
        foreach (var note in names.Where(one => one.EndsWith(".txt", StringComparison.Ordinal)))
            Assert.Contains("It is no good.", await library.TextAsync($"/nzbs/tv/{note}"), StringComparison.Ordinal);
        Assert.Null(await library.FindAsync($"/nzbs/tv/{name}.txt"));
        Assert.Null(await library.FindAsync($"/nzbs/tv/{new string('x', 238)}.nzb.failed.txt"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_empty_nzb_waits_for_its_bytes(bool tellLength)
    {
        await using var library = await LibraryFixture.OpenAsync();
        foreach (var folder in (string[])["/nzbs/tv", "/nzbs"])
        {
            var path = folder + "/Show.nzb";
            Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync(path, [], tellLength)).Status);
            Assert.Equal(0, ((IStoreFile)(await library.FindAsync(path))!).Length);
            Assert.Contains("Show.nzb", await library.ListAsync(folder));
            Assert.Equal(0, (await library.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
            Assert.Equal(StoreWriteStatus.Replaced, (await library.PutAsync(path, Encoding.UTF8.GetBytes("<nzb/>"), tellLength)).Status);
            var job = await library.Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None);
            Assert.Equal(("Show", folder == "/nzbs" ? "movies" : "tv", 6L), (job!.Name, job.Category, job.NzbSize));
            await library.Jobs.DeleteAsync(job.Id, withContent: false, CancellationToken.None);
            Assert.DoesNotContain("Show.nzb", await library.ListAsync(folder));
        }
    }

    [Fact]
    public async Task Files_that_Finder_writes_for_itself_are_kept_for_a_while_and_are_not_jobs()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/nzbs/tv/._Show.nzb", "attributes")).Status);
        Assert.Equal(StoreWriteStatus.Replaced, (await library.PutAsync("/nzbs/tv/._Show.nzb", "others")).Status);
        Assert.Equal("others", await library.TextAsync("/nzbs/tv/._Show.nzb"));
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/nzbs/tv/.DS_Store", "x")).Status);
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/nzbs/tv/.DS_Store"));
        Assert.Equal(StoreWriteStatus.TooLarge, (await library.PutAsync("/nzbs/tv/._big", new byte[70_000])).Status);
        Assert.Equal(StoreWriteStatus.Invalid, (await library.PutAsync("/nzbs/tv/readme.txt", "x")).Status);
        Assert.Equal(StoreWriteStatus.Invalid, (await library.PutAsync("/nzbs/tv/empty.txt", "")).Status);
        Assert.Equal(["._Show.nzb"], await library.ListAsync("/nzbs/tv"));
        Assert.Equal(0, (await library.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
        Assert.True(library.Store.MayHoldJunk(LibraryFixture.PathOf("/nzbs/tv/._x")));
        Assert.False(library.Store.MayHoldJunk(LibraryFixture.PathOf("/content/tv/._x")));
        library.Time.Advance(TimeSpan.FromMinutes(11));
        Assert.Empty(await library.ListAsync("/nzbs/tv"));
        Assert.Null(await library.FindAsync("/nzbs/tv/._Show.nzb"));
    }

    [Fact]
    public async Task The_number_of_small_files_beside_uploads_is_limited()
    {
        await using var library = await LibraryFixture.OpenAsync();
        for (var i = 0; i < 400; i++)
        {
            library.Time.Advance(TimeSpan.FromMilliseconds(1));
            await library.PutAsync($"/nzbs/tv/._{i}", "x");
        }

        Assert.Equal(256, (await library.ListAsync("/nzbs/tv")).Count);
        Assert.Null(await library.FindAsync("/nzbs/tv/._0"));
        Assert.NotNull(await library.FindAsync("/nzbs/tv/._399"));
    }

    [Theory]
    [InlineData("/nzbs/tv", "Show.nzb.gz")]
    [InlineData("/nzbs/tv", "Show.nzb.BZ2")]
    [InlineData("/nzbs", "Show.nzb.gz")]
    public async Task A_dropped_archive_is_found_for_a_while_as_it_was_sent(string folder, string name)
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync($"{folder}/{name}", "packed")).Status);
        Assert.Equal(1, (await library.Jobs.List.CountAsync(new JobFilter { Name = "Show" }, CancellationToken.None)).Total);

        // Its sender looks for the size that it sent; the list shows what was inside.
        var sent = (IStoreFile)(await library.FindAsync($"{folder}/{name}"))!;
        Assert.Equal((name, 6), (sent.Name, sent.Length));
        Assert.Contains("not kept", (await sent.OpenAsync(CancellationToken.None)).Reason, StringComparison.Ordinal);
        Assert.DoesNotContain(name, await library.ListAsync(folder));
        Assert.Equal(folder == "/nzbs" ? [] : ["Show.nzb"], await library.ListAsync("/nzbs/tv"));

        library.Time.Advance(TimeSpan.FromMinutes(2));
        Assert.Null(await library.FindAsync($"{folder}/{name}"));
        Assert.Equal(1, (await library.Jobs.List.CountAsync(new JobFilter { Name = "Show" }, CancellationToken.None)).Total);
    }

    [Fact]
    public async Task Deleting_a_dropped_archive_removes_only_its_own_jobs_from_the_queue()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PutAsync("/nzbs/tv/c.nzb", "<nzb/>");
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/nzbs/tv/some.zip", "ab")).Status);
        Assert.Equal(["a.nzb", "b.nzb", "c.nzb"], (await library.ListAsync("/nzbs/tv")).Order());
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/nzbs/tv/some.zip"));
        Assert.Equal(["c.nzb"], await library.ListAsync("/nzbs/tv"));
        Assert.Equal(StoreWriteStatus.NotFound, await library.DeleteAsync("/nzbs/tv/some.zip"));
    }

    [Fact]
    public async Task Dropping_an_archive_again_replaces_the_jobs_with_its_name()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PutAsync("/nzbs/tv/a.nzb", "<nzb/>");
        await library.PutAsync("/nzbs/tv/some.nzb", "<nzb/>");
        Assert.Equal(StoreWriteStatus.Replaced, (await library.PutAsync("/nzbs/tv/some.zip", "ab")).Status);
        Assert.Equal(3, (await library.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
        Assert.Equal(["a.nzb", "b.nzb", "some.nzb"], (await library.ListAsync("/nzbs/tv")).Order());
    }

    [Fact]
    public async Task A_new_folder_is_a_category()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, await library.MakeAsync("/nzbs/anime"));
        Assert.NotNull(await library.FindAsync("/content/anime"));
        Assert.NotNull(await library.FindAsync("/completed-symlinks/anime"));
        Assert.Equal(StoreWriteStatus.Invalid, await library.MakeAsync("/nzbs/c:"));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.MakeAsync("/nzbs/anime/sub"));
    }
}
