using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>Torrents that are kept whole, each in a folder of its own.</summary>
public sealed class KeptTests : IDisposable
{
    private readonly KeptFixture _kept = new();

    private string Keep => _kept.Keep;

    private TorrentOptions Options => _kept.Options;

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task All_files_of_a_kept_torrent_are_on_disk_under_their_names_and_outside_the_cache_limit()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(2));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = await KeptFixture.FetchAsync(fixture);
            Assert.Equal(Path.Combine(Keep, "Job"), torrent.KeptFolder);
            Assert.Null(torrent.GetStatus().FetchEnded);
            Assert.Equal(0, fixture.Engine.CachedBytes);
            await KeptFixture.ReadAllAsync(fixture, torrent);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
        Assert.False(Path.Exists(Path.Combine(Keep, "Job", ".pad")));
    }

    [Fact]
    public async Task A_kept_torrent_is_served_after_a_restart_without_peers_and_without_hashing()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.True(torrent.IsKept);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Assert.Equal((0, 0), (torrent.GetStatus().Bytes.Payload, torrent.GetStatus().Bytes.Failed));
        }
    }

    [Fact]
    public async Task Claims_of_a_killed_process_are_true()
    {
        var clock = new ManualTimeProvider();
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        var crashed = Path.Combine(_kept.Root, "crashed");
        await using (var fixture = new SwarmFixture(swarm, Options, clock))
        {
            var torrent = fixture.Add();
            Assert.Null(torrent.Keep(true));
            var info = await torrent.DescribeAsync(default);
            await torrent.Open(info.Files[0]).OpenReader(0, 1_000_000, Content.ReadIntent.Playback).DisposeAsync();
            await using (var reader = torrent.Open(info.Files[0]).OpenReader(0, 1_000_000, Content.ReadIntent.Playback))
                await fixture.CompareAsync(reader, 0, 1_000_000);

            // Claims are written by the clock; the files are copied as a kill would leave them.
            await Until.TrueAsync(() =>
            {
                clock.Advance(TimeSpan.FromSeconds(10));
                return File.Exists(Path.Combine(_kept.Cache, info.Hash + ".keptresume"));
            });
            Copy(_kept.Root, crashed);
        }

        foreach (var record in Directory.GetFiles(Path.Combine(crashed, "cache"), "*.kept"))
            await File.WriteAllTextAsync(
                record, (await File.ReadAllTextAsync(record)).Replace(Keep, Path.Combine(crashed, "keep"), StringComparison.Ordinal));
        await using (var fixture = new SwarmFixture(
            swarm, Options with { CacheFolder = Path.Combine(crashed, "cache"), KeepFolder = Path.Combine(crashed, "keep") }))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            var claimed = torrent.GetStatus().Have;
            Assert.InRange(claimed, 1, torrent.GetStatus().Pieces);
            await torrent.RecheckAsync(progress: null, default);
            await Until.TrueAsync(() => torrent.GetStatus().Have >= claimed);
            torrent.AddPeers(swarm.Endpoints);
            torrent.FetchAll(true);
            await KeptFixture.ReadAllAsync(fixture, torrent);
        }
    }

    [Fact]
    public async Task A_recheck_finds_damaged_and_unclaimed_pieces()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        var film = Path.Combine(Keep, "Job", "a", "film.mkv");
        var time = File.GetLastWriteTimeUtc(film);
        await using (var file = File.OpenWrite(film))
        {
            file.Position = SwarmFixture.PieceLength + 5;
            file.Write([1, 2, 3]);
        }

        File.SetLastWriteTimeUtc(film, time);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            var pieces = torrent.GetStatus().Pieces;
            Assert.Equal(pieces, torrent.GetStatus().Have);
            var looked = 0;
            await torrent.RecheckAsync(count => looked = count, default);
            await Until.TrueAsync(() => torrent.GetStatus().Have == pieces - 1);
            Assert.Equal(pieces, looked);
            torrent.AddPeers(swarm.Endpoints);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus().Have == pieces);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");

        // Without claims all is found by its hash alone.
        File.Delete(Directory.GetFiles(_kept.Cache, "*.keptresume").Single());
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await torrent.RecheckAsync(progress: null, default);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_live_torrent_moves_from_the_cache_to_the_kept_folder_and_back(bool hasOneFile)
    {
        await using var swarm = new Swarm(hasOneFile ? SwarmFixture.OneFile(3_000_000) : KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options with { CacheBytes = 16 << 20 });
        var torrent = fixture.Add();
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
        await Until.TrueAsync(() => fixture.Engine.CachedBytes >= swarm.Torrent.Content.Length);
        await using var seeder = swarm.Seeders[0];

        Assert.Null(torrent.Keep(true));
        await KeptFixture.ReadAllAsync(fixture, torrent);
        await Until.TrueAsync(() => !torrent.IsMoving && fixture.Engine.CachedBytes == 0);
        await KeptFixture.ReadAllAsync(fixture, torrent);
        await _kept.AssertFilesAsync(swarm.Torrent, swarm.Torrent.Name);

        Assert.Null(torrent.Keep(false));
        await Until.TrueAsync(() => !torrent.IsMoving && torrent.KeptFolder is null);
        await KeptFixture.ReadAllAsync(fixture, torrent);
        Assert.Empty(KeptFixture.FilesIn(Keep));
        Assert.Equal(swarm.Torrent.Content.Length, fixture.Engine.CachedBytes);
        Assert.InRange(
            torrent.GetStatus().Bytes.Payload, swarm.Torrent.Content.Length, swarm.Torrent.Content.Length + SwarmFixture.PieceLength);
    }

    [Fact]
    public async Task Skipped_files_are_not_fetched_and_file_edges_come_first()
    {
        var asked = new List<int>();
        var seeder = new SeederOptions
        {
            Act = request =>
            {
                lock (asked)
                    asked.Add(request.Piece);
                return BlockAction.Serve;
            },
        };
        const int Big = 12 << 20;
        var content = SwarmContent.Make(3, SwarmFixture.PieceLength, [new("one.mkv", Big), new("two.mkv", Big)]);
        await using var fixture = new SwarmFixture(new MockTorrent("Job", content), [seeder], Options with { Memory = 64 << 20 });
        var torrent = fixture.Engine.Add(Metainfo.Read(fixture.Swarm.Torrent.TorrentFile()).Value!);
        Assert.Null(torrent.Keep(true));
        torrent.Select(new FetchOrder { Files = [1, 0], EdgesFirst = true });
        torrent.FetchAll(true);
        torrent.AddPeers(fixture.Swarm.Endpoints);
        var wanted = Big / SwarmFixture.PieceLength;
        await Until.TrueAsync(() => torrent.GetStatus().Have == wanted);
        Assert.True(torrent.Holds((await torrent.DescribeAsync(default)).Files[0], 0, Big));
        Assert.False(torrent.Holds((await torrent.DescribeAsync(default)).Files[1], 0, 1));
        int[] order;
        lock (asked)
            order = [.. asked.Distinct()];
        var edge = FetchOrder.EdgeBytes / SwarmFixture.PieceLength;
        Assert.True(order.Take(2 * edge).All(piece => piece < edge || piece >= wanted - edge), string.Join(' ', order));
        Assert.True(order.All(piece => piece < wanted));
        await fixture.Swarm.DisposeAsync();
    }

    private static void Copy(string from, string to)
    {
        foreach (var file in Directory.GetFiles(from, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            try
            {
                File.Copy(file, target);
            }
            catch (FileNotFoundException)
            {
                // Renamed or removed since it was listed: a kill before or after that is one that can happen too.
            }
        }
    }
}
