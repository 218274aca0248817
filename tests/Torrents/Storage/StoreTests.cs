using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>What is kept, in bounded memory and on bounded disk, and over restarts.</summary>
public sealed class StoreTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_torrent_larger_than_memory_is_streamed_and_read_again_from_disk()
    {
        const long Size = 40_000_000;
        var options = new TorrentOptions { Memory = 8 << 20, CacheFolder = _folder.FullName, CacheBytes = 1L << 30 };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), options);
        var torrent = fixture.Add();

        // All of it is kept, however slow the disk.
        torrent.FetchAll(all: true);
        await fixture.ReadAsync(torrent, 0, Size);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.InRange(torrent.GetStatus().Bytes.Payload, Size, Size * 11 / 10);
    }

    [Fact]
    public async Task The_disk_cache_stays_within_its_limit_and_evicted_pieces_are_fetched_again()
    {
        const long Size = 30_000_000;
        var options = new TorrentOptions { Memory = 8 << 20, CacheFolder = _folder.FullName, CacheBytes = 10 << 20 };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), options);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.InRange(fixture.Engine.CachedBytes, 1, 10 << 20);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.InRange(fixture.Engine.CachedBytes, 1, 10 << 20);
        Assert.True(torrent.GetStatus().Bytes.Payload > Size * 3 / 2);
    }

    [Fact]
    public async Task Without_a_disk_only_memory_is_used()
    {
        const long Size = 30_000_000;
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), new TorrentOptions { Memory = 8 << 20 });
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.True(fixture.Pool.Budget.Reserved <= 10 << 20, $"{fixture.Pool.Budget.Reserved} bytes");
    }

    [Fact]
    public void Pieces_evicted_right_after_a_torrent_was_opened_are_not_listed_as_held()
    {
        const int Length = 64 << 10;
        var info = Metainfo.Read(SwarmFixture.OneFile(8 * Length, Length).TorrentFile()).Value!.Info;
        var path = Path.Combine(_folder.FullName, info.Hash.ToString());
        File.WriteAllBytes(path + RestingPieces.Data, new byte[8 * Length]);
        var claims = new BitField(info.PieceCount);
        claims.SetAll();
        ResumeFile.Save(path + RestingPieces.Resume, info, claims);
        using var store = new PieceStore(
            new BufferBudget(8 << 20), _folder.FullName, 8 * Length, new ManualTimeProvider(), new TorrentMetrics(meters: null),
            hasHoles: static _ => true);
        using var pieces = store.Open(info, new Deaf());
        Assert.True(pieces.ListHeld().IsFull);
        store.DiskLimit = 4 * Length;
        store.Drain();
        Assert.InRange(pieces.ListHeld().Count, 1, 4);
        Assert.Equal(store.DiskBytes, (long)pieces.ListHeld().Count * Length);
    }

    [Fact]
    public async Task Cached_pieces_survive_a_restart()
    {
        const long Size = 5_000_000;
        var options = new TorrentOptions { CacheFolder = _folder.FullName };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
            await fixture.ReadAsync(fixture.Add(), 0, Size);
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }
    }

    [Theory]
    [InlineData("cut")]
    [InlineData("changed")]
    [InlineData("gone")]
    [InlineData("other")]
    [InlineData("data cut")]
    public async Task False_claims_are_not_accepted(string harm)
    {
        const long Size = 1_000_000;
        var options = new TorrentOptions { CacheFolder = _folder.FullName };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
            await fixture.ReadAsync(fixture.Add(), 0, Size);
        var resume = _folder.GetFiles("*.resume").Single();
        var bytes = await File.ReadAllBytesAsync(resume.FullName);
        switch (harm)
        {
            case "cut":
                await File.WriteAllBytesAsync(resume.FullName, bytes[..^5]);
                break;
            case "changed":
                bytes[33] ^= 1;
                await File.WriteAllBytesAsync(resume.FullName, bytes);
                break;
            case "gone":
                resume.Delete();
                break;
            case "other":
                bytes[10] ^= 1;
                await File.WriteAllBytesAsync(resume.FullName, bytes);
                break;
            default:
                using (var data = _folder.GetFiles("*.data").Single().OpenWrite())
                    data.SetLength(Size / 2);
                break;
        }

        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Add();
            await fixture.ReadAsync(torrent, 0, Size);
            Assert.True(torrent.GetStatus().Bytes.Payload > 0);
        }
    }
}
