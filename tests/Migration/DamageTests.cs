using Dapper;
using NzbDav.Fakes;
using NzbDav.Migration.Tests.Fixtures;

namespace NzbDav.Migration.Tests;

/// <summary>Anything unreadable is reported with its file, its version and what to do.</summary>
public sealed class DamageTests
{
    [Theory]
    [InlineData(OldProduct.Nzbdav, "has no db.sqlite")]
    [InlineData(OldProduct.Infinidysk, "InfiniDysk on PostgreSQL cannot be read")]
    [InlineData(OldProduct.Altmount, "has no config.yaml")]
    [InlineData(OldProduct.Sabnzbd, "has no sabnzbd.ini")]
    public void An_empty_folder_is_not_a_library(OldProduct product, string said)
    {
        using var folder = new TemporaryFolder();
        Assert.Contains(said, Releases.Refusal(product, folder.Path), StringComparison.Ordinal);
        Assert.Contains("is not there", Releases.Refusal(product, Path.Combine(folder.Path, "absent")), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_a_database_is_reported()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(Path.Combine(folder.Path, "db.sqlite"), "no database at all, but long enough");
        Assert.StartsWith(
            $"{folder.Path}/db.sqlite is no SQLite database", Releases.Refusal(OldProduct.Nzbdav, folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_database_is_reported()
    {
        using var folder = new TemporaryFolder();
        using (var fixture = new NzbdavFixture(folder.Path, NzbdavEra.First))
            fixture.InTransaction(() => fixture.Add(
                "movies", "Film", null, null, [.. Enumerable.Range(0, 400).Select(number => Releases.Plain($"film-{number}.mkv"))]));
        var path = Path.Combine(folder.Path, "db.sqlite");
        var bytes = File.ReadAllBytes(path);
        bytes.AsSpan(8192).Fill(0x5A);
        File.WriteAllBytes(path, bytes);
        var said = Releases.Refusal(OldProduct.Nzbdav, folder.Path);
        Assert.StartsWith($"{path} is damaged: ", said, StringComparison.Ordinal);
        Assert.Contains(".recover", said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("DavItems")]
    [InlineData("ConfigItems")]
    [InlineData("__EFMigrationsHistory")]
    public void A_missing_table_is_reported(string table)
    {
        using var folder = new TemporaryFolder();
        using (var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs))
            fixture.Connection.Execute($"DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 AS MigrationId");
        Assert.StartsWith(
            $"{folder.Path}/db.sqlite has no table {table}", Releases.Refusal(OldProduct.Nzbdav, folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_newer_schema_is_reported()
    {
        using var nzbdav = new TemporaryFolder();
        using (var fixture = new NzbdavFixture(nzbdav.Path, NzbdavEra.Infinidysk))
            fixture.Connection.Execute("INSERT INTO __EFMigrationsHistory VALUES ('20280101000000_Later', '12')");
        Assert.StartsWith($"{nzbdav.Path}/db.sqlite has the schema 20280101000000_Later, which is newer than 20260916120000",
            Releases.Refusal(OldProduct.Infinidysk, nzbdav.Path), StringComparison.Ordinal);

        using var altmount = new TemporaryFolder();
        _ = new AltmountFixture(altmount.Path, schema: 99);
        Assert.StartsWith($"{altmount.Path}/altmount.db has the schema 99, which is newer than 35",
            Releases.Refusal(OldProduct.Altmount, altmount.Path), StringComparison.Ordinal);

        using var sabnzbd = new TemporaryFolder();
        _ = new SabnzbdFixture(sabnzbd.Path, version: 9);
        Assert.StartsWith($"{sabnzbd.Path}/admin/history1.db has the schema 9, which is newer than 6",
            Releases.Refusal(OldProduct.Sabnzbd, sabnzbd.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_too_deeply_nested_configuration_is_reported()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(Path.Combine(folder.Path, "config.yaml"), "a: " + new string('[', 20_000) + new string(']', 20_000));
        Assert.Contains("is nested more than 40 levels deep", Releases.Refusal(OldProduct.Altmount, folder.Path), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[\"a@b\", \"bad id@b\"]", "its layout names articles with ids that cannot be")]
    [InlineData("[]", "its layout names no articles")]
    [InlineData("{\"not\": \"a list\"}", "its layout cannot be read")]
    [InlineData("[\"a@b\"", "its layout cannot be read")]
    public void An_impossible_layout_is_reported(string json, string said)
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.First);
        fixture.Add("movies", "Film", null, null, Releases.Plain("film.mkv"));
        fixture.Connection.Execute("UPDATE DavNzbFiles SET SegmentIds = @json", new { json });
        Assert.Contains(said, Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)).Refusal, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_blob_does_not_end_the_run()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs);
        fixture.Add("movies", "Film", null, null,
            new FixtureFile("film.mkv", 900, [Releases.Part("l", 2, 1000, 90, 1000)]) { IsPacked = true, IsEncrypted = true });
        var path = fixture.BlobPath(
            Guid.Parse(fixture.Connection.ExecuteScalar<string>("SELECT FileBlobId FROM DavItems WHERE FileBlobId IS NOT NULL")!));
        var whole = File.ReadAllBytes(path);
        for (var length = 0; length < whole.Length; length++)
        {
            File.WriteAllBytes(path, whole[..length]);
            Assert.NotNull(Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)).Refusal);
        }
    }
}
