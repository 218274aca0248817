using System.Diagnostics;
using System.Globalization;
using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Recovery;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Arrs;

/// <summary>
/// A post with missing articles and recovery data, over the life of its files. Prints its figures without judging them.
/// <c>NZBDAV_MEASURE_REPAIR</c> sets the MB of a post; the default only shows that the measurement works.
/// </summary>
public sealed class RepairTests(ITestOutputHelper output)
{
    private static readonly int Megabytes = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_REPAIR"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : 2;

    private static readonly byte[] Film = SeededBytes.Make(77, 1_500_000);

    [Fact]
    public async Task Repaired_articles_survive_a_restart_and_are_removed_with_the_last_file_that_needs_them()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var writer = new Par2Writer { SliceSize = 25_000 }.Add("film.mkv", Film);
        var options = new PostOptions { ArticleSize = 40_000 };
        var posted = news.Store.AddPost([("film.mkv", new MemorySource(Film)), ("film.par2", new MemorySource(writer.Index())),
            ("film.vol0+8.par2", new MemorySource(writer.Volume(8)))], options);
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
        var patches = Path.Combine(folder.Path, "patches");

        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            var path = await gateway.ImportAsync("holes", [.. posted]);
            await gateway.Client.AssertFileAsync(path + "/film.mkv", posted[0]);
            Assert.Equal(2, Directory.GetFiles(patches, "*", SearchOption.AllDirectories).Length);

