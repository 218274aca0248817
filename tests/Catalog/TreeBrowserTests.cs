using System.Diagnostics;
using Dapper;
using Xunit.Abstractions;

namespace NzbDav.Catalog.Tests;

public sealed class TreeBrowserTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Lists_collections_first_and_names_whatever_their_case()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.PublishAsync("Show", "b.mkv", "A.mkv", "c.mkv", "zz/extra.mkv", "Extras/more.mkv");

        var browser = Browser(catalog);
        Assert.Equal(["Extras", "zz", "A.mkv", "b.mkv", "c.mkv"], await NamesAsync(browser, job.Id));
        Assert.Equal(["zz", "Extras", "c.mkv", "b.mkv", "A.mkv"], await NamesAsync(browser, job.Id, descending: true));
        var page = await browser.ListAsync(job.Id, TreeOrder.Name, descending: false, offset: 3, limit: 1, CancellationToken.None);
        Assert.Equal(("b.mkv", 5), (Assert.Single(page.Items).Name, page.Total));
    }

    [Fact]
    public async Task Sorts_by_size_in_both_directions()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync("Show");
        var files = new[] { await catalog.FileAsync("large", 9), await catalog.FileAsync("small", 2), await catalog.FileAsync("medium", 5) };
        var job = (await catalog.Jobs.PublishAsync(await catalog.ClaimAsync(), new JobPublication { Files = files }, CancellationToken.None))!;

        Assert.Equal(["small", "medium", "large"], await NamesAsync(Browser(catalog), job.Id, TreeOrder.Size));
        Assert.Equal(["large", "medium", "small"], await NamesAsync(Browser(catalog), job.Id, TreeOrder.Size, descending: true));
    }

    [Theory]
    [InlineData(TreeOrder.Name, false)]
    [InlineData(TreeOrder.Name, true)]
    [InlineData(TreeOrder.Size, false)]
    [InlineData(TreeOrder.Size, true)]
    public async Task Every_page_is_the_slice_of_the_whole_list(TreeOrder order, bool descending)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.PublishAsync("Show", "b.mkv", "A.mkv", "c.mkv", "zz/extra.mkv", "Extras/more.mkv", "d.mkv", "e.mkv");
        var browser = Browser(catalog);
        var whole = await NamesAsync(browser, job.Id, order, descending);

        Assert.Equal(7, whole.Count);
        for (var offset = 0; offset <= 9; offset++)
        {
            for (var limit = 1; limit <= 8; limit++)
            {
                var page = await browser.ListAsync(job.Id, order, descending, offset, limit, CancellationToken.None);
                Assert.Equal(7, page.Total);
                Assert.Equal(whole.Skip(offset).Take(limit), page.Items.Select(item => item.Name));
            }
        }
    }

    [Theory]
    [InlineData("the big", "The.Big.Film.2020", "the_big_film.mkv")]
    [InlineData("FILM 2020", "The.Big.Film.2020")]
    [InlineData("film.2020", "The.Big.Film.2020")]
    [InlineData("ÄRGER", "ärger.mkv")]
    [InlineData("100%", "100%.mkv")]
    [InlineData("%")]
    [InlineData("big nothing")]
    [InlineData(" . ")]
    [InlineData("movies", "movies")]
    [InlineData("content")]
    public async Task Finds_items_that_have_all_words(string query, params string[] names)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("The.Big.Film.2020", "the_big_film.mkv", "Ärger.mkv", "100%.mkv");

        var page = await Browser(catalog).SearchAsync(query, kind: null, offset: 0, limit: 10, CancellationToken.None);

        if (query == "%")
            names = ["100%.mkv"];
        Assert.Equal(names, page.Items.Select(item => names.Contains(item.Name) ? item.Name : item.Name.ToLowerInvariant()));
        Assert.Equal(names.Length, page.Total);
    }

    [Fact]
    public async Task A_new_name_is_found_and_the_old_one_is_not()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.PublishAsync("Before", "film.mkv");
        await catalog.Tree.MoveAsync(job.Id, job.ParentId!.Value, "Behind", CancellationToken.None);

        Assert.Equal(0, (await Browser(catalog).SearchAsync("before", null, 0, 10, CancellationToken.None)).Total);
        Assert.Equal(job.Id, Assert.Single((await Browser(catalog).SearchAsync("behind", null, 0, 10, CancellationToken.None)).Items).Id);
    }

    [Fact]
    public async Task What_is_hidden_is_neither_listed_nor_found()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.PublishAsync("Gone", "film.mkv", "film.nfo");
        var film = (await catalog.ResolveAsync("content/movies/Gone/film.mkv"))!;
        var holds = new HoldStore(catalog.Database);
        var browser = new TreeBrowser(catalog.Database, holds);
        var now = catalog.Clock.GetUtcNow();
        await holds.AddAsync(new Dictionary<long, string> { [film.Id] = "/library/film.mkv" }, now, CancellationToken.None);
        Assert.Equal(3, (await browser.SearchAsync("i", null, 0, 10, CancellationToken.None)).Total);

        await holds.RecordAsync([film.Id], [], now, CancellationToken.None);
        await holds.HideAsync([film.Id], now, CancellationToken.None);

        // The .nfo lies in a job that is hidden, as nothing else of it was ever held.
        Assert.Equal("movies", Assert.Single((await browser.SearchAsync("i", null, 0, 10, CancellationToken.None)).Items).Name);
        Assert.Equal(0, (await browser.ListAsync(job.ParentId!.Value, TreeOrder.Name, false, 0, 10, CancellationToken.None)).Total);
        var links = await browser.LinksAsync(job.Id, CancellationToken.None);
        Assert.Equal((null, now, now), (links.Holder, links.Lost, links.Hidden));
    }

    [Fact]
    public async Task Tells_the_way_to_each_item()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Show", "Season 1/e1.mkv");
        var file = (await catalog.ResolveAsync("content/movies/Show/Season 1/e1.mkv"))!;

        var paths = await Browser(catalog).PathsAsync([file.Id, CatalogItem.RootId, 17], CancellationToken.None);

        Assert.Equal(["content", "movies", "Show", "Season 1", "e1.mkv"], Assert.Single(paths).Value.Select(step => step.Name));
        Assert.Equal(file.Id, paths[file.Id][^1].Id);
    }

    [Fact]
    public async Task Pages_and_searches_of_100_000_files_read_an_index_alone()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await FillAsync(catalog, jobs: 20_000, files: 5);
        var browser = Browser(catalog);
        var tv = (await catalog.ResolveAsync("content/movies"))!;
        var times = new SortedDictionary<string, List<double>>(StringComparer.Ordinal);
        for (var round = 0; round < 20; round++)
        {
            await MeasureAsync("first page of 20,000 jobs", () => browser.ListAsync(tv.Id, TreeOrder.Name, false, 0, 100, CancellationToken.None));
            await MeasureAsync("last page of 20,000 jobs", () => browser.ListAsync(tv.Id, TreeOrder.Name, false, 19_900, 100, CancellationToken.None));
            await MeasureAsync("20,000 jobs by time", () => browser.ListAsync(tv.Id, TreeOrder.Modified, true, 500, 100, CancellationToken.None));
            await MeasureAsync("search that finds one", () => browser.SearchAsync("release 12345", null, 0, 100, CancellationToken.None));
            await MeasureAsync("search that finds nothing", () => browser.SearchAsync("nowhere", null, 0, 100, CancellationToken.None));
            await MeasureAsync("search that finds all, last page", () => browser.SearchAsync("e", null, 119_900, 100, CancellationToken.None));
        }

        foreach (var (name, list) in times)
            output.WriteLine($"{name}: p50 {list.Order().ElementAt(10):F1} ms, p95 {list.Order().ElementAt(18):F1} ms");
        var plan = await catalog.Database.ReadAsync(
            connection => connection.Query("EXPLAIN QUERY PLAN SELECT id FROM items WHERE kind IN ('collection', 'file') AND instr(folded, 'e') > 0 ORDER BY kind, folded, id LIMIT 100").Select(row => (string)row.detail).ToList(),
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

    private static TreeBrowser Browser(CatalogFixture catalog) => new(catalog.Database, new HoldStore(catalog.Database));

    private static async Task<List<string>> NamesAsync(TreeBrowser browser, long parent, TreeOrder order = TreeOrder.Name, bool descending = false) =>
        [.. (await browser.ListAsync(parent, order, descending, 0, 100, CancellationToken.None)).Items.Select(item => item.Name)];

    /// <summary>Jobs as they are published, by one statement.</summary>
    private static async Task FillAsync(CatalogFixture catalog, int jobs, int files)
    {
        await catalog.PublishAsync("First", "film.mkv");
        var movies = (await catalog.ResolveAsync("content/movies"))!.Id;
        await catalog.Database.WriteAsync(
            transaction =>
            {
                transaction.Execute(
                    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < @jobs) " +
                    "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified) SELECT 1000000 + n * 100, @movies, 'The.Release.' || n || '.2020.1080p.WEB-DL.x264-GROUP', " +
                    "'the release ' || n || ' 2020 1080p web-dl x264-group', 'collection', 0, n, n FROM n",
                    new { jobs, movies });
                return transaction.Execute(
                    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < @files) " +
                    "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified, extent_map) SELECT items.id + n, items.id, 'The.Release.File.' || n || '.mkv', " +
                    "'the release file ' || n || ' mkv', 'file', n, n, n, (SELECT extent_map FROM items WHERE extent_map IS NOT NULL LIMIT 1) FROM items JOIN n WHERE items.id > 1000000 AND items.id <= 1000000 + @last",
                    new { files, last = jobs * 100 });
            },
            CancellationToken.None);
    }
}
