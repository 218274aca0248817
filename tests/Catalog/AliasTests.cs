using System.Text;

namespace NzbDav.Catalog.Tests;

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
    public void A_file_is_found_by_its_article_its_size_and_its_name(long size, string name, string? article, long? expected) =>
        Assert.Equal(expected, AliasMatch.Find(size, name, article, Files));

    [Fact]
    public async Task Paths_lead_to_files_and_are_listed_once_they_do()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var aliases = new AliasStore(catalog.Database);
        Assert.False(await aliases.AnyAsync(CancellationToken.None));
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes("<nzb/>"));
        var job = await catalog.Jobs.EnqueueAsync(new NewJob { Name = "Job", Category = "tv", Source = JobSource.Cli }, nzb, CancellationToken.None);
        var folder = (await catalog.Tree.EnsureCollectionAsync(["content", "tv", "Job"], CancellationToken.None)).Id;
        PlacedFile[] placed = [new(folder, "a.mkv", 100, "x@b")];
        var title = new MovedTitle("nzbdav", "1", [new MovedFile(["tv/Job/a.mkv", "tv/Job0", "tv/Job/sub/b.mkv", "tv/Job-1/a.mkv", ".ids/8/f/guid"], "a.mkv", 100, "x@b"), new MovedFile(["tv/Job/none.mkv"], "none.mkv", 5, null)]);

        // Not published: remembered, and leads to nothing.
        Assert.True(await aliases.AdoptAsync(title, job.Id, published: null, CancellationToken.None));
        Assert.True(await aliases.AnyAsync(CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
        Assert.Empty(await aliases.ListAsync("tv", CancellationToken.None));
        Assert.Equal("queued", (await aliases.ListTitlesAsync("nzbdav", CancellationToken.None))["1"].State);
        Assert.Equal(job.Id, AliasStore.Peek(catalog.Options, "nzbdav")["1"].JobId);

        Assert.True(await aliases.AdoptAsync(title, job.Id, placed, CancellationToken.None));
        Assert.Equal(folder, await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/none.mkv", CancellationToken.None));
        var listed = await aliases.ListAsync("tv", CancellationToken.None);
        Assert.Equal(["Job", "Job-1", "Job0"], listed.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(((long?)null, (long?)folder), (listed["Job"], listed["Job0"]));
        Assert.Equal([".ids", "tv"], (await aliases.ListAsync("", CancellationToken.None)).Keys.Order(StringComparer.Ordinal));
        Assert.Equal(["a.mkv", "sub"], (await aliases.ListAsync("tv/Job", CancellationToken.None)).Keys.Order(StringComparer.Ordinal));

        // They go with the file.
        Assert.True(await catalog.Tree.DeleteAsync(folder, CancellationToken.None));
        Assert.Null(await aliases.FindAsync("tv/Job/a.mkv", CancellationToken.None));
    }
}
