using NzbDav.Fakes;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>Fetching a whole torrent without a reader, and what ends it.</summary>
public sealed class FetchAllTests : IDisposable
{
    private const long Size = 30_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");

    private TorrentOptions Options => new() { Memory = 8 << 20, Workers = 2, CacheFolder = _folder.FullName };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task All_pieces_are_fetched_when_there_is_room()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options);
        var torrent = fixture.Add();
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
        Assert.Null(torrent.GetStatus().FetchEnded);
    }

    [Theory]
    [InlineData(6 << 20)]
    [InlineData(0)]
    public async Task Fetching_ends_when_the_cache_is_full_and_readers_continue(long cacheBytes)
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options with { CacheBytes = cacheBytes });
        var torrent = fixture.Add();
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
        Assert.Equal("The cache is full: pieces had to make room for others.", torrent.GetStatus().FetchEnded);
        Assert.True(torrent.GetStatus().Bytes.Payload < Size, $"{torrent.GetStatus().Bytes.Payload} bytes");
        await fixture.ReadAsync(torrent, 0, Size);

        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
    }

    [Fact]
    public async Task Fetching_ends_when_the_disk_cannot_be_written_to()
    {
        // A file where the folder should be.
        var path = Path.Combine(_folder.FullName, "taken");
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options with { CacheFolder = path });
        await File.WriteAllTextAsync(path, "");
        var torrent = fixture.Add();
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
        Assert.StartsWith("A piece cannot be written to disk: ", torrent.GetStatus().FetchEnded, StringComparison.Ordinal);
        await fixture.ReadAsync(torrent, 0, Size);
    }
}
