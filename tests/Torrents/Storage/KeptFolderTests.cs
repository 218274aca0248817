using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>What else may be in the folder where torrents are kept, and what may be missing there.</summary>
public sealed class KeptFolderTests : IDisposable
{
    private readonly KeptFixture _kept = new();

    private string Keep => _kept.Keep;

    private TorrentOptions Options => _kept.Options;

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task A_full_disk_stops_the_fetch_with_the_reason_and_it_resumes_when_asked()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();

            // A file where a folder of the torrent should be.
            Directory.CreateDirectory(Path.Combine(Keep, "Job"));
            Directory.Delete(Path.Combine(Keep, "Job"));
            Assert.Null(torrent.Keep(true));
            await File.WriteAllTextAsync(Path.Combine(Keep, "Job"), "in the way");
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
            Assert.StartsWith("A piece cannot be written to disk: ", torrent.GetStatus().FetchEnded, StringComparison.Ordinal);
            await KeptFixture.ReadAllAsync(fixture, torrent);

            File.Delete(Path.Combine(Keep, "Job"));
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is { FetchEnded: null } status && status.Have == status.Pieces);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
    }

    [Fact]
    public async Task Removal_deletes_only_the_torrents_own_files()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        var strange = Path.Combine(Keep, "Job", "a", "mine.txt");
        await File.WriteAllTextAsync(strange, "mine");
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var hash = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info.Hash;
            Assert.Equal([hash], fixture.Engine.ListKept());
            await fixture.Engine.RemoveAsync(hash);
            Assert.Empty(fixture.Engine.ListKept());
        }

        Assert.Equal([strange], KeptFixture.FilesIn(Keep));
        Assert.Equal(["kept.folders"], Directory.GetFiles(_kept.Cache, "*", SearchOption.AllDirectories).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_torrent_that_is_removed_while_its_disk_is_away_can_be_removed_when_it_is_back(bool isEmpty)
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        Directory.Move(Keep, Keep + ".away");
        if (isEmpty)
            Directory.CreateDirectory(Keep);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var hash = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info.Hash;
            var error = await Assert.ThrowsAsync<IOException>(() => fixture.Engine.RemoveAsync(hash));
            Assert.Contains(Keep, error.Message, StringComparison.Ordinal);
            Assert.Equal([hash], fixture.Engine.ListKept());
            if (isEmpty)
                Directory.Delete(Keep);
            Directory.Move(Keep + ".away", Keep);
            await fixture.Engine.RemoveAsync(hash);
            Assert.Empty(fixture.Engine.ListKept());
        }

        Assert.Equal([KeptRoots.IdFile], Directory.GetFileSystemEntries(Keep).Select(Path.GetFileName));
        Assert.Equal(["kept.folders"], Directory.GetFiles(_kept.Cache, "*", SearchOption.AllDirectories).Select(Path.GetFileName));
    }

    [Fact]
    public async Task A_torrent_on_a_disk_that_is_read_only_can_be_removed_when_it_no_longer_is()
    {
        using var disk = SmallDisk.TryMount(16 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        var options = Options with { KeepFolder = disk.Path };
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
            await KeptFixture.FetchAsync(fixture);
        disk.SetReadOnly(true);
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var hash = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info.Hash;
            await Assert.ThrowsAsync<IOException>(() => fixture.Engine.RemoveAsync(hash));
            Assert.Equal([hash], fixture.Engine.ListKept());
            disk.SetReadOnly(false);
            await fixture.Engine.RemoveAsync(hash);
            Assert.Empty(fixture.Engine.ListKept());
        }

        Assert.Equal([KeptRoots.IdFile], Directory.GetFileSystemEntries(disk.Path).Select(Path.GetFileName));
    }

    [Fact]
    public async Task An_existing_folder_is_left_alone()
    {
        Directory.CreateDirectory(Path.Combine(Keep, "Job", "a"));
        var strange = Path.Combine(Keep, "Job", "a", "film.mkv");
        await File.WriteAllTextAsync(strange, "somebody else's");
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = await KeptFixture.FetchAsync(fixture);
            Assert.Equal(torrent.Hash.ToString()[..8] + " Job", Path.GetFileName(torrent.KeptFolder));
        }

        Assert.Equal("somebody else's", await File.ReadAllTextAsync(strange));
    }

    [Fact]
    public async Task Torrents_of_the_same_name_have_a_folder_each_even_if_the_first_has_no_data_yet()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using var other = new Swarm(KeptFixture.Several(seed: 12), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options);
        var waiting = fixture.Engine.Add(Metainfo.Read(other.Torrent.TorrentFile()).Value!);
        Assert.Null(waiting.Keep(true));
        var torrent = await KeptFixture.FetchAsync(fixture);
        Assert.Equal("Job", Path.GetFileName(waiting.KeptFolder));
        Assert.Equal(torrent.Hash.ToString()[..8] + " Job", Path.GetFileName(torrent.KeptFolder));

        waiting.AddPeers(other.Endpoints);
        waiting.FetchAll(true);
        await Until.TrueAsync(() => waiting.GetStatus() is var status && status.Have == status.Pieces);
        await Until.TrueAsync(() => waiting.CountUnwritten() == 0 && torrent.CountUnwritten() == 0);
        await _kept.AssertFilesAsync(other.Torrent, "Job");
        await _kept.AssertFilesAsync(swarm.Torrent, Path.GetFileName(torrent.KeptFolder)!);

        await fixture.Engine.RemoveAsync(waiting.Hash);
        await _kept.AssertFilesAsync(swarm.Torrent, Path.GetFileName(torrent.KeptFolder)!);
        Assert.False(Path.Exists(Path.Combine(Keep, "Job")));
    }

    [Theory]
    [InlineData("Job")]
    [InlineData("Job/a")]
    [InlineData("Job/a/film.mkv")]
    public async Task A_link_in_the_way_is_not_followed(string link)
    {
        if (OperatingSystem.IsWindows())
            return;
        var victim = Path.Combine(_kept.Root, "victim");
        Directory.CreateDirectory(Path.Combine(victim, "b"));
        await File.WriteAllTextAsync(Path.Combine(victim, "film.mkv"), "precious");
        var target = link.EndsWith(".mkv", StringComparison.Ordinal) ? Path.Combine(victim, "film.mkv") : victim;
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Directory.CreateDirectory(Keep);
            Assert.Null(torrent.Keep(true));
            var place = Path.Combine(Keep, link);
            Directory.CreateDirectory(Path.GetDirectoryName(place)!);
            File.CreateSymbolicLink(place, target);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
            await fixture.Engine.RemoveAsync(torrent.Hash);
        }

        Assert.Equal("precious", await File.ReadAllTextAsync(Path.Combine(victim, "film.mkv")));
        Assert.Equal(2, Directory.GetFileSystemEntries(victim).Length);
    }

    [Fact]
    public async Task Missing_files_are_reported_and_not_claimed()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        File.Delete(Path.Combine(Keep, "Job", "tail.nfo"));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.Equal("'Job/tail.nfo' is not there.", torrent.Missing);
            Assert.InRange(torrent.GetStatus().Have, 1, torrent.GetStatus().Pieces - 1);
            await KeptFixture.ReadAllAsync(fixture, torrent);
        }
    }
}
