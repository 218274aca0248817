using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet;
using Xunit.Abstractions;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// What the native API takes of a large catalog. Printed, never asserted: p95 ≤ 50 ms per call is wanted, and less than 1 % of a core for 50 pages at rest. <c>NZBDAV_MEASURE_JOBS</c> says how many jobs
/// have ended (a tenth of them more wait), <c>NZBDAV_MEASURE_SECONDS</c> how long pages rest: the defaults only show that the measurement works; figures worth anything come from 50000, 60 and a release build.
/// </summary>
public sealed class NativeMeasurementTests(ITestOutputHelper output)
{
    private const int FewJobs = 500;
    private const int FewSeconds = 0;
    private const string Key = "0123456789abcdef";

    private static readonly string[] Words = ["The", "Great", "Film", "Show", "House", "Night", "Day", "Red", "Blue", "Long", "Story", "War", "Love"];

    private static readonly string[] Queries =
    [
        "", "offset=45000", "search=great.show", "search=GRP4999", "search=nowhere", "category=tv", "state=failed", "kind=torrent", "state=queued", "sort=name", "sort=name&search=film", "sort=size&descending=true", "sort=added&descending=true", "sort=category&state=completed",
    ];

    [Fact]
    public async Task Lists_of_many_jobs_while_posts_are_imported()
    {
        var ended = Asked("NZBDAV_MEASURE_JOBS", FewJobs);
        const int Imports = 200;
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        await using var server = await StartAsync(news, folder);
        using var client = await server.ClientAsync();
        using var http = new HttpClient { BaseAddress = client.Http.BaseAddress };
        http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        (await http.PutAsync("/api/v1/queue", new StringContent("""{"paused":true}""", System.Text.Encoding.UTF8, "application/json"))).EnsureSuccessStatusCode();
        await client.PutAsync("/dav/nzbs/tv/first.nzb", NzbWriter.ToBytes([news.Post("first.mkv", 2_000_000)]));
        Fill(folder, ended, ended / 10);
        var resting = Measure();

        // What is imported meanwhile goes before those that wait.
        for (var i = 0; i < Imports; i++)
            await client.PutAsync($"/dav/nzbs/tv/Show.S01E{i:D4}.nzb", NzbWriter.ToBytes([news.Post($"Show.S01E{i:D4}.mkv", 2_000_000 + i)]));
        (await http.PutAsync("/api/v1/queue", new StringContent("""{"paused":false}""", System.Text.Encoding.UTF8, "application/json"))).EnsureSuccessStatusCode();
        var busy = await Task.Factory.StartNew(Measure, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        output.WriteLine($"{ended} jobs ended, {ended / 10} wait; at rest p50, p95 and processor time of the server per call, then beside imports, in ms:");
        for (var i = 0; i < Queries.Length; i++)
            output.WriteLine(FormattableString.Invariant($"  {(Queries[i].Length == 0 ? "(all)" : Queries[i]),-36} {resting[i].P50,6:F1} {resting[i].P95,6:F1} {resting[i].Cpu,6:F1} {busy[i].P50,6:F1} {busy[i].P95,6:F1}"));
        Assert.Empty(server.Errors);

        (double P50, double P95, double Cpu)[] Measure() => [.. Queries.Select(query =>
        {
            const int Calls = 40;
            var times = new List<double>();
            Call(query);
            var cpu = server.CpuTime;
            for (var i = 0; i < Calls; i++)
                times.Add(Call(query));
            var each = (server.CpuTime - cpu).TotalMilliseconds / Calls;
            times.Sort();
            return (times[Calls / 2], times[Calls * 95 / 100], each);
        })];

        double Call(string query)
        {
            var clock = Stopwatch.GetTimestamp();
            using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/jobs?" + query);
            using var response = http.Send(request);
            using var bytes = new MemoryStream();
            response.Content.ReadAsStream().CopyTo(bytes);
            var took = Stopwatch.GetElapsedTime(clock).TotalMilliseconds;
            var total = JsonDocument.Parse(bytes.ToArray()).RootElement.GetProperty("total").GetInt32();
            Assert.True(query.Length > 0 || total > ended, "the jobs are listed");
            return took;
        }
    }

    [Fact]
    public async Task Fifty_pages_that_listen_and_hear_nothing()
    {
        const int Pages = 50;
        var seconds = Asked("NZBDAV_MEASURE_SECONDS", FewSeconds);
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" });
        using var folder = new Folder();
        await using var server = await StartAsync(news, folder);
        using var client = await server.ClientAsync();
        using var http = new HttpClient { BaseAddress = client.Http.BaseAddress };
        http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        await Task.Delay(TimeSpan.FromSeconds(seconds));
        var alone = await CpuAsync();
        var pages = new List<Stream>();
        for (var i = 0; i < Pages; i++)
            pages.Add(await http.GetStreamAsync("/api/v1/events?topics=jobs,files,status,providers,torrents"));
        await Task.Delay(TimeSpan.FromSeconds(seconds));
        var listening = await CpuAsync();
        output.WriteLine(FormattableString.Invariant($"share of a core over {seconds} s: {alone:P2} alone, {listening:P2} with {Pages} pages"));
        foreach (var page in pages)
        {
            Assert.True(await page.ReadAsync(new byte[256]) > 0);
            await page.DisposeAsync();
        }

        async Task<double> CpuAsync()
        {
            var (cpu, clock) = (server.CpuTime, Stopwatch.StartNew());
            await Task.Delay(TimeSpan.FromSeconds(seconds));
            return (server.CpuTime - cpu) / clock.Elapsed;
        }
    }

    private static int Asked(string name, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariables()[name] as string, NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : otherwise;

    private static Task<ServerProcess> StartAsync(NewsServers news, Folder folder)
    {
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        return Task.FromResult(ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0"));
    }

    /// <summary>Jobs as a year leaves them, straight into the database; those that wait are held back, so that nobody takes them.</summary>
    private static void Fill(Folder folder, int ended, int waiting)
    {
        using var database = new SqliteConnection($"Data Source={Path.Combine(folder.Path, "nzbdav.sqlite")};Pooling=False");
        database.Open();
        using var transaction = database.BeginTransaction();
        using var insert = database.CreateCommand();
        insert.CommandText =
            "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created, started, finished, attempts, step, total_bytes, file_count, paused, content_hash, timings, kind, failure_code, failure_message) "
            + "VALUES ($id, $name, $category, $state, -1, 'api', NULL, 100000, $time, $time, $finished, 1, 'publish', $size, 30, $paused, $hash, $timings, $kind, $code, $message)";
        foreach (var name in (string[])["$id", "$name", "$category", "$state", "$time", "$finished", "$size", "$paused", "$hash", "$timings", "$kind", "$code", "$message"])
            insert.Parameters.Add(new SqliteParameter(name, null));
        var random = new Random(1);
        var begin = TimeProvider.System.GetUtcNow().AddYears(-1).UtcTicks;
        for (var i = 0; i < ended + waiting; i++)
        {
            var isEnded = i < ended;
            var isFailed = isEnded && i % 10 == 0;
            object?[] values =
            [
                1000L + i, string.Join('.', Enumerable.Range(0, 4).Select(_ => Words[random.Next(Words.Length)])) + FormattableString.Invariant($".S{i % 40:D2}E{i % 24:D2}.1080p.WEB-DL-GRP{i}"), ((string[])["tv", "movies", "other", "anime"])[random.Next(4)],
                isFailed ? "failed" : isEnded ? "completed" : "queued", begin + (i * 600L * TimeSpan.TicksPerSecond), isEnded ? begin + (i * 600L * TimeSpan.TicksPerSecond) : DBNull.Value, random.NextInt64(100_000_000, 10_000_000_000), isEnded ? 0 : 1,
                Convert.ToHexString(BitConverter.GetBytes((long)i)).PadLeft(64, 'a'), "parse:1200,probe:35000,name:100,layout:2000,validate:300,publish:500", i % 5 == 0 ? "torrent" : "nzb", isFailed ? "missing-articles" : DBNull.Value, isFailed ? "3 of 21 volumes are gone on every provider" : DBNull.Value,
            ];
            for (var column = 0; column < values.Length; column++)
                insert.Parameters[column].Value = values[column];
            insert.ExecuteNonQuery();
        }

        transaction.Commit();
    }
}
