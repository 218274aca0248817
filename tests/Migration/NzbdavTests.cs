using Dapper;
using NzbDav.Fakes;
using NzbDav.Migration.Tests.Fixtures;

namespace NzbDav.Migration.Tests;

public sealed class NzbdavTests
{
    [Theory]
    [InlineData(NzbdavEra.First)]
    [InlineData(NzbdavEra.Multipart)]
    [InlineData(NzbdavEra.QueueTexts)]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public void Paths_sizes_and_first_articles_are_read_from_every_version(NzbdavEra era)
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, era);
        var plain = Releases.Plain("sub/lower.mkv");
        var packed = new FixtureFile("packed.mkv", 1500, [Releases.Part("v1", 4, 1000, 100), Releases.Part("v2", 3, 700, 60, 660)])
        { IsPacked = true };
        fixture.Add("movies", "Film", null, null, plain, packed);

        var title = Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path));
        Assert.Equal(("movies", "Film"), (title.Category, title.Name));
        Assert.Equal(2, title.Files.Count);
        var one = title.Files.Single(file => file.Name == "lower.mkv");
        Assert.Equal([plain.IdPath, "content/movies/Film/sub/lower.mkv"], one.Paths);
        Assert.Equal((2000, "sub/lower.mkv.1@example.com"), (one.Size, one.Article));
        Assert.Equal("v1.1@example.com", title.Files.Single(file => file.Name == "packed.mkv").Article);
        Assert.True(title.IsRebuilt);
        Assert.Contains("packed.part002.rar", Releases.Text(title), StringComparison.Ordinal);
    }

    [Fact]
    public void A_partly_migrated_database_is_read_from_rows_and_blobs()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs);
        var (moved, row, lost) =
            (Releases.Plain("moved.mkv"), Releases.Plain("row.mkv") with { KeepsRow = true }, Releases.Plain("lost.mkv"));
        fixture.Add("movies", "Moved", null, null, moved, row);
        fixture.Add("movies", "Lost", null, null, lost);
        var blob = Guid.Parse(fixture.Connection.ExecuteScalar<string>("SELECT FileBlobId FROM DavItems WHERE Name = 'lost.mkv'")!);
        File.Delete(fixture.BlobPath(blob));

        var titles = Releases.Read(OldProduct.Nzbdav, folder.Path);
        Assert.True(titles.Single(title => title.Name == "Moved").IsRebuilt);
        Assert.Equal("Its .nzb was not kept, and of 'lost.mkv' the file that holds its layout is not in blobs/.",
            titles.Single(title => title.Name == "Lost").Refusal);
    }

    [Fact]
    public void Encrypted_and_unfinished_files_need_their_nzb()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Infinidysk);
        var locked = new FixtureFile("locked.mkv", 900, [Releases.Part("l", 2, 1000, 90, 1000)]) { IsPacked = true, IsEncrypted = true };
        var lazy = new FixtureFile("lazy.mkv", 900, [Releases.Part("z", 2, 1000, 90, 1000)]) { IsPacked = true, IsLazy = true };
        fixture.Add("movies", "Locked", null, null, locked);
        fixture.Add("movies", "Lazy", null, null, lazy);
        fixture.Add("movies", "Kept", "<nzb/>"u8.ToArray(), "Kept{{secret}}.nzb", locked with { Id = Guid.NewGuid() });

        var titles = Releases.Read(OldProduct.Infinidysk, folder.Path);
        Assert.Contains("encrypted with a password that the other program did not keep",
            titles.Single(title => title.Name == "Locked").Refusal, StringComparison.Ordinal);
        Assert.Contains(
            "has not examined all volumes of 'lazy.mkv'", titles.Single(title => title.Name == "Lazy").Refusal, StringComparison.Ordinal);
        var kept = titles.Single(title => title.Name == "Kept");
        Assert.Equal(("Kept{{secret}}.nzb", "<nzb/>"), (kept.NzbName, Releases.Text(kept)));
    }

    [Fact]
    public void Items_waiting_for_deletion_are_skipped()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs);
        var gone = fixture.Add("movies", "Gone", null, null, Releases.Plain("gone.mkv"));
        fixture.Add("movies", "History", null, null, Releases.Plain("history.mkv"));
        fixture.Add("movies", "Stays", null, null, Releases.Plain("stays.mkv"));
        var history = Guid.NewGuid().ToString("D").ToUpperInvariant();
        fixture.Connection.Execute("INSERT INTO DavCleanupItems VALUES (@id)", new { id = gone.ToString("D") });
        fixture.Connection.Execute(
            "INSERT INTO HistoryCleanupItems VALUES (@history, 1); UPDATE DavItems SET HistoryItemId = @history WHERE Name = 'history.mkv'",
            new { history });

        Assert.Equal("Stays", Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)).Name);
    }

    [Fact]
    public void A_circular_or_too_deep_tree_terminates()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs);
        var top = fixture.Add("movies", "Deep", null, null, Releases.Plain("top.mkv"));
        fixture.Connection.Execute("UPDATE DavItems SET ParentId = Id WHERE Name = 'nzbs'");
        var above = top.ToString("D").ToUpperInvariant();
        for (var depth = 0; depth < 200; depth++)
        {
            var id = Guid.NewGuid().ToString("D").ToUpperInvariant();
            fixture.Connection.Execute(
                "INSERT INTO DavItems (Id, ParentId, Name, Type, SubType, CreatedAt) VALUES (@id, @above, 'down', 1, 101, '')",
                new { id, above });
            above = id;
        }

        Assert.Equal("top.mkv", Assert.Single(Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)).Files).Name);
    }

    [Fact]
    public void Volumes_shared_by_several_files_are_listed_once_and_in_order()
    {
        using var folder = new TemporaryFolder();
        using var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Multipart);
        var (one, two, three) =
            (Releases.Part("v1", 2, 1000, 100), Releases.Part("v2", 2, 1000, 60, 500), Releases.Part("v3", 2, 1000, 60));
        fixture.Add("tv", "Pack", null, null,
            new FixtureFile("a-second.mkv", 1400, [two with { Start = 560, End = 1000 }, three]) { IsPacked = true },
            new FixtureFile("b-first.mkv", 1340, [one, two]) { IsPacked = true });

        var text = Releases.Text(Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)));
        var places = new[] { "v1.1@", "v2.1@", "v3.1@" }.Select(id => text.IndexOf(id, StringComparison.Ordinal)).ToArray();
        Assert.Equal(places.Order(), places);
        Assert.Equal(3, text.Split("<file ").Length - 1);
    }

    [Fact]
    public void A_database_is_read_including_its_WAL_while_its_program_runs_and_after_a_kill()
    {
        using var folder = new TemporaryFolder();
        using var copied = new TemporaryFolder();
        using (var fixture = new NzbdavFixture(folder.Path, NzbdavEra.Blobs))
        {
            fixture.Connection.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
            fixture.Add("movies", "In the log", null, null, Releases.Plain("film.mkv"));
            Assert.True(new FileInfo(fixture.Database + "-wal").Length > 0);
            Assert.Equal("In the log", Assert.Single(Releases.Read(OldProduct.Nzbdav, folder.Path)).Name);

            // The files of a killed program, without the shared index.
            foreach (var file in (string[])["db.sqlite", "db.sqlite-wal"])
                File.Copy(Path.Combine(folder.Path, file), Path.Combine(copied.Path, file));
        }

        var before = Directory.GetFiles(copied.Path).ToDictionary(path => path, File.ReadAllBytes);
        Assert.Equal("In the log", Assert.Single(Releases.Read(OldProduct.Nzbdav, copied.Path)).Name);
        Assert.Equal(before, Directory.GetFiles(copied.Path).ToDictionary(path => path, File.ReadAllBytes));
    }
}
