using System.Diagnostics;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Browsing;

/// <summary>Which indexes SQLite uses for pages of a large tree.</summary>
public sealed class TreeIndexTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Pages_and_searches_of_100_000_files_read_only_an_index()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await FillAsync(catalog, jobs: 20_000, files: 5);
        var browser = new TreeBrowser(catalog.Database, new UnwantedItems(catalog.Database));
        var tv = (await catalog.ResolveAsync("content/movies"))!;
        var times = new SortedDictionary<string, List<double>>(StringComparer.Ordinal);
        for (var round = 0; round < 20; round++)
        {
            await MeasureAsync(
                "first page of 20,000 jobs", () => browser.ListAsync(tv.Id, TreeOrder.Name, false, 0, 100, CancellationToken.None));
            await MeasureAsync(
                "last page of 20,000 jobs", () => browser.ListAsync(tv.Id, TreeOrder.Name, false, 19_900, 100, CancellationToken.None));
            await MeasureAsync(
                "20,000 jobs by time", () => browser.ListAsync(tv.Id, TreeOrder.Modified, true, 500, 100, CancellationToken.None));
            await MeasureAsync("search that finds one", () => browser.SearchAsync("release 12345", null, 0, 100, CancellationToken.None));
            await MeasureAsync("search that finds nothing", () => browser.SearchAsync("nowhere", null, 0, 100, CancellationToken.None));
            await MeasureAsync(
                "search that finds all, last page", () => browser.SearchAsync("e", null, 119_900, 100, CancellationToken.None));
        }

        foreach (var (name, list) in times)
            output.WriteLine($"{name}: p50 {list.Order().ElementAt(10):F1} ms, p95 {list.Order().ElementAt(18):F1} ms");
        var plan = await catalog.Database.ReadAsync(
            async reader =>
                (await reader.AllAsync<(int Id, int Parent, int Unused, string Detail)>(
                "EXPLAIN QUERY PLAN SELECT id FROM items WHERE kind IN ('collection', 'file') AND instr(folded, 'e') > 0 ORDER BY kind, " +
                "folded, id LIMIT 100")).ConvertAll(row => row.Detail),
            CancellationToken.None);
        Assert.Contains("USING COVERING INDEX items_by_folded", string.Join('\n', plan), StringComparison.Ordinal);
        Assert.DoesNotContain("TEMP B-TREE", string.Join('\n', plan), StringComparison.Ordinal);

        async Task MeasureAsync(string name, Func<ValueTask<TreePage>> ask)
        {
            var began = Stopwatch.GetTimestamp();
            await ask();
            (times.TryGetValue(name, out var list) ? list : times[name] = []).Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        }
    }

    private static async Task FillAsync(CatalogFixture catalog, int jobs, int files)
    {
        await catalog.PublishAsync("First", "film.mkv");
        var movies = (await catalog.ResolveAsync("content/movies"))!.Id;
        await catalog.Database.WriteAsync(
            transaction =>
            {
                transaction.Execute(
                    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < @jobs) " +
                    "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified) SELECT 1000000 + n * 100, @movies, " +
                    "'The.Release.' || n || '.2020.1080p.WEB-DL.x264-GROUP', " +
                    "'the release ' || n || ' 2020 1080p web-dl x264-group', 'collection', 0, n, n FROM n",
                    new { jobs, movies });
                return transaction.Execute(
                    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < @files) " +
                    "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified, extent_map) SELECT items.id + n, " +
                    "items.id, 'The.Release.File.' || n || '.mkv', " +
                    "'the release file ' || n || ' mkv', 'file', n, n, n, (SELECT extent_map FROM items WHERE extent_map IS NOT NULL " +
                    "LIMIT 1) FROM items CROSS JOIN n WHERE items.id > 1000000 AND items.id <= 1000000 + @last",
                    new { files, last = jobs * 100 });
            },
            CancellationToken.None);
    }
}
