using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Runs of <c>nzbdav migrate</c>: settings, interrupted runs, and runs beside a running server.</summary>
public sealed class MoveTests
{
    private static readonly Dictionary<string, string> Nothing = new(StringComparer.Ordinal);

    [Fact]
    public async Task Missing_settings_are_taken_over_and_secrets_are_not_shown()
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

        var (exit, output, errors) = await ServerHere.RunAsync(
            Nothing, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path, "--queue-only");
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        var text = string.Join('\n', output);
        Assert.Contains("Usenet account news.example.com:563, 20 connections", text, StringComparison.Ordinal);
        Assert.Contains("Radarr at radarr:7878", text, StringComparison.Ordinal);
        Assert.Contains("Categories: films, other, tv", text, StringComparison.Ordinal);
        Assert.Contains("Mount path: /mnt/old.", text, StringComparison.Ordinal);
        Assert.Contains("off.example.com: it is switched off there.", text, StringComparison.Ordinal);
        Assert.Contains("The WebDAV password:", text, StringComparison.Ordinal);
        Assert.DoesNotContain("hidden", text, StringComparison.Ordinal);

        var (_, again, _) = await ServerHere.RunAsync(
            Nothing, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path, "--queue-only");
        Assert.Contains(again, line => line.Trim() == "The Usenet accounts: some are configured here already.");
        Assert.Contains(again, line => line.Trim() == "The categories: they are set here already.");
        Assert.Contains(again,
            line => line.StartsWith("  Settings taken over", StringComparison.Ordinal) && line.EndsWith(" 0", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_next_run_finishes_one_that_was_killed()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var files = Enumerable.Range(0, 40).Select(number => news.Post($"film-{number}.mkv", 30_000 + number)).ToArray();
        using var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs);
        foreach (var file in files)
            fixture.Add(
                "movies", file.Name, NzbWriter.ToBytes([file]), null, new FixtureFile(file.Name, file.Length, [FixturePart.Whole(file)]));
        await using (var first = ServerProcess.Start(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path))
        {
            await first.LineAsync("/content/movies/film-");
            await first.KillAsync();
        }

        var output = await move.RunAsync("nzbdav");
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        foreach (var file in files)
            await client.UntilAsync($"/dav/content/movies/{file.Name}/{file.Name}");
        Assert.Equal(files.Length, (await client.ListAsync("/dav/content/movies/")).Length);
        await client.AssertFileAsync("/dav/content/movies/film-17.mkv/film-17.mkv", files[17]);
    }

    [Fact]
    public async Task A_running_server_imports_moved_posts_and_a_known_post_gets_its_old_paths()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (had, fresh) = (news.Post("had.mkv", 900_000), news.Post("fresh.mkv", 700_000));
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/Had.nzb", NzbWriter.ToBytes([had]));
        await client.UntilAsync("/dav/content/movies/Had/had.mkv");
        using var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs);
        var (one, two) = (new FixtureFile("old-had.mkv", had.Length, [FixturePart.Whole(had)]),
            new FixtureFile("old-fresh.mkv", fresh.Length, [FixturePart.Whole(fresh)]));
        fixture.Add("movies", "Had", NzbWriter.ToBytes([had]), null, one);
        fixture.Add("movies", "Fresh", NzbWriter.ToBytes([fresh]), null, two);

        // A lookup before the import must not hide the file afterwards.
        Assert.Null(await client.FindAsync("/dav/" + two.IdPath));
        var output = await move.RunAsync("nzbdav");
        Assert.Contains("The server that runs on this configuration imports them now; the page shows its progress.", output);
        await client.UntilAsync("/dav/" + two.IdPath);
        await client.UntilAsync("/dav/" + one.IdPath);
        await client.AssertFileAsync("/dav/" + one.IdPath, had);
        await client.AssertFileAsync("/dav/content/movies/Had/old-had.mkv", had);
        await client.AssertFileAsync("/dav/content/movies/Fresh/old-fresh.mkv", fresh);
        Assert.Equal(["Fresh", "Had"], await client.ListAsync("/dav/content/movies/"));
    }
}
