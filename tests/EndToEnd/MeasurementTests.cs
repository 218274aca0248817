using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// Memory and time of the server's process. Prints its figures and asserts loose bounds; the target is 500 MB. <c>NZBDAV_MEASURE_POSTS</c>
/// sets how many small posts are dropped at once. The default only shows that the measurement works; meaningful figures need 2000 and a
/// release build.
/// </summary>
public sealed class MeasurementTests(ITestOutputHelper output)
{
    private const int FewPosts = 200;

    [Fact(Explicit = true)]
    public async Task Memory_of_importing_500_GB_in_700_000_segments()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        var file = news.Store.AddPost(
            [("Everything.mkv", (IArticleSource)new FilmSource(new SeededSource(1, "everything", 500_000_000_000)))]).Single();
        var nzb = NzbWriter.ToBytes([file]);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        var idle = server.PeakMemory;
        var watch = Stopwatch.StartNew();
        await client.PutAsync("/dav/nzbs/movies/everything.nzb", nzb);
        var taken = watch.Elapsed;
        await Deadline.UntilAsync(async () => (await client.ListAsync("/dav/content/movies/")).Length > 0, "it is published");
        var visible = watch.Elapsed;
        var peak = server.PeakMemory;
        output.WriteLine(
            $"{file.Segments.Count} segments, .nzb of {nzb.Length / 1e6:F0} MB: visible after {visible.TotalSeconds:F2} s, of these the " +
            $"PUT {taken.TotalSeconds:F2} s; peak {peak / 1e6:F0} MB, {idle / 1e6:F0} MB before");
        await client.AssertRangesAsync("/dav/content/movies/everything/Everything.mkv", file, count: 4, seed: 3);
        Assert.InRange(peak, 1, 650_000_000);
    }

    [Fact(Explicit = true)]
    public async Task Calls_of_the_SABnzbd_interface_while_500_jobs_are_imported()
    {
        const int Jobs = 500;
        const string Key = "0123456789abcdef";
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        using var http = new HttpClient { BaseAddress = client.Http.BaseAddress };
        Ask("mode=pause");
        for (var i = 0; i < Jobs; i++)
        {
            var name = $"Show.S01E{i:D3}";
            using var form = new MultipartFormDataContent
                { { new ByteArrayContent(NzbWriter.ToBytes([news.Post(name + ".mkv", 1_500_000 + i)])), "name", name + ".nzb" } };
            using var added = await http.PostAsync($"/api?mode=addfile&cat=tv&apikey={Key}", form);
            Assert.Contains("SABnzbd_nzo_", await added.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }

        // The provider runs in this process. So that its threads, and the wait for a free one, are not counted as the server's, the calls
        // block on a thread of their own.
        var (report, listed) = await Task.Factory.StartNew(
            Call, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        output.WriteLine(report);
        Assert.InRange(listed, 1, Jobs);
        Assert.DoesNotContain(server.Output, line => line.Contains("locked", StringComparison.OrdinalIgnoreCase));
        Assert.Empty(server.Errors);

        (string Report, int Listed) Call()
        {
            Ask("mode=queue&start=0&limit=0");
            Ask("mode=history&start=0&limit=60");
            Ask("mode=resume");
            var watch = Stopwatch.StartNew();
            var queue = new List<double>();
            var history = new List<double>();
            int left;
            do
            {
                // Asks as the *arrs do: one call after the other, without a pause.
                var (took, answer) = Ask("mode=queue&start=0&limit=0");
                queue.Add(took);
                left = answer.GetProperty("queue").GetProperty("noofslots").GetInt32();
                history.Add(Ask("mode=history&start=0&limit=60").Milliseconds);
            }
            while (left > 0);
            var seconds = watch.Elapsed.TotalSeconds;
            var (_, ended) = Ask("mode=history&start=0&limit=1");
            return (
                $"{Jobs} jobs imported in {seconds:F1} s beside {queue.Count} calls of each: queue {Figures(queue)}; history " +
                $"{Figures(history)}",
                ended.GetProperty("history").GetProperty("noofslots").GetInt32());
        }

        (double Milliseconds, JsonElement Answer) Ask(string query)
        {
            var clock = Stopwatch.GetTimestamp();
            using var request = new HttpRequestMessage(HttpMethod.Get, $"/api?output=json&apikey={Key}&{query}");
            using var response = http.Send(request, HttpCompletionOption.ResponseHeadersRead);
            using var bytes = new MemoryStream();
            response.Content.ReadAsStream().CopyTo(bytes);
            var took = Stopwatch.GetElapsedTime(clock).TotalMilliseconds;
            response.EnsureSuccessStatusCode();
            return (took, JsonDocument.Parse(bytes.ToArray()).RootElement);
        }

        static string Figures(List<double> all)
        {
            all.Sort();
            return FormattableString.Invariant(
                $"p50 {all[all.Count / 2]:F1} ms, p95 {all[all.Count * 95 / 100]:F1} ms, longest {all[^1]:F1} ms");
        }
    }

    [Fact(Explicit = true)]
    public async Task Many_small_posts_dropped_at_once()
    {
        var jobs = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_POSTS"] as string, NumberStyles.None,
            CultureInfo.InvariantCulture, out var asked) ? asked : FewPosts;
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        var nzbs = new byte[jobs][];
        for (var i = 0; i < jobs; i++)
            nzbs[i] = NzbWriter.ToBytes([news.Post($"Show.S01E{i:D4}.mkv", 2_000_000 + i)]);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/tv/first.nzb", NzbWriter.ToBytes([news.Post("first.mkv", 2_000_000)]));
        var idle = server.PeakMemory;
        var before = server.CpuTime;
        var ours = Process.GetCurrentProcess().TotalProcessorTime;
        var watch = Stopwatch.StartNew();
        var puts = new double[jobs];
        await Parallel.ForAsync(0, jobs, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (i, _) =>
        {
            var clock = Stopwatch.GetTimestamp();
            await client.PutAsync($"/dav/nzbs/tv/Show.S01E{i:D4}.nzb", nzbs[i]);
            puts[i] = Stopwatch.GetElapsedTime(clock).TotalMilliseconds;
        });
        var dropped = watch.Elapsed;
        using var database = new Microsoft.Data.Sqlite.SqliteConnection(
            $"Data Source={Path.Combine(folder.Path, "nzbdav.sqlite")};Mode=ReadOnly;Pooling=False");
        database.Open();
        using var left = database.CreateCommand();
        left.CommandText = "SELECT COUNT(*) FROM jobs WHERE state <> 'completed'";
        await Deadline.UntilAsync(() => Task.FromResult((long)left.ExecuteScalar()! == 0), "all are imported");
        var whole = watch.Elapsed;
        Array.Sort(puts);
        left.CommandText = "SELECT timings FROM jobs";
        var steps = new Dictionary<string, long>();
        using (var rows = left.ExecuteReader())
        {
            while (rows.Read())
            {
                foreach (var step in rows.GetString(0).Split(','))
                    steps[step.Split(':')[0]] = steps.GetValueOrDefault(step.Split(':')[0]) + long.Parse(
                        step.Split(':')[1], CultureInfo.InvariantCulture);
            }
        }

        output.WriteLine(
            string.Join(", ", steps.Select(step => FormattableString.Invariant($"{step.Key} {step.Value / 1000.0 / jobs:F1} ms"))));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{jobs} posts: dropped in {dropped.TotalSeconds:F1} s (PUT p50 {puts[jobs / 2]:F1} ms, p99 {puts[jobs * 99 / 100]:F1} ms), " +
            $"imported after {whole.TotalSeconds:F1} s, {jobs / whole.TotalSeconds:F0} a second, " +
            $"{(server.CpuTime - before).TotalMilliseconds / jobs:F1} ms of CPU each " +
            $"({(Process.GetCurrentProcess().TotalProcessorTime - ours).TotalMilliseconds / jobs:F1} of client and provider); peak " +
            $"{server.PeakMemory / 1e6:F0} MB, {idle / 1e6:F0} MB before"));
        Assert.Empty(server.Errors);
    }

    /// <summary>Bytes that begin like a Matroska file.</summary>
    private sealed class FilmSource(SeededSource bytes) : IArticleSource
    {
        public long Length => bytes.Length;

        public void Fill(long offset, Span<byte> destination)
        {
            bytes.Fill(offset, destination);
            ReadOnlySpan<byte> head = [0x1A, 0x45, 0xDF, 0xA3];
            if (offset < head.Length && destination.Length > 0)
                head[(int)offset..Math.Min(head.Length, (int)offset + destination.Length)].CopyTo(destination);
        }
    }
}
