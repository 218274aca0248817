using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>Kept files that are deleted, cut or only partly written while their torrent is open.</summary>
public sealed class LostFileTests : IDisposable
{
    private const int FilmBytes = 3_000_001;

    private readonly KeptFixture _kept = new();

    private string Film => Path.Combine(_kept.Keep, "Job", "a", "film.mkv");

    private TorrentOptions Options => _kept.Options;

    public void Dispose() => _kept.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_lost_while_its_torrent_is_open_is_fetched_again_after_a_recheck(bool isCut)
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Add();
            Assert.Equal(torrent.GetStatus().Pieces, torrent.GetStatus().Have);
            Lose(isCut);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Assert.NotNull(torrent.Missing);
            await torrent.RecheckAsync(progress: null, default);
            torrent.FetchAll(true);
            await FetchedAsync(torrent);
            await Until.TrueAsync(() => fixture.Engine.CachedBytes == 0);
        }

        await AssertWholeAsync(swarm);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_write_to_a_lost_file_does_not_bring_it_back_with_zeros(bool isCut)
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        await using (var file = File.OpenWrite(Film))
        {
            file.Position = SwarmFixture.PieceLength + 5;
            file.Write([1, 2, 3]);
        }

        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            // One piece is damaged. The file is lost before that piece is written again.
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await torrent.RecheckAsync(progress: null, default);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces - 1);
            Lose(isCut);
            torrent.AddPeers(swarm.Endpoints);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.Missing is not null);
            await torrent.RecheckAsync(progress: null, default);
            torrent.FetchAll(true);
            await FetchedAsync(torrent);
            await Until.TrueAsync(() => fixture.Engine.CachedBytes == 0);
        }

        await AssertWholeAsync(swarm);
    }

    [Fact]
    public async Task Pieces_that_a_failed_sync_covered_are_written_again()
    {
        var clock = new ManualTimeProvider();
        var folder = Path.Combine(_kept.Keep, "Job");
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options, clock))
        {
            var torrent = await KeptFixture.FetchAsync(fixture);
            await Until.TrueAsync(() => torrent.CountUnwritten() == 0);

            // The film cannot be synced while its folder has another name. What was written of it is lost.
            await using (var film = File.OpenWrite(Film))
                film.Write(new byte[FilmBytes]);
            Directory.Move(folder, folder + ".away");
            clock.Advance(TimeSpan.FromSeconds(10));
            await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
            Assert.StartsWith("A piece cannot be written to disk: ", torrent.GetStatus().FetchEnded, StringComparison.Ordinal);
            Assert.True(torrent.CountUnwritten() > 0 || torrent.GetStatus() is var status && status.Have < status.Pieces);
            await KeptFixture.ReadAllAsync(fixture, torrent);
            Directory.Move(folder + ".away", folder);
            torrent.FetchAll(true);
            await FetchedAsync(torrent);
            await Until.TrueAsync(() => fixture.Engine.CachedBytes == 0);
        }

        await AssertWholeAsync(swarm);
    }

    [Fact]
    public void A_file_that_was_there_is_not_created_again_before_its_pieces_are_dropped()
    {
        var info = Metainfo.Read(KeptFixture.Several().TorrentFile()).Value!.Info;
        var open = new OpenFiles(8);
        using var disk = KeptFixture.Disk(_kept, info, open);
        var bytes = new byte[info.PieceLength];
        Random.Shared.NextBytes(bytes);
        disk.Write(0, bytes);
        open.Close(disk);
        File.Delete(Film);
        Assert.Throws<IOException>(() => disk.Write(info.PieceLength, bytes));
        Assert.False(File.Exists(Film));

        var lost = Assert.Single(disk.FindLost(1));
        Assert.Equal(Enumerable.Range(0, (FilmBytes / info.PieceLength) + 1), disk.PiecesOf(lost));
        disk.Forget([lost]);
        Assert.Empty(disk.FindLost(1));
        disk.Write(info.PieceLength, bytes);
        Assert.Equal([.. new byte[info.PieceLength], .. bytes], File.ReadAllBytes(Film).AsSpan(0, 2 * info.PieceLength).ToArray());
    }

    [Fact]
    public async Task A_magnet_link_whose_kept_files_cannot_be_opened_fails_with_the_reason()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        var claims = Directory.GetFiles(_kept.Cache, "*.keptresume").Single();
        File.Delete(claims);
        File.CreateSymbolicLink(claims, claims);
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Torrent.Magnet([], [])).Value!);
            torrent.AddPeers(swarm.Endpoints);
            var error = await Assert.ThrowsAsync<InvalidDataException>(() => torrent.DescribeAsync(default));
            Assert.Contains(claims, error.Message, StringComparison.Ordinal);
        }
    }

    private void Lose(bool isCut)
    {
        if (!isCut)
        {
            File.Delete(Film);
            return;
        }

        using var file = File.OpenWrite(Film);
        file.SetLength(SwarmFixture.PieceLength / 2);
    }

    private static Task FetchedAsync(Torrent torrent) => Until.TrueAsync(
        () => torrent.GetStatus() is var status && status.Have == status.Pieces && status.Bytes.Payload >= FilmBytes
            && torrent.CountUnwritten() == 0);

    private async Task AssertWholeAsync(Swarm swarm)
    {
        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
        await using var fixture = new SwarmFixture(swarm, Options);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        Assert.Equal(torrent.GetStatus().Pieces, torrent.GetStatus().Have);
        await KeptFixture.ReadAllAsync(fixture, torrent);
        Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
    }
}
