using System.Security.Cryptography;
using NzbDav.Fakes;
using NzbDav.MockSwarm;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>Torrents that are kept whole, each in a folder of its own.</summary>
public sealed class KeptTests : IDisposable
{
    private static readonly SwarmFile[] Files =
    [
        new("a/film.mkv", 3_000_001),
        new("a/b/extra.mkv", 70_000),
        new(".pad/1", 1_000, IsPadding: true),
        new("empty.txt", 0),
        new("tail.nfo", 123_457),
    ];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-kept-");

    private string Keep => Path.Combine(_folder.FullName, "keep");

    private string Cache => Path.Combine(_folder.FullName, "cache");

    private TorrentOptions Options => new() { Memory = 8 << 20, Workers = 2, CacheFolder = Cache, CacheBytes = 1 << 20, KeepFolder = Keep };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task All_files_are_on_disk_under_their_names_outside_the_bound_of_the_cache()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(2));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = await FetchAsync(fixture);
            Assert.Equal(Path.Combine(Keep, "Job"), torrent.KeptFolder);
            Assert.Null(torrent.GetStatus().FetchEnded);
            Assert.Equal(0, fixture.Engine.CachedBytes);
            await ReadAllAsync(fixture, torrent);
        }

        await AssertFilesAsync(swarm.Torrent, "Job");
        Assert.False(Path.Exists(Path.Combine(Keep, "Job", ".pad")));
    }

    [Fact]
    public async Task What_is_kept_serves_after_a_restart_without_a_byte_from_peers_and_without_a_hash()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await FetchAsync(fixture);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.True(torrent.IsKept);
            await ReadAllAsync(fixture, torrent);
            Assert.Equal((0, 0), (torrent.GetStatus().Bytes.Payload, torrent.GetStatus().Bytes.Failed));
        }
    }

    [Fact]
    public async Task What_a_killed_process_had_claimed_is_true()
    {
        var clock = new ManualTimeProvider();
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        var crashed = Path.Combine(_folder.FullName, "crashed");
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
                return File.Exists(Path.Combine(Cache, info.Hash + ".keptresume"));
            });
            Copy(_folder.FullName, crashed);
        }

        foreach (var record in Directory.GetFiles(Path.Combine(crashed, "cache"), "*.kept"))
            await File.WriteAllTextAsync(record, (await File.ReadAllTextAsync(record)).Replace(Keep, Path.Combine(crashed, "keep"), StringComparison.Ordinal));
        await using (var fixture = new SwarmFixture(swarm, Options with { CacheFolder = Path.Combine(crashed, "cache"), KeepFolder = Path.Combine(crashed, "keep") }))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            var claimed = torrent.GetStatus().Have;
            Assert.InRange(claimed, 1, torrent.GetStatus().Pieces);
            await torrent.RecheckAsync(progress: null, default);
            await Until.TrueAsync(() => torrent.GetStatus().Have >= claimed);
            torrent.AddPeers(swarm.Endpoints);
            torrent.FetchAll(true);
            await ReadAllAsync(fixture, torrent);
        }
    }

    [Fact]
    public async Task A_recheck_finds_what_is_damaged_and_what_nobody_claimed()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await FetchAsync(fixture);
        var film = Path.Combine(Keep, "Job", "a", "film.mkv");
        await using (var file = File.OpenWrite(film))
        {
            file.Position = SwarmFixture.PieceLength + 5;
            file.Write([1, 2, 3]);
        }

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

        await AssertFilesAsync(swarm.Torrent, "Job");

        // Without claims all is found by its hash alone.
        File.Delete(Directory.GetFiles(Cache, "*.keptresume").Single());
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.Equal(0, torrent.GetStatus().Have);
            await torrent.RecheckAsync(progress: null, default);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
            await ReadAllAsync(fixture, torrent);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_live_torrent_is_kept_with_what_the_cache_has_and_goes_back_into_it(bool hasOneFile)
    {
        await using var swarm = new Swarm(hasOneFile ? SwarmFixture.OneFile(3_000_000) : Several(), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options with { CacheBytes = 16 << 20 });
        var torrent = fixture.Add();
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
        await Until.TrueAsync(() => fixture.Engine.CachedBytes >= swarm.Torrent.Content.Length);
        await using var seeder = swarm.Seeders[0];

        Assert.Null(torrent.Keep(true));
        await ReadAllAsync(fixture, torrent);
        await Until.TrueAsync(() => !torrent.IsMoving && fixture.Engine.CachedBytes == 0);
        await ReadAllAsync(fixture, torrent);
        await AssertFilesAsync(swarm.Torrent, swarm.Torrent.Name);

        Assert.Null(torrent.Keep(false));
        await Until.TrueAsync(() => !torrent.IsMoving && torrent.KeptFolder is null);
        await ReadAllAsync(fixture, torrent);
        Assert.Empty(Directory.GetFileSystemEntries(Keep));
        Assert.Equal(swarm.Torrent.Content.Length, fixture.Engine.CachedBytes);
        Assert.InRange(torrent.GetStatus().Bytes.Payload, swarm.Torrent.Content.Length, swarm.Torrent.Content.Length + SwarmFixture.PieceLength);
    }

    [Fact]
    public async Task A_disk_that_takes_no_more_stops_the_fetch_with_the_reason_and_it_goes_on_when_asked()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
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
            await ReadAllAsync(fixture, torrent);

            File.Delete(Path.Combine(Keep, "Job"));
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is { FetchEnded: null } status && status.Have == status.Pieces);
        }

        await AssertFilesAsync(swarm.Torrent, "Job");
    }

    [Fact]
    public async Task Removal_takes_the_torrents_own_files_and_nothing_else()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await FetchAsync(fixture);
        var strange = Path.Combine(Keep, "Job", "a", "mine.txt");
        await File.WriteAllTextAsync(strange, "mine");
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var hash = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info.Hash;
            Assert.Equal([hash], fixture.Engine.ListKept());
            await fixture.Engine.RemoveAsync(hash);
            Assert.Empty(fixture.Engine.ListKept());
        }

        Assert.Equal([strange], Directory.GetFiles(Keep, "*", SearchOption.AllDirectories));
        Assert.Empty(Directory.GetFiles(Cache, "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task A_folder_that_is_there_already_is_left_alone()
    {
        Directory.CreateDirectory(Path.Combine(Keep, "Job", "a"));
        var strange = Path.Combine(Keep, "Job", "a", "film.mkv");
        await File.WriteAllTextAsync(strange, "somebody else's");
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = await FetchAsync(fixture);
            Assert.Equal(torrent.Hash.ToString()[..8] + " Job", Path.GetFileName(torrent.KeptFolder));
        }

        Assert.Equal("somebody else's", await File.ReadAllTextAsync(strange));
    }

    [Theory]
    [InlineData("Job")]
    [InlineData("Job/a")]
    [InlineData("Job/a/film.mkv")]
    public async Task A_link_in_the_way_is_not_followed(string link)
    {
        if (OperatingSystem.IsWindows())
            return;
        var victim = Path.Combine(_folder.FullName, "victim");
        Directory.CreateDirectory(Path.Combine(victim, "b"));
        await File.WriteAllTextAsync(Path.Combine(victim, "film.mkv"), "precious");
        var target = link.EndsWith(".mkv", StringComparison.Ordinal) ? Path.Combine(victim, "film.mkv") : victim;
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
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
    public async Task Files_that_are_gone_are_told_and_not_claimed()
    {
        await using var swarm = new Swarm(Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await FetchAsync(fixture);
        File.Delete(Path.Combine(Keep, "Job", "tail.nfo"));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.True(torrent.WasMissing);
            Assert.InRange(torrent.GetStatus().Have, 1, torrent.GetStatus().Pieces - 1);
            await ReadAllAsync(fixture, torrent);
        }
    }

    [Fact]
    public async Task Files_that_are_skipped_are_not_fetched_and_edges_come_first()
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

    private static MockTorrent Several() => new("Job", SwarmContent.Make(11, SwarmFixture.PieceLength, Files));

    private static async Task<Torrent> FetchAsync(SwarmFixture fixture)
    {
        var torrent = fixture.Add();
        Assert.Null(torrent.Keep(true));
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
        return torrent;
    }

    private static async Task ReadAllAsync(SwarmFixture fixture, Torrent torrent)
    {
        var info = await torrent.DescribeAsync(default);
        foreach (var file in info.Files.Where(file => file.Length > 0))
        {
            var bytes = new byte[file.Length];
            var at = 0;
            await using var reader = torrent.Open(file).OpenReader(0, file.Length, Content.ReadIntent.Playback);
            while (at < bytes.Length)
            {
                using var lease = await reader.NextAsync(default);
                lease.Memory.Span.CopyTo(bytes.AsSpan(at));
                at += lease.Length;
            }

            Assert.Equal(Hash(fixture.Swarm.Torrent, file.Offset, file.Length), Convert.ToHexString(SHA256.HashData(bytes)));
        }
    }

    private async Task AssertFilesAsync(MockTorrent torrent, string folder)
    {
        var offset = 0L;
        foreach (var file in torrent.Content.Files)
        {
            if (!file.IsPadding)
                Assert.Equal(Hash(torrent, offset, file.Length), Convert.ToHexString(SHA256.HashData(await File.ReadAllBytesAsync(Path.Combine(Keep, folder, file.Path)))));
            offset += file.Length;
        }
    }

    private static string Hash(MockTorrent torrent, long offset, long length)
    {
        var bytes = new byte[length];
        torrent.Content.Fill(offset, bytes);
        return Convert.ToHexString(SHA256.HashData(bytes));
    }

    private static void Copy(string from, string to)
    {
        foreach (var file in Directory.GetFiles(from, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
