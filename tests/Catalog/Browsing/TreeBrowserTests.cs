using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Browsing;

public sealed class TreeBrowserTests
{
    [Fact]
    public async Task Lists_collections_first_and_names_regardless_of_case()
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
        var files =
            new[] { await catalog.FileAsync("large", 9), await catalog.FileAsync("small", 2), await catalog.FileAsync("medium", 5) };
        var job =
            (await catalog.Jobs.PublishAsync(await catalog.ClaimAsync(), new JobPublication { Files = files }, CancellationToken.None))!;

        Assert.Equal(["small", "medium", "large"], await NamesAsync(Browser(catalog), job.Id, TreeOrder.Size));
        Assert.Equal(["large", "medium", "small"], await NamesAsync(Browser(catalog), job.Id, TreeOrder.Size, descending: true));
    }

    [Theory]
    [InlineData(TreeOrder.Name, false)]
    [InlineData(TreeOrder.Name, true)]
    [InlineData(TreeOrder.Size, false)]
    [InlineData(TreeOrder.Size, true)]
    public async Task Every_page_is_a_slice_of_the_whole_list(TreeOrder order, bool descending)
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
    public async Task Finds_items_that_contain_all_words(string query, params string[] names)
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
    public async Task Hidden_items_are_neither_listed_nor_found()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.PublishAsync("Gone", "film.mkv", "film.nfo");
        var film = (await catalog.ResolveAsync("content/movies/Gone/film.mkv"))!;
        var unwanted = new UnwantedItems(catalog.Database);
        var holds = new HoldStore(catalog.Database, unwanted);
        var browser = new TreeBrowser(catalog.Database, unwanted);
        var now = catalog.Clock.GetUtcNow();
        await holds.AddAsync(new Dictionary<long, string> { [film.Id] = "/library/film.mkv" }, now, CancellationToken.None);
        Assert.Equal(3, (await browser.SearchAsync("i", null, 0, 10, CancellationToken.None)).Total);

        await holds.RecordAsync([film.Id], [], now, CancellationToken.None);
        await unwanted.HideAsync([film.Id], now, CancellationToken.None);

        // The .nfo is in a hidden job, because nothing else of that job was ever held.
        Assert.Equal("movies", Assert.Single((await browser.SearchAsync("i", null, 0, 10, CancellationToken.None)).Items).Name);
        Assert.Equal(0, (await browser.ListAsync(job.ParentId!.Value, TreeOrder.Name, false, 0, 10, CancellationToken.None)).Total);
        var links = await browser.LinksAsync(job.Id, CancellationToken.None);
        Assert.Equal((null, now, now), (links.Holder, links.Lost, links.Hidden));
    }

    [Fact]
    public async Task Returns_the_path_of_each_item()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Show", "Season 1/e1.mkv");
        var file = (await catalog.ResolveAsync("content/movies/Show/Season 1/e1.mkv"))!;

        var paths = await Browser(catalog).PathsAsync([file.Id, CatalogItem.RootId, 17], CancellationToken.None);

        Assert.Equal(["content", "movies", "Show", "Season 1", "e1.mkv"], Assert.Single(paths).Value.Select(step => step.Name));
        Assert.Equal(file.Id, paths[file.Id][^1].Id);
    }

    private static TreeBrowser Browser(CatalogFixture catalog) => new(catalog.Database, new UnwantedItems(catalog.Database));

    private static async Task<List<string>> NamesAsync(
        TreeBrowser browser, long parent, TreeOrder order = TreeOrder.Name, bool descending = false) =>
        [.. (await browser.ListAsync(parent, order, descending, 0, 100, CancellationToken.None)).Items.Select(item => item.Name)];

    /// <summary>Inserts jobs as published, with one statement.</summary>
}
