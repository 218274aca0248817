using System.Security.Cryptography;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests;

public sealed partial class MigrationTests
{
    private static readonly Dictionary<string, string> Nothing = new(StringComparer.Ordinal);

    [Fact]
    public async Task A_dry_run_says_what_would_come_and_changes_nothing()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            var film = news.Post("film.mkv", 900_000);
            fixture.Add("movies", "Film", NzbWriter.ToBytes([film]), null, new FixtureFile("film.mkv", film.Length, [FixturePart.Whole(film)]));
            fixture.Add("movies", "Broken", "<nzb><file>"u8.ToArray(), null, new FixtureFile("b.mkv", film.Length, [FixturePart.Whole(film)]));
        }

        var configuration = Path.Combine(folder.Path, "config");
        var before = Digests(old.Path);
        var (exit, dry, errors) = await ServerProcess.RunAsync(Nothing, "migrate", "--config", configuration, "--from", "nzbdav", old.Path, "--dry-run");
        Assert.True(exit == 1, string.Join('\n', [.. dry, .. errors]));
        Assert.False(Directory.Exists(configuration));
        Assert.Equal(before, Digests(old.Path));

        var (_, output, _) = await ServerProcess.RunAsync(Nothing, "migrate", "--config", configuration, "--from", "nzbdav", old.Path);
        Assert.Equal(before, Digests(old.Path));
        string[] Table(IEnumerable<string> lines) => [.. lines.SkipWhile(line => line.Length > 0).Skip(2).Select(line => line.Replace("Would come", "Came      ", StringComparison.Ordinal).Replace("Settings to take over", "Settings taken over  ", StringComparison.Ordinal))];
        Assert.Equal(Table(dry), Table(output));
        Assert.Contains(dry, line => line.TrimStart().StartsWith("movies/Broken: Its .nzb cannot be used: Line ", StringComparison.Ordinal));
        Assert.Contains("They wait in the queue: the server imports them when it is started with a Usenet account.", output);
    }

    [Fact]
    public async Task Settings_are_taken_over_where_there_are_none_and_secrets_are_not_shown()
    {
        using var folder = new Folder();
        using var old = new Folder();
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            fixture.Configure("usenet.providers", """{"Providers":[{"Type":1,"Host":"news.example.com","Port":563,"UseSsl":true,"User":"me","Pass":"hidden-one","MaxConnections":20},{"Type":3,"Host":"block.example.com","Port":119,"UseSsl":false,"User":"you","Pass":"hidden-two","MaxConnections":5},{"Type":0,"Host":"off.example.com","Port":563}]}""");
            fixture.Configure("api.categories", "films,tv");
            fixture.Configure("arr.instances", """{"RadarrInstances":[{"Host":"http://radarr:7878","ApiKey":"hidden-three"}],"SonarrInstances":[],"QueueRules":[]}""");
            fixture.Configure("rclone.mount-dir", "/mnt/old");
            fixture.Configure("webdav.pass", "hash");
        }

        var (exit, output, errors) = await ServerProcess.RunAsync(Nothing, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path, "--queue-only");
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        var text = string.Join('\n', output);
        Assert.Contains("Usenet account news.example.com:563, 20 connections", text, StringComparison.Ordinal);
        Assert.Contains("Radarr at radarr:7878", text, StringComparison.Ordinal);
        Assert.Contains("Categories: films, other, tv", text, StringComparison.Ordinal);
        Assert.Contains("Mount path: /mnt/old.", text, StringComparison.Ordinal);
        Assert.Contains("off.example.com: it is switched off there.", text, StringComparison.Ordinal);
        Assert.Contains("The WebDAV password:", text, StringComparison.Ordinal);
        Assert.DoesNotContain("hidden", text, StringComparison.Ordinal);

        var (_, again, _) = await ServerProcess.RunAsync(Nothing, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path, "--queue-only");
        Assert.Contains(again, line => line.Trim() == "The Usenet accounts: there are some here already.");
        Assert.Contains(again, line => line.Trim() == "The categories: they are set here already.");
        Assert.Contains(again, line => line.StartsWith("  Settings taken over", StringComparison.Ordinal) && line.EndsWith(" 0", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_run_that_is_killed_is_finished_by_the_next_one()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var files = Enumerable.Range(0, 40).Select(number => news.Post($"film-{number}.mkv", 30_000 + number)).ToArray();
        using var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs);
        foreach (var file in files)
            fixture.Add("movies", file.Name, NzbWriter.ToBytes([file]), null, new FixtureFile(file.Name, file.Length, [FixturePart.Whole(file)]));
        await using (var first = ServerProcess.Start(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path))
        {
            await first.LineAsync("/content/movies/film-");
            await first.KillAsync();
        }

        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        foreach (var file in files)
            await client.UntilAsync($"/dav/content/movies/{file.Name}/{file.Name}");
        Assert.Equal(files.Length, (await client.ListAsync("/dav/content/movies/")).Length);
        await client.AssertFileAsync("/dav/content/movies/film-17.mkv/film-17.mkv", files[17]);
    }

    [Fact]
    public async Task A_server_that_runs_imports_what_comes_and_a_post_that_it_had_gets_its_old_paths()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var (had, fresh) = (news.Post("had.mkv", 900_000), news.Post("fresh.mkv", 700_000));
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/Had.nzb", NzbWriter.ToBytes([had]));
        await client.UntilAsync("/dav/content/movies/Had/had.mkv");
        using var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs);
        var (one, two) = (new FixtureFile("old-had.mkv", had.Length, [FixturePart.Whole(had)]), new FixtureFile("old-fresh.mkv", fresh.Length, [FixturePart.Whole(fresh)]));
        fixture.Add("movies", "Had", NzbWriter.ToBytes([had]), null, one);
        fixture.Add("movies", "Fresh", NzbWriter.ToBytes([fresh]), null, two);

        // What was asked for before it came must not stay hidden.
        Assert.Null(await client.FindAsync("/dav/" + two.IdPath));
        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        Assert.Contains("The server that runs on this configuration imports them now; the page shows how far it is.", output);
        await client.UntilAsync("/dav/" + two.IdPath);
        await client.UntilAsync("/dav/" + one.IdPath);
        await client.AssertFileAsync("/dav/" + one.IdPath, had);
        await client.AssertFileAsync("/dav/content/movies/Had/old-had.mkv", had);
        await client.AssertFileAsync("/dav/content/movies/Fresh/old-fresh.mkv", fresh);
        Assert.Equal(["Fresh", "Had"], await client.ListAsync("/dav/content/movies/"));
    }

    [Fact]
    public async Task Links_of_a_library_are_rewritten_and_foreign_ones_stay()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        using var library = new Folder();
        var film = news.Post("film.mkv", 900_000);
        var file = new FixtureFile("Film.mkv", film.Length, [FixturePart.Whole(film)]);
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
            fixture.Add("movies", "Film", NzbWriter.ToBytes([film]), null, file);
        var (moved, _, _) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path);
        Assert.Equal(0, moved);

        string At(string name) => Path.Combine(library.Path, name);
        Directory.CreateDirectory(At("below"));
        var targets = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["id.mkv"] = "/mnt/nzbdav/" + file.IdPath,
            ["below/path.mkv"] = "/mnt/nzbdav/content/movies/Film/Film.mkv",
            ["real.mkv"] = "/data/content/movies/Film/Film.mkv",
            ["foreign.mkv"] = "/srv/films/other.mkv",
            ["unknown.mkv"] = $"/mnt/nzbdav/.ids/0/0/0/0/0/00000{Guid.NewGuid().ToString("D")[5..]}",
        };
        foreach (var (name, target) in targets)
            File.CreateSymbolicLink(At(name), target);
        var address = $"http://old:3000/view/{file.IdPath}?downloadKey=abc&extension=mkv";
        File.WriteAllText(At("film.strm"), address + "\n");
        File.WriteAllText(At("foreign.strm"), "http://elsewhere/film.mkv");
        var environment = new Dictionary<string, string>(news.Environment, StringComparer.Ordinal) { ["NzbDav__WebDav__MountPath"] = "/mnt/new", ["NzbDav__Strm__Url"] = "http://127.0.0.1:1" };

        var (dryExit, dry, dryErrors) = await ServerProcess.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path, "--dry-run");
        Assert.True(dryExit == 0, string.Join('\n', [.. dry, .. dryErrors]));
        Assert.Equal("3 links would be rewritten, 0 lead here already, 4 lead elsewhere and stay as they are.", Assert.Single(dry));
        Assert.All(targets, link => Assert.Equal(link.Value, new FileInfo(At(link.Key)).LinkTarget));
        Assert.Equal(address + "\n", File.ReadAllText(At("film.strm")));

        var (exit, output, errors) = await ServerProcess.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        Assert.Equal("3 links rewritten, 0 lead here already, 4 lead elsewhere and stay as they are.", Assert.Single(output));
        var written = new FileInfo(At("id.mkv")).LinkTarget!;
        Assert.Matches("^/mnt/new/\\.ids/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]{16}$", written);
        Assert.Equal(written, new FileInfo(At("below/path.mkv")).LinkTarget);
        foreach (var name in (string[])["real.mkv", "foreign.mkv", "unknown.mkv"])
            Assert.Equal(targets[name], new FileInfo(At(name)).LinkTarget);
        Assert.Equal("http://elsewhere/film.mkv", File.ReadAllText(At("foreign.strm")));
        var strm = File.ReadAllText(At("film.strm"));
        Assert.StartsWith("http://127.0.0.1:1/view/", strm, StringComparison.Ordinal);
        Assert.EndsWith("\n", strm, StringComparison.Ordinal);
        Assert.Equal(7, Directory.EnumerateFileSystemEntries(library.Path, "*", SearchOption.AllDirectories).Count(path => !Directory.Exists(path)));

        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav" + written["/mnt/new".Length..], film);
        await client.AssertFileAsync(strm.Trim()["http://127.0.0.1:1".Length..], film);
        var (_, again, _) = await ServerProcess.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path);
        Assert.Equal("0 links rewritten, 3 lead here already, 4 lead elsewhere and stay as they are.", Assert.Single(again));
    }

    private static Dictionary<string, string> Digests(string folder) => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .ToDictionary(path => path, path => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path))), StringComparer.Ordinal);
}
