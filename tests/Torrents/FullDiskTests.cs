using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>A disk that is really full: kept torrents wait for room, readers are served, and the cache frees its space.</summary>
public sealed class FullDiskTests : IDisposable
{
    private const int Size = 3_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-full-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Fetching_a_kept_torrent_ends_with_the_reason_and_completes_once_there_is_room()
    {
        using var disk = SmallDisk.TryMount(2 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        var options = new TorrentOptions
        {
            Memory = 8 << 20,
            Workers = 2,
            CacheFolder = Path.Combine(_folder.FullName, "cache"),
            CacheBytes = 1 << 20,
            KeepFolder = disk.Path
        };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Add();
            Assert.Null(torrent.Keep(true));
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
            Assert.StartsWith(
                "A piece cannot be written to disk: No space left on device", torrent.GetStatus().FetchEnded, StringComparison.Ordinal);

            // A reader still gets all of it, twice: what is not on disk comes from memory and peers.
            await fixture.ReadAsync(torrent, 0, Size);
            await fixture.ReadAsync(torrent, 0, Size);

            disk.Resize(16 << 20);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is { FetchEnded: null } status && status.Have == status.Pieces);
        }

        await AssertKeptAsync(swarm.Torrent, disk.Path);
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }
    }

    [Fact]
    public async Task Claims_that_do_not_fit_are_written_by_the_next_checkpoint_with_room()
    {
        using var disk = SmallDisk.TryMount(1 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        var clock = new ManualTimeProvider();
        var options = new TorrentOptions
        {
            Memory = 8 << 20,
            Workers = 2,
            CacheFolder = disk.Path,
            CacheBytes = 1 << 20,
            KeepFolder = Path.Combine(_folder.FullName, "keep")
        };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        using var meter = new Scripted.MeterRecorder();
        await using var fixture = new SwarmFixture(swarm, options, clock, metrics: meter.Metrics);
        var torrent = fixture.Add();
        Assert.Null(torrent.Keep(true));
        torrent.FetchAll(true);

        // Also those that wait in memory: one that cannot be written ends the fetching.
        await Until.TrueAsync(() => meter["write"].Length == torrent.GetStatus().Pieces);
        var filler = disk.Fill();
        await Until.TrueAsync(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            return meter["write_failures"].Sum() > 0;
        });
        Assert.Empty(Directory.GetFiles(disk.Path, "*.keptresume"));

        File.Delete(filler);
        await Until.TrueAsync(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            return Directory.GetFiles(disk.Path, "*.keptresume").Length == 1;
        });
    }

    [Fact]
    public async Task The_cache_frees_space_even_when_the_disk_has_no_room_for_its_claims()
    {
        using var disk = SmallDisk.TryMount(8 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        var options = new TorrentOptions { Memory = 64 << 20, Workers = 2, CacheFolder = disk.Path, CacheBytes = 64 << 20 };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Add();
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => fixture.Engine.CachedBytes == Size);
            disk.Fill();
            Assert.Equal(0, disk.Free);
            fixture.Engine.Apply(options with { CacheBytes = 1 << 20 });
            await Until.TrueAsync(() => fixture.Engine.CachedBytes <= 1 << 20);
            await Until.TrueAsync(() => disk.Free > 1 << 20);
            await fixture.ReadAsync(torrent, 0, Size);
        }

        // All claimed pieces are on disk and correct.
        await using (var fixture = new SwarmFixture(swarm, options with { CacheBytes = 1 << 20 }))
        {
            var torrent = fixture.Add();
            Assert.InRange(torrent.GetStatus().Have, 1, (1 << 20) / SwarmFixture.PieceLength);
            await fixture.ReadAsync(torrent, 0, Size, ReadIntent.Playback);
        }
    }

    private static async Task AssertKeptAsync(MockTorrent torrent, string folder)
    {
        var expected = new byte[torrent.Content.Length];
        torrent.Content.Fill(0, expected);
        var kept = await File.ReadAllBytesAsync(Path.Combine(folder, torrent.Name, "film.mkv"));
        Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)), Convert.ToHexString(SHA256.HashData(kept)));
    }
}
