using System.Text.Json;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Host.Sharing;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary><c>nzbdav import</c>, beside a running server and without one.</summary>
public sealed class CommandTests
{
    [Fact]
    public async Task Import_works_without_a_server()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var drop = new Folder();
        var first = news.Post("first.mkv", 3_000_000);
        var second = news.Post("second.mkv", 700_000);
        var (exit, output, errors) = await ServerProcess.RunAsync(
            news.Environment,
            "import",
            "--config",
            folder.Path,
            "--category",
            "tv",
            drop.Write("First job.nzb", NzbWriter.ToBytes([first])),
            drop.Write("Second.nzb", NzbWriter.ToBytes([second])));
        Assert.True(exit == 0, string.Join('\n', errors));
        Assert.Contains("First job.nzb: /content/tv/First job", output);
        Assert.Contains("Second.nzb: /content/tv/Second", output);

        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/tv/First%20job/first.mkv", first);
        await client.AssertFileAsync("/dav/content/tv/Second/second.mkv", second);
    }

    /// <summary>Its claim would last for a day.</summary>
    [Fact]
    public async Task Import_releases_the_jobs_of_one_that_was_killed()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var drop = new Folder();
        var (left, file) = (news.Post("left.mkv", 700_000), news.Post("next.mkv", 500_000));
        long id;
        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            using var nzb = new MemoryStream(NzbWriter.ToBytes([left]));
            id = (await catalog.Jobs.EnqueueAsync(
                new NewJob { Name = "Left", Category = "tv", Source = JobSource.Cli }, nzb, Deadline.Token)).Id;
            Assert.NotNull(await catalog.Jobs.ClaimAsync(GatewayName.Create(folder.Path).Name + "-0", TimeSpan.FromDays(1),
                Deadline.Token));
        }

        // One worker takes the older job first.
        var environment = news.Environment;
        environment["NzbDav__Import__Workers"] = "1";
        var (exit, _, errors) = await ServerHere.RunAsync(
            environment, "import", "--config", folder.Path, drop.Write("Next.nzb", NzbWriter.ToBytes([file])));

        Assert.True(exit == 0, string.Join('\n', errors));
        await using var after = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token);
        Assert.Equal(JobState.Completed, (await after.Jobs.GetAsync(id, Deadline.Token))!.State);
    }

    [Fact]
    public async Task An_import_beside_a_running_server_shows_in_its_tree()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var drop = new Folder();
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();

        // An earlier lookup by the server must not hide the import.
        Assert.Empty(await client.ListAsync("/dav/content/other/"));
        Assert.Null(await client.FindAsync("/dav/content/other/beside/beside.mkv"));
        var file = news.Post("beside.mkv", 3_000_000);
        var (exit, output, errors) = await ServerHere.RunAsync(
            news.Environment, "import", "--config", folder.Path, drop.Write("beside.nzb", NzbWriter.ToBytes([file])));
        Assert.True(exit == 0, string.Join('\n', errors));
        Assert.Equal(["beside.nzb: /content/other/beside"], output);
        Assert.Equal(["beside"], await client.ListAsync("/dav/content/other/"));
        await client.AssertFileAsync("/dav/content/other/beside/beside.mkv", file);
    }

    [Fact]
    public async Task Files_that_cannot_be_imported_are_reported_and_the_rest_is_imported()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var drop = new Folder();
        var gone = news.Post("gone.mkv", 3_000_000);
        var good = news.Post("good.mkv", 100_000);
        news.Fault(Fault.Missing, FaultTarget.File(gone));
        var (exit, output, errors) = await ServerHere.RunAsync(
            news.Environment,
            "import",
            "--config",
            folder.Path,
            drop.Write("bad.nzb", "<?xml version=\"1.0\"?>\n<nzb>\n<file subject=\"x\">\n"u8.ToArray()),
            Path.Combine(drop.Path, "absent.nzb"),
            drop.Path,
            drop.Write("gone.nzb", NzbWriter.ToBytes([gone])),
            drop.Write("good.nzb", NzbWriter.ToBytes([good])));
        Assert.Equal(1, exit);
        // Standard error also holds the log's warnings.
        var reasons = errors.Where(line => !line.Contains(" WRN ", StringComparison.Ordinal)).ToArray();
        Assert.Equal(4, reasons.Length);
        Assert.Matches("^bad.nzb: Line [34], column [0-9]+: ", reasons[0]);
        Assert.StartsWith("absent.nzb: ", reasons[1], StringComparison.Ordinal);
        Assert.StartsWith($"{Path.GetFileName(drop.Path)}: ", reasons[2], StringComparison.Ordinal);
        Assert.StartsWith("gone.nzb: 'gone.mkv': ", reasons[3], StringComparison.Ordinal);
        Assert.Contains("good.nzb: /content/other/good", output);
    }

    [Fact]
    public async Task Torrents_and_magnet_links_are_imported_without_a_server_and_without_a_Usenet_account()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(3_000_000));
        using var folder = new Folder();
        using var drop = new Folder();
        var environment = new Dictionary<string, string>(StringComparer.Ordinal)
        { ["NzbDav__Torrents__ListenAddress"] = "127.0.0.1", ["NzbDav__Torrents__PrivateHosts"] = "127.0.0.1" };
        var named = swarm.Magnet;
        var (exit, output, errors) = await ServerHere.RunAsync(
            environment, "import", "--config", folder.Path, "--category", "movies", drop.Write("First film.torrent", swarm.File), named,
            named.Replace("&dn=film.mkv", "", StringComparison.Ordinal));
        Assert.True(exit == 0, string.Join('\n', errors));
        Assert.Contains("First film.torrent: /content/movies/First film", output);
        // Shown without its tracker, whose address may hold a key.
        var shown = named[..named.IndexOf("&tr=", StringComparison.Ordinal)];
        Assert.Contains($"{shown}: /content/movies/film.mkv", output);

        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        Assert.Equal(["First film", "film.mkv", "film.mkv (2)"], await client.ListAsync("/dav/content/movies/"));
        foreach (var job in (string[])["First%20film", "film.mkv", "film.mkv%20(2)"])
            await swarm.AssertFileAsync(client, $"/dav/content/movies/{job}/film.mkv");
    }

    [Fact]
    public async Task The_torrent_tester_compares_what_it_reads_over_WebDAV()
    {
        using var folder = new Folder();
        var file = Path.Combine(folder.Path, "figures.json");
        var (exit, output, errors) = await ServerProcess.RunAsync(
            new Dictionary<string, string>(StringComparer.Ordinal), "--test-torrent", "--stages", "probe", "dav", "--rtt", "0", "--seeks",
            "2", "--seconds", "0.3", "--json", file);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        using var figures = JsonDocument.Parse(await File.ReadAllBytesAsync(file));
        double Value(string name) => figures.RootElement.EnumerateArray().First(figure => figure.GetProperty("name").GetString() == name)
            .GetProperty("value").GetDouble();
        Assert.True(Value("compared") > 4, string.Join('\n', output));
        Assert.InRange(Value("fetched / read"), 1, 1.3);
        Assert.True(Value("first byte after") > 0);
    }

    [Fact]
    public async Task A_torrent_survives_a_kill_of_the_server()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(6_000_000));
        using var folder = new Folder();
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
            await client.UntilAsync("/dav/content/movies/film/film.mkv");
            await swarm.AssertFileAsync(client, "/dav/content/movies/film/film.mkv");
            await server.KillAsync();
        }

        await using var again = ServerProcess.Serve(news, folder);
        using var second = await again.ClientAsync();
        await swarm.AssertRangesAsync(second, "/dav/content/movies/film/film.mkv", readers: 3, count: 4);
        await swarm.AssertFileAsync(second, "/dav/content/movies/film/film.mkv");
        again.Terminate();
        Assert.Equal(0, await again.ExitAsync(TimeSpan.FromSeconds(10)));
    }

    [Fact]
    public async Task Import_reports_missing_settings_before_it_begins()
    {
        using var folder = new Folder();
        var file = folder.Write("some.nzb", [1]);
        var (exit, _, errors) = await ServerHere.RunAsync(
            new Dictionary<string, string>(StringComparer.Ordinal), "import", "--config", folder.Path, file);
        Assert.Equal(78, exit);
        Assert.Contains("NzbDav__Usenet__Providers__0__Host", Assert.Single(errors), StringComparison.Ordinal);
        (exit, _, errors) = await ServerHere.RunAsync(
            new Dictionary<string, string>(StringComparer.Ordinal), "import", "--config", folder.Path, "--category", "a/b", file);
        Assert.Equal(78, exit);
        Assert.Contains("'a/b'", Assert.Single(errors), StringComparison.Ordinal);
    }
}
