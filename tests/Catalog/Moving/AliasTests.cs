using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;

namespace NzbDav.Catalog.Tests.Moving;

public class AliasTests
{
    private static readonly PlacedFile[] Files = [new(1, "a.mkv", 100, "x@b"), new(2, "b.mkv", 100, "y@b z@b"), new(3, "c.srt", 7, "w@b")];

    [Theory]
    [InlineData(100, "other", "x@b", 1L)]
    [InlineData(100, "other", "z@b", 2L)]
    [InlineData(99, "other", "w@b", 3L)]
    [InlineData(7, "other", "gone@b", 3L)]
    [InlineData(100, "b.mkv", null, 2L)]
    [InlineData(-1, "c.srt", null, 3L)]
    [InlineData(100, "other", null, null)]
    [InlineData(1, "other", null, null)]
    public void A_file_is_matched_by_article_size_and_name(long size, string name, string? article, long? expected) =>
        Assert.Equal(expected, AliasMatch.Find(size, name, article, Files));

    [Fact]
    public async Task Old_paths_lead_to_files_and_are_then_listed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var aliases = new AliasStore(catalog.Database);
        Assert.False(await aliases.AnyAsync(CancellationToken.None));
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes("<nzb/>"));
        var job = await catalog.Jobs.EnqueueAsync(
            new NewJob { Name = "Job", Category = "tv", Source = JobSource.Cli }, nzb, CancellationToken.None);
        var folder = (await catalog.Tree.EnsureCollectionAsync(["content", "tv", "Job"], CancellationToken.None)).Id;
        PlacedFile[] placed = [new(folder, "a.mkv", 100, "x@b")];
        var title = new MovedTitle(
            "nzbdav", "1", [new MovedFile(["tv/Job/a.mkv", "tv/Job0", "tv/Job/sub/b.mkv", "tv/Job-1/a.mkv", ".ids/8/f/guid"], "a.mkv", 100,
            "x@b"), new MovedFile(["tv/Job/none.mkv"], "none.mkv", 5, null)]);

        // Not published: stored, but leads to no file yet.
        Assert.True(await aliases.AdoptAsync(title, job.Id, published: null, CancellationToken.None));
        Assert.True(await aliases.AnyAsync(CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
        Assert.Empty(await aliases.ListAsync("tv", CancellationToken.None));
        Assert.Equal("queued", (await aliases.ListTitlesAsync("nzbdav", CancellationToken.None))["1"].State);
        Assert.Equal(job.Id, (await aliases.ListTitlesAsync("nzbdav", CancellationToken.None))["1"].JobId);

        Assert.True(await aliases.AdoptAsync(title, job.Id, placed, CancellationToken.None));
        Assert.Equal(folder, await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/none.mkv", CancellationToken.None));
        var listed = await aliases.ListAsync("tv", CancellationToken.None);
        Assert.Equal(["Job", "Job-1", "Job0"], listed.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(((long?)null, (long?)folder), (listed["Job"], listed["Job0"]));
        Assert.Equal([".ids", "tv"], (await aliases.ListAsync("", CancellationToken.None)).Keys.Order(StringComparer.Ordinal));
        Assert.Equal(["a.mkv", "sub"], (await aliases.ListAsync("tv/Job", CancellationToken.None)).Keys.Order(StringComparer.Ordinal));

        // The aliases are deleted with the file.
        Assert.True(await catalog.Tree.DeleteAsync(folder, CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
    }

    [Fact]
    public async Task A_key_opens_only_its_own_path_and_nothing_once_revoked()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var aliases = new AliasStore(catalog.Database);
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes("<nzb/>"));
        var job = await catalog.Jobs.EnqueueAsync(
            new NewJob { Name = "Job", Category = "tv", Source = JobSource.Cli }, nzb, CancellationToken.None);
        var item = (await catalog.Tree.EnsureCollectionAsync(["content", "tv", "Job"], CancellationToken.None)).Id;
        var title = new MovedTitle("altmount", "1", [new MovedFile(["tv/a.mkv"], "a.mkv", 100,
            "x@b") { Keys = [AddressKey.Of("one"), AddressKey.Of("two")] }, new MovedFile(["tv/b.mkv"], "b.mkv", 200, "y@b")]);
        Assert.True(await aliases.AdoptAsync(
            title, job.Id, [new PlacedFile(item, "a.mkv", 100, "x@b"), new PlacedFile(item, "b.mkv", 200, "y@b")], CancellationToken.None));

        foreach (var key in (string[])["one", "two"])
            Assert.Equal(item, await aliases.FindByKeyAsync("tv/a.mkv", key, CancellationToken.None));
        foreach (var (path, key) in ((string, string)[])[("tv/a.mkv", "three"), ("tv/a.mkv", ""), ("tv/a.mkv", AddressKey.Of("one")),
            ("tv/b.mkv", "one"), ("tv/b.mkv", ""), ("tv", "one")])
            Assert.Null(await aliases.FindByKeyAsync(path, key, CancellationToken.None));
        Assert.Equal(["tv/a.mkv", "tv/b.mkv"], await aliases.ListPathsAsync(item, CancellationToken.None));
        await aliases.RevokeKeysAsync(CancellationToken.None);
        Assert.Null(await aliases.FindByKeyAsync("tv/a.mkv", "one", CancellationToken.None));
        Assert.Equal(item, await aliases.FindAsync("tv/a.mkv", CancellationToken.None));
    }

    [Theory]
    [InlineData(JobSource.Cli, true)]
    [InlineData(JobSource.Api, false)]
    public async Task An_existing_job_takes_the_old_id_unless_a_download_client_knows_its_own(JobSource source, bool takes)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var aliases = new AliasStore(catalog.Database);
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes("<nzb/>"));
        var job = await catalog.Jobs.EnqueueAsync(
            new NewJob { Name = "Job", Category = "tv", Source = source }, nzb, CancellationToken.None);
        Assert.True(await aliases.AdoptAsync(
            new MovedTitle("nzbdav", "1", []) { DownloadId = "old", IsListed = true }, job.Id, published: null, CancellationToken.None));
        Assert.Equal(takes ? "old" : null, (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!.DownloadId);

        // The first id stays.
        Assert.True(await aliases.AdoptAsync(
            new MovedTitle("sabnzbd", "1", []) { DownloadId = "other", IsListed = true }, job.Id, published: null, CancellationToken.None));
        Assert.Equal(takes ? "old" : "other", (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!.DownloadId ?? "other");
        Assert.Equal(takes ? job.Id : null, await catalog.Jobs.FindByDownloadIdAsync("old", CancellationToken.None));
    }
}
