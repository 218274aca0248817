namespace NzbDav.Library.Tests.Export;

/// <summary>Fills a catalog with many titles, each a folder with a film, copied from a published one.</summary>
internal static class BigLibrary
{
    private const string Numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count) ";

    /// <summary>Inserts the titles into the category <c>movies</c>, beside the copied one.</summary>
    public static async Task FillAsync(LibraryFixture library, int titles)
    {
        var model = await library.PublishAsync("movies", "Model.2020", "Model.2020.1080p.WEB.mkv");
        const string Name = "printf('Title.%05d.%d.1080p.WEB.x264-GROUP', i, 1960 + i % 60)";
        await library.Database.WriteAsync(
            transaction =>
            {
                transaction.Execute(
                    Numbers + "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified) " +
                    $"SELECT 1000000000 + i, parent_id, {Name}, lower({Name}), kind, size, created, modified FROM n, (SELECT * FROM " +
                    $"items WHERE id = @model)",
                    new { count = titles, model = model.Id });
                return transaction.Execute(
                    Numbers + "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified, extent_map) " +
                    $"SELECT 2000000000 + i, 1000000000 + i, {Name} || '.mkv', lower({Name}), kind, size, created, modified, extent_map " +
                    $"FROM n, (SELECT * FROM items WHERE parent_id = @model)",
                    new { count = titles, model = model.Id });
            },
            CancellationToken.None);
    }
}
