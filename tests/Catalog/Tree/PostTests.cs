using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Tree;

/// <summary>Which post each item belongs to.</summary>
public class PostTests
{
    [Fact]
    public async Task A_job_is_a_post_with_all_that_it_published()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Show", "a", "sub/b");
        var other = await catalog.Tree.EnsureCollectionAsync(["content", "movies", "Other", "deep", "deeper"], CancellationToken.None);
        Assert.Equal("Other", (await catalog.Tree.GetPathAsync(other.Id, CancellationToken.None))![2]);
        await catalog.Tree.EnsureCollectionAsync(["drop", "movies"], CancellationToken.None);
        Assert.Equal(
            ["Show: Show a b sub", "Other: Other deep deeper", "none:  content drop movies movies"], await PostsAsync(catalog.Database));
    }

    [Fact]
    public async Task What_is_moved_to_another_post_belongs_to_it_with_all_below()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Show", "a", "sub/b");
        await catalog.PublishAsync("Other", "c");
        await MoveAsync(catalog, "content/movies/Show/sub", "content/movies/Other");
        Assert.Equal(["Show: Show a", "Other: Other b c sub", "none:  content movies"], await PostsAsync(catalog.Database));

        // Within a post, and from one category to another, nothing changes.
        await MoveAsync(catalog, "content/movies/Other/c", "content/movies/Other/sub");
        await catalog.Tree.EnsureCollectionAsync(["content", "tv"], CancellationToken.None);
        await MoveAsync(catalog, "content/movies/Other", "content/tv");
        Assert.Equal(["Show: Show a", "Other: Other b c sub", "none:  content movies tv"], await PostsAsync(catalog.Database));
    }

    [Fact]
    public async Task An_item_that_leaves_the_level_of_posts_takes_its_place_there()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Show", "a", "sub/b");
        await catalog.PublishAsync("Other", "c");
        await MoveAsync(catalog, "content/movies/Show", "content/movies/Other");
        Assert.Equal(["Other: Other Show a b c sub", "none:  content movies"], await PostsAsync(catalog.Database));
        await MoveAsync(catalog, "content/movies/Other/Show", "content");
        Assert.Equal(["sub: b sub", "a: a", "Other: Other c", "none:  Show content movies"], await PostsAsync(catalog.Database));
        await MoveAsync(catalog, "content/Show", "content/movies");
        Assert.Equal(["Show: Show a b sub", "Other: Other c", "none:  content movies"], await PostsAsync(catalog.Database));
    }

    [Fact]
    public async Task The_posts_of_an_earlier_version_are_found()
    {
        var folder = CatalogFixture.NewFolder();
        try
        {
            var options = TestEngine.Options(folder, isNew: true);
            var before = MigrationRunner.Embedded(TestEngine.Name).TakeWhile(static step => step.Number < 40);
            await using (var database = await CatalogOpening.OpenAsync(options, TimeProvider.System, [.. before], CancellationToken.None))
            {
                (int Id, int Parent, string Name)[] items =
                [
                    (2, 1, "content"), (3, 2, "tv"), (4, 3, "Show"), (5, 4, "sub"), (6, 5, "b"), (7, 3, "Other"), (8, 1, "drop"),
                    (9, 8, "films"),
                ];
                await database.WriteAsync(
                    transaction =>
                    {
                        transaction.ExecuteAll(
                            "INSERT INTO items (id, parent_id, name, kind, size, created, modified) VALUES (@Id, @Parent, @Name, " +
                            "'collection', 0, 0, 0)", items.Select(static item => (object)new { item.Id, item.Parent, item.Name }));
                        return 0;
                    },
                    CancellationToken.None);
            }

            await using var opened = await CatalogOpening.OpenAsync(options, TimeProvider.System, CancellationToken.None);
            Assert.Equal(["Show: Show b sub", "Other: Other", "none:  content drop films tv"], await PostsAsync(opened));
        }
        finally
        {
            TestEngine.Drop(TestEngine.Options(folder));
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task MoveAsync(CatalogFixture catalog, string from, string to)
    {
        var item = (await catalog.ResolveAsync(from))!;
        Assert.Equal(
            RelocationOutcome.Done,
            await catalog.Tree.MoveAsync(item.Id, (await catalog.ResolveAsync(to))!.Id, item.Name, CancellationToken.None));
    }

    /// <summary>The names of the items of each post, in the order of the posts' ids; last those of none.</summary>
    private static async Task<List<string>> PostsAsync(CatalogDatabase database)
    {
        var rows = await database.ReadAsync(
            reader => reader.AllAsync<(string? Post, string Name)>(
                "SELECT post.name, items.name FROM items LEFT JOIN items AS post ON post.id = items.post_id " +
                "ORDER BY post.id IS NULL, post.id, items.name"),
            CancellationToken.None);
        return [.. rows.GroupBy(static row => row.Post ?? "none")
            .Select(static group => $"{group.Key}: {string.Join(' ', group.Select(static row => row.Name))}")];
    }
}