            // The same articles again: nothing has to be repaired a second time.
            await gateway.ImportAsync("holes again", [.. posted]);
            Assert.Single(Directory.GetDirectories(patches));
        }

        // A leftover patch folder: the job that created it no longer exists.
        Directory.CreateDirectory(Path.Combine(patches, "12345"));
        await File.WriteAllBytesAsync(Path.Combine(patches, "12345", new string('0', 32)), [1, 2, 3]);
        await using var restarted = await Gateway.StartAsync(news, folder);
        await Deadline.UntilAsync(
            () => !Directory.Exists(Path.Combine(patches, "12345")), "the unneeded patch folder is removed at the start");
        await restarted.Client.AssertFileAsync(DavClient.Path("content", "movies", "holes", "film.mkv"), posted[0]);

        Assert.Equal(
            HttpStatusCode.NoContent, (await restarted.Client.AskAsync("DELETE", DavClient.Path("content", "movies", "holes"))).Status);
        var kept = DavClient.Path("content", "movies", "holes again", "film.mkv");
        restarted.ForgetArticles();
        await restarted.Client.AssertFileAsync(kept, posted[0]);
        Assert.Equal(HttpStatusCode.NoContent,
            (await restarted.Client.AskAsync("DELETE", DavClient.Path("content", "movies", "holes again"))).Status);
        await Deadline.UntilAsync(() => Directory.GetDirectories(patches).Length == 0, "the repaired articles are removed");
    }

    /// <summary>
    /// Through the container that users have: there the repairer is wrapped, and a wrapper that does not pass an opening on resumes
    /// nothing.
    /// </summary>
    [Fact]
    public async Task A_repair_that_a_stop_interrupted_is_resumed_by_opening_the_file()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var posted = Post(news, Film, 25_000, 8);
        string path;
        Task reading;
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            path = await gateway.ImportAsync("film", [.. posted]) + "/film.mkv";
            gateway.ForgetArticles();
            news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 20));
            var repairing = news.Stall(segment => ReferenceEquals(segment.File, posted[2]));
            reading = gateway.Client.AskAsync("GET", path);
            await repairing;
            Assert.Empty(Patches(folder));
        }

        await Assert.ThrowsAnyAsync<Exception>(() => reading);
        news.Mend();
        news.First.DropConnections();
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 20));
        await using var restarted = await Gateway.StartAsync(news, folder);
        Assert.Empty(Patches(folder));

        // Far from the hole.
        await restarted.Client.AssertRangeAsync(path, posted[0], 0, 1_000);
        await Deadline.UntilAsync(() => Patches(folder).Length == 1, "the repair is resumed");
        await restarted.Client.AssertFileAsync(path, posted[0]);
    }

    [Fact]
    public async Task A_hole_that_the_import_could_not_repair_is_repaired_by_opening_the_file()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var posted = Post(news, Film, 25_000, 8);
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 20));
        await using var gateway = await Gateway.StartAsync(news, folder);

        // Restored articles cannot be stored: a file is where their folder should be.
        var patches = Path.Combine(folder.Path, "patches");
        if (Directory.Exists(patches))
            Directory.Delete(patches, recursive: true);
        await File.WriteAllTextAsync(patches, "in the way");
        var path = await gateway.ImportAsync("film", [.. posted]) + "/film.mkv";
        File.Delete(patches);
        await gateway.Client.AssertRangeAsync(path, posted[0], 0, 1_000);
        await Deadline.UntilAsync(() => Patches(folder).Length == 1, "the repair begins");
        await gateway.Client.AssertFileAsync(path, posted[0]);
    }

    [Fact]
    public async Task A_player_waits_for_the_repair_of_articles_lost_after_the_import_and_sees_no_hole()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var posted = Post(news, Film, 25_000, 8);
        var path = DavClient.Path("content", "movies", "film", "film.mkv");
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await gateway.ImportAsync("film", [.. posted]);
            news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
            gateway.ForgetArticles();
            await gateway.Client.AssertRangeAsync(path, posted[0], 215_000, 300_000);
            await gateway.Client.AssertFileAsync(path, posted[0]);
            await gateway.AssertNothingLeaksAsync();
        }

        await using var restarted = await Gateway.StartAsync(news, folder);
        await restarted.Client.AssertFileAsync(path, posted[0]);
        Assert.Equal(
            HttpStatusCode.NoContent, (await restarted.Client.AskAsync("DELETE", DavClient.Path("content", "movies", "film"))).Status);
        await Deadline.UntilAsync(() => Directory.GetDirectories(Path.Combine(folder.Path, "patches")).Length == 0,
            "the repaired articles are removed with the file");
    }

    [Fact]
    public async Task A_check_that_finds_an_article_missing_starts_its_repair()
    {
        await using var news = new NewsServers();
        var posted = Post(news, Film, 25_000, 8);
        await using var gateway = await Gateway.StartAsync(news);
        var path = await gateway.ImportAsync("film", [.. posted]);
        using var api = OperatorClient.Of(gateway);
        var (_, listed) = await api.AskAsync("GET", "/api/v1/files?path=/content/movies/film");
        var check = $"/api/v1/files/{listed.GetProperty("items")[0].GetProperty("id").GetString()}/check";
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
        var stall = news.First.Faults.Add(Fault.Stall(), FaultTarget.File(posted[2]));
        var (_, answer) = await api.AskAsync("POST", check);
        Assert.Equal((2, "Its repair from the recovery data of its post has begun."),
            (answer.GetProperty("gone").GetInt32(), answer.GetProperty("repair").GetString()));
        news.First.Faults.Remove(stall);
        news.First.DropConnections();
        await Deadline.UntilAsync(
            async () => (await api.AskAsync("POST", check)).Body is var again && again.GetProperty("gone").GetInt32() == 0
                && again.GetProperty("repair").ValueKind == System.Text.Json.JsonValueKind.Null,
            "the missing articles are repaired");
        gateway.ForgetArticles();
        await gateway.Client.AssertFileAsync(path + "/film.mkv", posted[0]);
    }

    [Fact]
    public async Task Killed_during_a_repair_the_post_is_repaired_by_the_next_read()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var posted = Post(news, Film, 25_000, 8);
        var path = DavClient.Path("content", "movies", "film", "film.mkv");
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes(posted));
            await client.UntilAsync(path);
            news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
            var asked = news.Stall(posted[2], 3);
            var reading = client.AskAsync("GET", path);
            await asked;
            await server.KillAsync();
            await Assert.ThrowsAsync<HttpRequestException>(() => reading);
        }

        news.Mend();
        news.First.DropConnections();
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
        await using var next = ServerHere.Serve(news, folder);
        using var later = await next.ClientAsync();
        await later.AssertFileAsync(path, posted[0]);
    }

    /// <summary>The first byte behind a hole of one article, while a player waits. Meanwhile the whole post arrives at 120 MB/s.</summary>
    [Fact]
    public async Task The_first_byte_behind_a_hole_comes_when_the_post_has_been_read_once()
    {
        using var folder = new Folder();
        await using var news = new NewsServers(new MockProviderOptions
        { Name = "one", Latency = TimeSpan.FromMilliseconds(20), ConnectionRate = 15_000_000, TotalRate = 120_000_000 });
        var film = SeededBytes.Make(78, Megabytes * 1_000_000);
        var posted = Post(news, film, 716_800, Math.Max(2, Megabytes / 7));
        await using var gateway = await Gateway.StartAsync(news, folder);
        var path = await gateway.ImportAsync("film", [.. posted]) + "/film.mkv";
        var gone = posted[0].Segments.Count / 2;
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], gone));
        gateway.ForgetArticles();
        var began = Stopwatch.GetTimestamp();
        var start = posted[0].Segments[gone].Offset;
        await gateway.Client.AssertRangeAsync(path, posted[0], start, start + 1_000);
        output.WriteLine(
            $"{Megabytes} MB: the bytes of an article that is gone came after {Stopwatch.GetElapsedTime(began).TotalSeconds:0.00} s");
        await gateway.Client.AssertFileAsync(path, posted[0]);
    }

    private static string[] Patches(Folder folder)
    {
        var patches = Path.Combine(folder.Path, "patches");
        return Directory.Exists(patches) ? Directory.GetFiles(patches, "*", SearchOption.AllDirectories) : [];
    }

    private static IReadOnlyList<PostedFile> Post(NewsServers news, byte[] film, int slice, int slices)
    {
        var writer = new Par2Writer { SliceSize = slice }.Add("film.mkv", film);
        return news.Store.AddPost(
            [("film.mkv", new MemorySource(film)), ("film.par2", new MemorySource(writer.Index())), ($"film.vol0+{slices}.par2",
                new MemorySource(writer.Volume(slices)))], new PostOptions { ArticleSize = film.Length < 10_000_000 ? 40_000 : 700_000 });
    }
}
