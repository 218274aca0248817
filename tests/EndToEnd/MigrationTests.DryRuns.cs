using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests;

public sealed partial class MigrationTests
{
    [Fact]
    public async Task A_dry_run_sees_posts_that_came_from_elsewhere_and_leaves_an_older_catalog_as_it_is()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var first = new Folder();
        using var second = new Folder();
        var (had, fresh) = (news.Post("had.mkv", 900_000), news.Post("fresh.mkv", 700_000));
        var sabnzbd = new SabnzbdFixture(first.Path, version: 6);
        sabnzbd.Add("Had", "movies", "Completed", [had]);
        sabnzbd.Keep("Had", [had]);
        using (var fixture = new NzbdavFixture(second.Path, NzbdavEra.Blobs))
        {
            fixture.Add("movies", "Had", NzbWriter.ToBytes([had]), null, new FixtureFile("had.mkv", had.Length, [FixturePart.Whole(had)]));
            fixture.Add("movies", "Fresh", NzbWriter.ToBytes([fresh]), null, new FixtureFile("fresh.mkv", fresh.Length, [FixturePart.Whole(fresh)]));
        }

        await MoveAsync(news, folder, "sabnzbd", first);
        Forget(folder);
        var before = Digests(folder.Path);
        var (exit, dry, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", second.Path, "--dry-run");
        Assert.True(exit == 0, string.Join('\n', [.. dry, .. errors]));
        Assert.Contains(dry, line => line.Trim() == "1 × The same post is here already: its old paths lead to that.");
        Assert.Contains(dry, line => line.StartsWith("  Would come", StringComparison.Ordinal) && line.EndsWith(" 1", StringComparison.Ordinal));
        Assert.Equal(before, Digests(folder.Path));

        using var library = new Folder();
        File.CreateSymbolicLink(Path.Combine(library.Path, "film.mkv"), "/mnt/nzbdav/content/movies/Had/had.mkv");
        (exit, dry, errors) = await ServerProcess.RunAsync(news.Environment, "links", "rewrite", "--config", folder.Path, library.Path, "--dry-run");
        Assert.True(exit == 0, string.Join('\n', [.. dry, .. errors]));
        Assert.Equal(before, Digests(folder.Path));

        var (_, output, _) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", second.Path);
        Assert.Contains(output, line => line.Trim() == "1 × The same post is here already: its old paths lead to that.");
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/movies/Fresh/fresh.mkv", fresh);
    }

    /// <summary>Makes a catalog one of before the last step of its schema.</summary>
    private static void Forget(Folder folder)
    {
        using var connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = Path.Combine(folder.Path, "nzbdav.sqlite"), Pooling = false }.ToString());
        connection.Open();
        connection.Execute("""
            DROP INDEX jobs_by_download_id; ALTER TABLE jobs DROP COLUMN download_id; ALTER TABLE aliases DROP COLUMN keys; ALTER TABLE releases DROP COLUMN download_id;
            DELETE FROM migrations WHERE name LIKE '%moved_jobs'
            """);
    }
}
