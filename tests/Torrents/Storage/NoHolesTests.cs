using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>The cache on a disk where a part of a file cannot be freed, such as exFAT, NFS 3 and macOS.</summary>
public sealed class NoHolesTests : IDisposable
{
    private const long Limit = 10 << 20;
    private const long Size = 30_000_000;

    private readonly KeptFixture _kept = new();

    /// <summary>With room for pieces that wait to be written: those of a busy machine are skipped otherwise.</summary>
    private TorrentOptions Options => _kept.Options with { CacheBytes = Limit, Memory = 64 << 20 };

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task The_limit_holds_for_the_files_themselves()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        await using var other = new Swarm(SwarmFixture.OneFile(Size, seed: 8), SwarmFixture.Seeders(2));
        foreach (var next in new[] { swarm, other, swarm })
        {
            await using var fixture = Open(next);
            var torrent = fixture.Add();
            await fixture.ReadAsync(torrent, Size - 100_000, Size);
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0);
            Assert.InRange(fixture.Engine.CachedBytes, 1, Limit);
            Assert.InRange(Occupied(), 1, Limit);
        }

        Assert.InRange(Occupied(), 1, Limit);
    }

    [Fact]
    public async Task Pieces_survive_a_restart_and_what_nobody_claims_is_removed()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(3_000_000), SwarmFixture.Seeders(1));
        await using (var fixture = Open(swarm))
        {
            await fixture.ReadAsync(fixture.Add(), 0, 3_000_000);
            await Until.TrueAsync(() => fixture.Engine.CachedBytes == 3_000_000);
        }

        var pieces = Directory.GetDirectories(_kept.Cache).Single();
        var stray = Path.Combine(pieces, "1000");
        await File.WriteAllTextAsync(stray, "stray");
        File.Delete(Path.Combine(pieces, "7"));
        var old = Path.Combine(_kept.Cache, new string('a', 40) + ".data");
        await File.WriteAllTextAsync(old, "of a disk with holes");
        await using (var fixture = Open(swarm))
        {
            var torrent = fixture.Add();
            Assert.Equal(torrent.GetStatus().Pieces - 1, torrent.GetStatus().Have);
            await fixture.ReadAsync(torrent, 0, 3_000_000);
            Assert.Equal(SwarmFixture.PieceLength, torrent.GetStatus().Bytes.Payload);
        }

        Assert.False(File.Exists(stray));
        Assert.False(File.Exists(old));

        // On a disk with holes the other form goes.
        await using (var fixture = new SwarmFixture(swarm, Options))
            Assert.Empty(Directory.GetDirectories(_kept.Cache));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_torrent_moves_to_the_kept_folder_and_back(bool hasOneFile)
    {
        await using var swarm = new Swarm(hasOneFile ? SwarmFixture.OneFile(3_000_000) : KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using var fixture = Open(swarm);
        var torrent = fixture.Add();
        await KeptFixture.ReadAllAsync(fixture, torrent);
        Assert.Null(torrent.Keep(true));
        await Until.TrueAsync(() => !torrent.IsMoving && fixture.Engine.CachedBytes == 0 && torrent.CountUnwritten() == 0);
        Assert.Equal(0, Occupied());
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces && torrent.CountUnwritten() == 0);
        await _kept.AssertFilesAsync(swarm.Torrent, swarm.Torrent.Name);
        torrent.FetchAll(false);
        Assert.Null(torrent.Keep(false));
        await Until.TrueAsync(() => !torrent.IsMoving && torrent.KeptFolder is null);
        Assert.Equal(swarm.Torrent.Content.Length, Occupied());
        await KeptFixture.ReadAllAsync(fixture, torrent);
    }

    [Fact]
    public void A_disk_is_tried_out_and_nothing_is_left()
    {
        if (!OperatingSystem.IsLinux())
            return;
        Assert.True(SparseFile.CanPunch(_kept.Cache));
        Assert.Empty(Directory.GetFileSystemEntries(_kept.Root));
    }

    private SwarmFixture Open(Swarm swarm) => new(swarm, Options, hasHoles: static _ => false);

    /// <summary>Bytes of all pieces in the cache folder.</summary>
    private long Occupied() => new DirectoryInfo(_kept.Cache).EnumerateFiles("*", SearchOption.AllDirectories)
        .Where(static file => file.Extension is RestingPieces.Data
            || file.Directory!.Extension is RestingPieces.Pieces or RestingPieces.Gone)
        .Sum(static file => file.Length);
}
