using System.Diagnostics;
using System.Globalization;
using System.Net;
using Dapper;
using Npgsql;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// The same work with SQLite and with PostgreSQL over a socket, in turns. Prints the figures and their ratio; the target is 2.
/// <c>NZBDAV_MEASURE_ENGINES</c> sets how often; the default is small and only shows that the measurement works.
/// </summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class EngineMeasurementTests(ITestOutputHelper output)
{
    private const string Key = "0123456789abcdef";
    private static readonly int Asked = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_ENGINES"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : 0;
    private static readonly bool IsWhole = Asked > 0;
    private static readonly int PackFiles = IsWhole ? 612 : 12;
    private static readonly long BigSize = IsWhole ? 500_000_000_000 : 500_000_000;
    private static readonly int Queued = IsWhole ? 5_000 : 20;
    private static readonly int Entries = IsWhole ? 100_000 : 500;

    private readonly List<(string What, bool IsPostgres, double Milliseconds)> _figures = [];

    [PostgresFact(Explicit = true)]
    public async Task Postgres_beside_SQLite()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        var posts = new Posts(
            [.. Enumerable.Range(0, PackFiles).Select(i => news.Post($"Show.S01E{i:D3}.mkv", 3_000_000 + i))],
            news.Store.AddPost([("Everything.mkv", (IArticleSource)new SeededSource(1, "everything", BigSize))]).Single(),
            [.. Enumerable.Range(0, Queued).Select(i => NzbWriter.ToBytes([news.Post($"Queued.{i:D4}.mkv", 100_000 + i)]))]);
        for (var round = 0; round < Math.Max(1, Asked); round++)
        {
            await MeasureAsync(news, posts, null);
            var database = PostgresServer.Shared.NewDatabase();
            try
            {
                await MeasureAsync(news, posts, database);
            }
            finally
            {
                PostgresServer.Shared.Drop(database);
            }
        }

        foreach (var figure in _figures.GroupBy(static figure => figure.What))
        {
            var (sqlite, postgres) =
                (Median(figure.Where(static one => !one.IsPostgres)), Median(figure.Where(static one => one.IsPostgres)));
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{figure.Key}: SQLite {sqlite:0.0} ms, PostgreSQL {postgres:0.0} ms, ratio {postgres / sqlite:0.00}"));
        }
    }

    private static double Median(IEnumerable<(string What, bool IsPostgres, double Milliseconds)> figures)
    {
        var sorted = figures.Select(static figure => figure.Milliseconds).Order().ToArray();
        return sorted[sorted.Length / 2];
    }

    private async Task MeasureAsync(NewsServers news, Posts posts, string? database)
    {
        using var folder = new Folder();
        await FillAsync(folder, database);
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        environment["NzbDav__Torrents__Enabled"] = "false";
        if (database is not null)
            environment["NzbDav__Catalog__Connection"] = database;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();

        // What compiles at the first import does not count.
        await client.PutAsync("/dav/nzbs/other/warm.nzb", NzbWriter.ToBytes([news.Post("warm.mkv", 3_000_000)]));
        await client.UntilAsync("/dav/content/other/warm/warm.mkv");

        await TimeAsync($"season pack of {PackFiles} files, until visible", async () =>
        {
            await client.PutAsync("/dav/nzbs/tv/pack.nzb", NzbWriter.ToBytes(posts.Pack));
            await client.UntilAsync("/dav/content/tv/pack");
        });
        Assert.Equal(PackFiles, (await client.ListAsync("/dav/content/tv/pack")).Length);
        var big = NzbWriter.ToBytes([posts.Big]);
        await TimeAsync($"post of {BigSize / 1e9:0.0} GB, until visible", async () =>
        {
            await client.PutAsync("/dav/nzbs/movies/everything.nzb", big);
            await client.UntilAsync("/dav/content/movies/everything");
        });

        await TimeAsync("first range of a file",
            () => client.AssertRangeAsync("/dav/content/movies/everything/Everything.mkv", posts.Big, 1_000_000, 1_100_000));
        await TimeAsync("a range of an opened file",
            () => client.AssertRangeAsync("/dav/content/movies/everything/Everything.mkv", posts.Big, 1_000_000, 1_100_000), times: 50);
        await TimeAsync($"PROPFIND of {Entries} entries", async () => Assert.Equal(Entries, await CountAsync(client)), times: 3);

        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("GET", $"/api?mode=pause&output=json&apikey={Key}")).Status);
        await TimeAsync(
            $"{Queued} jobs put into the queue", () => Parallel.ForAsync(0, Queued, new ParallelOptions { MaxDegreeOfParallelism = 4 },
            async (i, _) => await client.PutAsync($"/dav/nzbs/tv/Queued.{i:D4}.nzb", posts.Queue[i])));
        await TimeAsync("a page of the queue", async () => Assert.Contains("Queued.0000", (await client.AskAsync(
            "GET", $"/api?mode=queue&start=0&limit=100&output=json&apikey={Key}")).Text, StringComparison.Ordinal), times: 50);

        // An opened file needs no query: with all tables locked there would be no answer.
        if (database is not null)
        {
            await using var connection = new NpgsqlConnection(database);
            await connection.OpenAsync();
            await using var transaction = await connection.BeginTransactionAsync();
            var tables = await connection.QueryAsync<string>(
                "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()");
            await connection.ExecuteAsync($"LOCK TABLE {string.Join(", ", tables)} IN ACCESS EXCLUSIVE MODE");
            await client.AssertRangeAsync("/dav/content/movies/everything/Everything.mkv", posts.Big, 2_000_000, 3_000_000);
        }

        async Task TimeAsync(string what, Func<Task> act, int times = 1)
        {
            for (var i = 0; i < times; i++)
            {
                var began = Stopwatch.GetTimestamp();
                await act();
                _figures.Add((what, database is not null, Stopwatch.GetElapsedTime(began).TotalMilliseconds));
            }
        }
    }

    /// <summary>Publishes a folder of many entries.</summary>
    private static async Task FillAsync(Folder folder, string? connection)
    {
        await using var database = await CatalogOpening.OpenAsync(
            new CatalogOptions { ConfigFolder = folder.Path, Connection = connection }, TimeProvider.System, Deadline.Token);
        var blobs = new BlobStore(database);
        var jobs = new JobStore(database, blobs, new BlobCollector(database, blobs));
        using var nzb = new MemoryStream([1]);
        await jobs.EnqueueAsync(new NewJob { Name = "many", Category = "movies", Source = JobSource.Api }, nzb, default);
        var job = (await jobs.ClaimAsync("test", TimeSpan.FromHours(1), default))!;
        await jobs.PublishAsync(
            job, new JobPublication
            {
                Files = [.. Enumerable.Range(0, Entries)
                .Select(i => new PublishedFile { Path = [$"file {i:D6}"], Size = i, ExtentMap = job.Nzb!.Value })]
            }, default);
    }

    private static async Task<int> CountAsync(DavClient client)
    {
        using var response = await client.SendAsync(
            "PROPFIND", "/dav/content/movies/many", body: null, static headers => headers.Add("Depth", "1"));
        Assert.Equal(HttpStatusCode.MultiStatus, response.StatusCode);
        using var reader = new StreamReader(await response.Content.ReadAsStreamAsync());
        var count = 0;
        while (await reader.ReadLineAsync() is { } line)
            count += line.Split("file%20").Length - 1;
        return count;
    }

    private sealed record Posts(PostedFile[] Pack, PostedFile Big, byte[][] Queue);
}
