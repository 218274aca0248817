using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>Kept files that are not where they were: nothing that may still exist is given up or fetched again.</summary>
public sealed class MissingTests : IDisposable
{
    private readonly KeptFixture _kept = new();

    private string Keep => _kept.Keep;

    private string Film => Path.Combine(Keep, "Job", "a", "film.mkv");

    private TorrentOptions Options => _kept.Options;

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task A_missing_file_is_not_fetched_again_and_is_held_again_once_it_is_back()
    {
        await using var swarm = await FetchedAsync();
        File.Move(Film, Film + ".away");
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.Equal("'Job/a/film.mkv' is not there.", torrent.Missing);
            Assert.InRange(torrent.GetStatus().Have, 1, torrent.GetStatus().Pieces - 1);
            torrent.FetchAll(true);
            Assert.Equal(torrent.Missing, torrent.GetStatus().FetchEnded);
            Assert.Equal(torrent.Missing, torrent.RecheckMissingFiles());

            // The other files can be read, and so can the missing one: its pieces come from the swarm, and go to the cache.
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Assert.False(File.Exists(Film));
            Assert.InRange(torrent.GetStatus().Bytes.Payload, 1, 3_100_000);
        }

        File.Move(Film + ".away", Film);
        await AssertHeldAsync(swarm);
    }

    [Fact]
    public async Task A_file_that_goes_missing_while_its_torrent_is_open_stops_the_fetch_and_stays_claimed()
    {
        await using var swarm = await FetchedAsync();
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.Null(torrent.Missing);
            File.Move(Film, Film + ".away");
            await fixture.ReadAsync(torrent, 0, 1_000_000);
            Assert.Equal("'Job/a/film.mkv' is not there.", torrent.Missing);
            torrent.FetchAll(true);
            Assert.Equal(torrent.Missing, torrent.GetStatus().FetchEnded);
            Assert.False(File.Exists(Film));

            File.Move(Film + ".away", Film);
            Assert.Null(torrent.RecheckMissingFiles());
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
            await Until.TrueAsync(() => !torrent.IsMoving);
            Assert.InRange(torrent.GetStatus().Bytes.Payload, 1, 2_500_000);
        }

        await AssertHeldAsync(swarm);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Nothing_is_written_to_a_mount_point_without_its_disk(bool isThere)
    {
        await using var swarm = await FetchedAsync();
        await using var other = new Swarm(KeptFixture.Several(seed: 12), SwarmFixture.Seeders(1));
        Directory.Move(Keep, Keep + ".away");
        if (isThere)
            Directory.CreateDirectory(Keep);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            var expected = $"'{Keep}' has no file '{KeptRoots.IdFile}', so its disk seems not to be mounted.";
            Assert.StartsWith(expected, torrent.Missing, StringComparison.Ordinal);
            Assert.Equal(0, torrent.GetStatus().Have);
            torrent.FetchAll(true);

            // Not even a recheck gives up what may be on the disk.
            await torrent.RecheckAsync(progress: null, default);
            Assert.NotNull(torrent.Missing);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            var another = fixture.Engine.Add(Metainfo.Read(other.Torrent.TorrentFile()).Value!);
            another.AddPeers(other.Endpoints);
            var refused = another.Keep(true);
            Assert.Equal((torrent.Missing, torrent.Missing), (refused, another.Missing));
            another.FetchAll(true);
            Assert.Equal(0, another.GetStatus().Have);
        }

        Assert.Equal(isThere, Directory.Exists(Keep));
        if (isThere)
        {
            Assert.Empty(Directory.GetFileSystemEntries(Keep));
            Directory.Delete(Keep);
        }

        Directory.Move(Keep + ".away", Keep);
        await AssertHeldAsync(swarm);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_empty_folder_counts_as_a_mount_point_even_if_its_id_was_never_recorded(bool isThere)
    {
        await using var swarm = await FetchedAsync();
        File.Delete(Path.Combine(_kept.Cache, "kept.folders"));
        Directory.Move(Keep, Keep + ".away");
        if (isThere)
            Directory.CreateDirectory(Keep);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            await torrent.RecheckAsync(progress: null, default);
            Assert.Equal($"'{Keep}' is empty or not there: its disk may not be mounted.", torrent.Missing);
            torrent.FetchAll(true);
            Assert.Equal(0, torrent.GetStatus().Have);
        }

        Assert.Equal(isThere, Directory.Exists(Keep));
        if (isThere)
            Directory.Delete(Keep);
        Directory.Move(Keep + ".away", Keep);
        await AssertHeldAsync(swarm);
    }

    [Fact]
    public async Task A_disk_that_goes_away_while_a_torrent_is_fetched_gets_nothing_in_its_place()
    {
        await using var swarm = await FetchedAsync();
        await using var other = new Swarm(KeptFixture.Several(seed: 12), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(other, Options);
        var torrent = fixture.Engine.Add(Metainfo.Read(other.Torrent.TorrentFile()).Value!);
        Assert.Null(torrent.Keep(true));
        Directory.Move(Keep, Keep + ".away");
        Directory.CreateDirectory(Keep);
        torrent.AddPeers(other.Endpoints);
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.Missing is not null);
        Assert.Empty(Directory.GetFileSystemEntries(Keep));

        Directory.Delete(Keep);
        Directory.Move(Keep + ".away", Keep);
        Assert.Null(torrent.RecheckMissingFiles());
        torrent.FetchAll(true);
        await Until.TrueAsync(() => IsWhole(torrent) && fixture.Engine.CachedBytes == 0);
        await _kept.AssertFilesAsync(other.Torrent, Path.GetFileName(torrent.KeptFolder!));
    }

    [Fact]
    public async Task A_file_that_cannot_be_reached_is_not_given_up_by_a_recheck_and_one_that_is_lost_is()
    {
        if (OperatingSystem.IsWindows())
            return;
        await using var swarm = await FetchedAsync();
        File.Move(Film, Film + ".away");
        File.CreateSymbolicLink(Film, Film + ".away");
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            await torrent.RecheckAsync(progress: null, default);
            Assert.StartsWith("'Job/a/film.mkv': ", torrent.Missing, StringComparison.Ordinal);
            torrent.FetchAll(true);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }

        File.Delete(Film);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.Equal("'Job/a/film.mkv' is not there.", torrent.Missing);
            await torrent.RecheckAsync(progress: null, default);
            Assert.Null(torrent.Missing);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => IsWhole(torrent) && fixture.Engine.CachedBytes == 0);
            Assert.InRange(torrent.GetStatus().Bytes.Payload, 3_000_001, 3_200_000);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
        await AssertHeldAsync(swarm);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_kept_folder_that_the_user_moves_is_found_in_the_folder_that_is_set(bool withId)
    {
        await using var swarm = await FetchedAsync();
        var there = Path.Combine(_kept.Root, "there");
        Directory.Move(Keep, there);
        if (!withId)
            File.Delete(Path.Combine(there, KeptRoots.IdFile));
        await using (var fixture = new SwarmFixture(swarm, Options with { KeepFolder = there }))
        {
            var torrent = fixture.Add();
            Assert.Equal((null, Path.Combine(there, "Job")), (torrent.Missing, torrent.KeptFolder));
            Assert.Equal(torrent.GetStatus().Pieces, torrent.GetStatus().Have);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }

        Assert.False(Directory.Exists(Keep));
        await AssertHeldAsync(swarm, Options with { KeepFolder = there });
    }

    [Fact]
    public async Task Without_its_id_a_folder_with_the_files_is_trusted_and_gets_it_again()
    {
        await using var swarm = await FetchedAsync();
        var id = Path.Combine(Keep, KeptRoots.IdFile);
        var before = await File.ReadAllTextAsync(id);
        File.Delete(id);
        await AssertHeldAsync(swarm);
        Assert.Equal(before, await File.ReadAllTextAsync(id));
    }

    [Fact]
    public async Task Files_on_a_read_only_disk_are_served()
    {
        using var disk = SmallDisk.TryMount(16 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var swarm = await FetchedAsync(Options with { KeepFolder = disk.Path });
        disk.SetReadOnly(true);
        await AssertHeldAsync(swarm, Options with { KeepFolder = disk.Path });
        disk.SetReadOnly(false);
    }

    [Fact]
    public async Task Kept_data_without_claims_is_hashed_and_not_fetched()
    {
        await using var swarm = await FetchedAsync();
        File.Delete(Directory.GetFiles(_kept.Cache, "*.keptresume").Single());
        await using var fixture = new SwarmFixture(swarm, Options);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        await Until.TrueAsync(() => !torrent.IsChecking && torrent.GetStatus() is var status && status.Have == status.Pieces);
        Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
    }

    [Fact]
    public async Task A_record_that_cannot_be_read_is_not_replaced()
    {
        await using var swarm = await FetchedAsync();
        var record = Directory.GetFiles(_kept.Cache, "*.kept").Single();
        File.Move(record, record + ".away");
        Directory.CreateDirectory(record);
        await using (var fixture = new SwarmFixture(swarm, Options))
            Assert.ThrowsAny<Exception>(fixture.Add);
        Directory.Delete(record);
        File.Move(record + ".away", record);
        await AssertHeldAsync(swarm);
    }

    private static bool IsWhole(Torrent torrent) =>
        torrent.GetStatus() is var status && status.Have == status.Pieces && torrent.CountUnwritten() == 0;

    private async Task<Swarm> FetchedAsync(TorrentOptions? options = null)
    {
        var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, options ?? Options);
        await KeptFixture.FetchAsync(fixture);
        return swarm;
    }

    /// <summary>All of it is there, without a hash or a peer.</summary>
    private async Task AssertHeldAsync(Swarm swarm, TorrentOptions? options = null)
    {
        await using var fixture = new SwarmFixture(swarm, options ?? Options);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        Assert.Null(torrent.Missing);
        Assert.Equal(torrent.GetStatus().Pieces, torrent.GetStatus().Have);
        await KeptFixture.ReadAllAsync(fixture, torrent);
        Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
    }
}
