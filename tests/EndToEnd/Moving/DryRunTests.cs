using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>A dry run reports what would be moved and changes nothing.</summary>
public sealed class DryRunTests
{
    private static readonly Dictionary<string, string> Nothing = new(StringComparer.Ordinal);

    [Fact]
    public async Task A_dry_run_reports_what_would_be_moved_and_changes_nothing()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            var film = news.Post("film.mkv", 900_000);
            fixture.Add(
                "movies", "Film", NzbWriter.ToBytes([film]), null, new FixtureFile("film.mkv", film.Length, [FixturePart.Whole(film)]));
            fixture.Add(
                "movies", "Broken", "<nzb><file>"u8.ToArray(), null, new FixtureFile("b.mkv", film.Length, [FixturePart.Whole(film)]));
        }

        var configuration = Path.Combine(folder.Path, "config");
        var before = old.Digests();
        var (exit, dry, errors) = await ServerHere.RunAsync(
            Nothing, "migrate", "--config", configuration, "--from", "nzbdav", old.Path, "--dry-run");
        Assert.True(exit == 1, string.Join('\n', [.. dry, .. errors]));
        Assert.False(Directory.Exists(configuration));
        Assert.Equal(before, old.Digests());

        var (_, output, _) = await ServerHere.RunAsync(Nothing, "migrate", "--config", configuration, "--from", "nzbdav", old.Path);
        Assert.Equal(before, old.Digests());
        string[] Table(IEnumerable<string> lines) =>
            [.. lines.SkipWhile(line => line.Length > 0).Skip(2).Select(line => line.Replace("Would be migrated", "Migrated         ",
            StringComparison.Ordinal).Replace("Settings to take over", "Settings taken over  ", StringComparison.Ordinal))];
        Assert.Equal(Table(dry), Table(output));
        Assert.Contains(
            dry, line => line.TrimStart().StartsWith("movies/Broken: Its .nzb cannot be used: Line ", StringComparison.Ordinal));
        Assert.Contains("They wait in the queue: the server imports them when it is started with a Usenet account.", output);
    }

    [Fact]
    public async Task A_dry_run_sees_posts_moved_from_elsewhere_and_does_not_upgrade_the_catalog()
    {
        await using var move = new MoveFixture();
        var (news, folder, first) = move;
        using var second = new Folder();
        var (had, fresh) = (news.Post("had.mkv", 900_000), news.Post("fresh.mkv", 700_000));
        var sabnzbd = new SabnzbdFixture(first.Path, version: 6);
        sabnzbd.Add("Had", "movies", "Completed", [had]);
        sabnzbd.Keep("Had", [had]);
        using (var fixture = new NzbdavFixture(second.Path, NzbdavEra.Blobs))
        {
            fixture.Add("movies", "Had", NzbWriter.ToBytes([had]), null, new FixtureFile("had.mkv", had.Length, [FixturePart.Whole(had)]));
            fixture.Add("movies", "Fresh", NzbWriter.ToBytes([fresh]), null,
                new FixtureFile("fresh.mkv", fresh.Length, [FixturePart.Whole(fresh)]));
        }

        await move.RunAsync("sabnzbd");
        Forget(folder);
        var before = folder.Digests();
        var (exit, dry, errors) = await ServerHere.RunAsync(
            news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", second.Path, "--dry-run");
        Assert.True(exit == 0, string.Join('\n', [.. dry, .. errors]));
        Assert.Contains(dry, line => line.Trim() == "1 × The same post is here already: its old paths lead to it.");
        Assert.Contains(
            dry, line => line.StartsWith("  Would be migrated", StringComparison.Ordinal) && line.EndsWith(" 1", StringComparison.Ordinal));
        Assert.Equal(before, folder.Digests());

        using var library = new Folder();
        File.CreateSymbolicLink(Path.Combine(library.Path, "film.mkv"), "/mnt/nzbdav/content/movies/Had/had.mkv");
        (exit, dry, errors) = await ServerHere.RunAsync(
            news.Environment, "links", "rewrite", "--config", folder.Path, library.Path, "--dry-run");
        Assert.True(exit == 0, string.Join('\n', [.. dry, .. errors]));
        Assert.Equal(before, folder.Digests());

        var (_, output, _) = await ServerHere.RunAsync(
            news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", second.Path);
        Assert.Contains(output, line => line.Trim() == "1 × The same post is here already: its old paths lead to it.");
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/movies/Fresh/fresh.mkv", fresh);
    }

    /// <summary>Takes a catalog back to a schema of earlier versions: 0041 and 0030 are undone.</summary>
    private static void Forget(Folder folder)
    {
        using var connection = new SqliteConnection(
            new SqliteConnectionStringBuilder { DataSource = Path.Combine(folder.Path, "nzbdav.sqlite"), Pooling = false }.ToString());
        connection.Open();
        connection.Execute("""
            DROP TABLE unwanted;
            CREATE TABLE releases (
                item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE, job_id INTEGER, released INTEGER NOT NULL);
            DROP INDEX holds_by_holder;
            ALTER TABLE holds ADD COLUMN lost INTEGER;
            ALTER TABLE holds ADD COLUMN hidden INTEGER;
            ALTER TABLE holds ADD COLUMN kept INTEGER;
            ALTER TABLE holds ADD COLUMN accepted INTEGER;
            ALTER TABLE health_posts ADD COLUMN hidden INTEGER;
            CREATE INDEX holds_by_holder ON holds (holder) WHERE lost IS NULL;
            CREATE INDEX holds_lost ON holds (lost) WHERE lost IS NOT NULL;
            DROP INDEX jobs_by_download_id;
            ALTER TABLE jobs DROP COLUMN download_id;
            ALTER TABLE aliases DROP COLUMN keys;
            DELETE FROM migrations WHERE name LIKE '%moved_jobs' OR name LIKE '%unwanted'
            """);
    }
}
