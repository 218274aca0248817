using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// How long the calls of the page take with a big catalog while jobs are imported. Prints its figures and asserts no times.
/// <c>NZBDAV_MEASURE_API=1</c> measures with 100,000 files, 50,000 history rows, 5,000 queued jobs and 500 imports; the default only shows
/// that the measurement works.
/// </summary>
public sealed class PageCallMeasurementTests(ITestOutputHelper output)
{
    private const string Key = "0123456789abcdef";

    private static readonly bool IsWhole = Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_API"] is "1";
    private static readonly int Files = IsWhole ? 100_000 : 1_000;
    private static readonly int History = IsWhole ? 50_000 : 500;
    private static readonly int Queued = IsWhole ? 5_000 : 50;
    private static readonly int Imports = IsWhole ? 500 : 10;

    [Fact(Explicit = true)]
    public async Task Page_calls_with_a_big_catalog_while_jobs_are_imported()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        string[] arguments = ["--config", folder.Path, "--urls", "http://127.0.0.1:0"];
        await using (var server = ServerProcess.Start(environment, arguments))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/tv/model.nzb", NzbWriter.ToBytes([news.Post("model.mkv", 1_500_000)]));
            await client.UntilAsync("/dav/content/tv/model/model.mkv");
        }

        Fill(Path.Combine(folder.Path, "nzbdav.sqlite"));
        await using (var server = ServerProcess.Start(environment, arguments))
        {
            using var client = await server.ClientAsync();
            using var http = new HttpClient { BaseAddress = client.Http.BaseAddress };
            http.DefaultRequestHeaders.Add("X-Api-Key", Key);
            Ask(http, HttpMethod.Post, "/api?mode=pause&apikey=" + Key);
            for (var i = 0; i < Imports; i++)
            {
                var name = $"Fresh.S01E{i:D3}";
                using var form = new MultipartFormDataContent
                    { { new ByteArrayContent(NzbWriter.ToBytes([news.Post(name + ".mkv", 1_500_000 + i)])), "name", name + ".nzb" } };
                using var added = await http.PostAsync(new Uri($"/api?mode=addfile&cat=tv&apikey={Key}", UriKind.Relative), form);
                Assert.Equal(HttpStatusCode.OK, added.StatusCode);
            }

            // The provider runs in this process. So that its threads are not counted as the server's, the calls block on a thread of their
            // own.
            output.WriteLine(await Task.Factory.StartNew(
                () => Call(http), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
            Assert.Empty(server.Errors);
        }
    }

    private static string Call(HttpClient http)
    {
        var routes = Routes(http);
        foreach (var route in routes)
            Ask(http, HttpMethod.Get, route);
        Ask(http, HttpMethod.Post, "/api?mode=resume&apikey=" + Key);
        var times = routes.ToDictionary(static route => route, static _ => new List<double>(), StringComparer.Ordinal);
        var watch = Stopwatch.StartNew();
        var rounds = 0;
        int running;
        do
        {
            foreach (var route in routes)
                times[route].Add(Ask(http, HttpMethod.Get, route).Milliseconds);
            rounds++;
            running = Count(http);
        }
        while (running > 0);
        var lines = times.OrderByDescending(static pair => At(pair.Value, 95)).Select(static pair =>
            FormattableString.Invariant($"| {pair.Key} | {At(pair.Value, 50):F1} | {At(pair.Value, 95):F1} | {At(pair.Value, 100):F1} |"));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Files} files, {History} history rows, {Queued} queued; {Imports} imports in {watch.Elapsed.TotalSeconds:F1} s beside " +
            $"{rounds} rounds; ms, p50, p95, longest\n")
            + string.Join('\n', lines);
    }

    /// <summary>Jobs still to be imported. The jobs inserted into the table are paused.</summary>
    private static int Count(HttpClient http)
    {
        var counts = Ask(http, HttpMethod.Get, "/api/v1/status").Answer.GetProperty("jobs");
        return counts.GetProperty("queued").GetInt32() + counts.GetProperty("running").GetInt32();
    }

    private static string[] Routes(HttpClient http)
    {
        var tv = Ask(http, HttpMethod.Get, "/api/v1/files?path=/content/tv&limit=500").Answer;
        var parent = tv.GetProperty("items").EnumerateArray().First(static item => item.GetProperty("name")
            .GetString()!.StartsWith("Show.", StringComparison.Ordinal)).GetProperty("id").GetString();
        var file = Ask(http, HttpMethod.Get, $"/api/v1/files?parent={parent}").Answer.GetProperty("items")[0].GetProperty("id").GetString();
        var job = Ask(http, HttpMethod.Get, "/api/v1/jobs?state=completed&limit=1").Answer.GetProperty("items")[0].GetProperty("id")
            .GetString();
        return
        [
            "/api/v1/jobs", $"/api/v1/jobs?state=completed&offset={History / 2}", "/api/v1/jobs?state=failed", "/api/v1/jobs?state=queued",
            "/api/v1/jobs?category=tv", "/api/v1/jobs?kind=torrent",
            "/api/v1/jobs?search=s01e7&limit=100", "/api/v1/jobs?search=nothing%20has%20this%20name",
            "/api/v1/jobs?sort=name&descending=true", "/api/v1/jobs?sort=name&search=show", "/api/v1/jobs?sort=size&descending=true",
            "/api/v1/jobs?sort=added&descending=true", "/api/v1/jobs?sort=category&state=completed", $"/api/v1/jobs/{job}", "/api/v1/queue",
            "/api/v1/files", "/api/v1/files?path=/content/tv", $"/api/v1/files?path=/content/tv&offset={Files / 20}",
            "/api/v1/files?path=/content/tv&sort=modified&descending=true", $"/api/v1/files?parent={parent}",
            "/api/v1/files/search?query=show%20e7", "/api/v1/files/search?query=nothing%20has%20this%20name", $"/api/v1/files/{file}",
            "/api/v1/streams", "/api/v1/providers", "/api/v1/torrents", "/api/v1/status", "/api/v1/series?span=hour",
            "/api/v1/series?span=day",
            "/api/v1/session", "/api/v1/sessions?all=true", "/api/v1/users", "/api/v1/settings", "/api/v1/arrs", "/api/v1/library",
            "/api/v1/log", "/api/v1/log/lines?limit=500", "/api/v1/backups", "/api/v1/about", "/api/v1/play",
        ];
    }

    /// <summary>Inserts rows like those of the imported post: files, a tenth as many collections, ended jobs, and paused jobs.</summary>
    private static void Fill(string path)
    {
        using var database = new SqliteConnection($"Data Source={path};Pooling=False");
        database.Open();
        using var transaction = database.BeginTransaction();
        var items = Columns("items");
        var jobs = Columns("jobs");
        var tv = Scalar(
            "SELECT id FROM items WHERE name = 'tv' AND parent_id = (SELECT id FROM items WHERE name = 'content' AND parent_id = 1)");
        const string Numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < @count) ";
        Insert("items", items, "SELECT * FROM items WHERE name = 'model' AND parent_id = @tv", Files / 10, ("id", "1000000000 + i"),
            ("name", "printf('Show.S%02dE%05d', i % 40, i)"), ("folded", "printf('show s%02de%05d', i % 40, i)"));
        Insert("items", items, "SELECT * FROM items WHERE name = 'model.mkv'", Files, ("id", "2000000000 + i"),
            ("parent_id", "1000000000 + i / 10"), ("name", "printf('Show.S%02dE%05d.part%d.mkv', i / 10 % 40, i / 10, i % 10)"),
            ("folded", "printf('show s%02de%05d part%d mkv', i / 10 % 40, i / 10, i % 10)"));
        Insert(
            "jobs", jobs, "SELECT * FROM jobs WHERE name = 'model'", History, ("id", "3000000000 + i"),
            ("name", "printf('Show.S%02dE%05d', i % 40, i)"), ("state", "CASE WHEN i % 10 = 0 THEN 'failed' ELSE 'completed' END"),
            ("finished", "model.finished - i * 10000000"), ("item_id", "CASE WHEN i < @parents THEN 1000000000 + i END"),
            ("failure_code", "CASE WHEN i % 10 = 0 THEN 'missing-articles' END"),
            ("failure_message", "CASE WHEN i % 10 = 0 THEN '3 of 21 volumes are gone' END"));
        Insert(
            "jobs", jobs, "SELECT * FROM jobs WHERE name = 'model'", Queued, ("id", "4000000000 + i"),
            ("name", "printf('Next.S%02dE%05d', i % 40, i)"), ("state", "'queued'"), ("paused", "1"), ("finished", "NULL"),
            ("started", "NULL"), ("item_id", "NULL"));
        transaction.Commit();

        void Insert(string table, string[] columns, string model, int count, params (string Column, string Value)[] changes)
        {
            var changed = changes.ToDictionary(static change => change.Column, static change => change.Value, StringComparer.Ordinal);
            var values = string.Join(", ", columns.Select(column => changed.GetValueOrDefault(column, $"model.{column}")));
            using var command = database.CreateCommand();
            command.CommandText = $"{Numbers}INSERT INTO {table} ({string.Join(", ", columns)}) SELECT {values} FROM n, ({model}) AS model";
            command.Parameters.AddWithValue("@count", count);
            command.Parameters.AddWithValue("@parents", Files / 10);
            command.Parameters.AddWithValue("@tv", tv);
            Assert.Equal(count, command.ExecuteNonQuery());
        }

        string[] Columns(string table)
        {
            using var command = database.CreateCommand();
            command.CommandText = $"SELECT name FROM pragma_table_info('{table}')";
            using var rows = command.ExecuteReader();
            var names = new List<string>();
            while (rows.Read())
                names.Add(rows.GetString(0));
            return [.. names];
        }

        object Scalar(string sql)
        {
            using var command = database.CreateCommand();
            command.CommandText = sql;
            return command.ExecuteScalar()!;
        }
    }

    private static double At(List<double> times, int percent) =>
        times.Order().ElementAt(Math.Min(times.Count - 1, times.Count * percent / 100));

    private static (double Milliseconds, JsonElement Answer) Ask(HttpClient http, HttpMethod method, string path)
    {
        var clock = Stopwatch.GetTimestamp();
        using var request = new HttpRequestMessage(method, path);
        using var response = http.Send(request, HttpCompletionOption.ResponseHeadersRead);
        using var bytes = new MemoryStream();
        response.Content.ReadAsStream().CopyTo(bytes);
        var took = Stopwatch.GetElapsedTime(clock).TotalMilliseconds;
        Assert.True(response.IsSuccessStatusCode, string.Create(
            CultureInfo.InvariantCulture, $"{path}: {(int)response.StatusCode} {System.Text.Encoding.UTF8.GetString(bytes.ToArray())}"));
        return (took, JsonDocument.Parse(bytes.ToArray()).RootElement);
    }
}
