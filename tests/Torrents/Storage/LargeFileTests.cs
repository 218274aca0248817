using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>A disk that does not allow files as large as one of the torrent. Runs alone, because the limit is one of the process.</summary>
[Collection(nameof(Alone))]
public sealed class LargeFileTests : IDisposable
{
    private readonly KeptFixture _kept = new();

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task A_kept_file_larger_than_its_disk_allows_ends_the_fetch_with_the_reason_and_readers_go_on()
    {
        if (!OperatingSystem.IsLinux())
            return;
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, _kept.Options))
        {
            var torrent = fixture.Add();
            using (new FileSizeLimit(1 << 20))
            {
                Assert.Null(torrent.Keep(true));
                torrent.FetchAll(true);
                await Until.TrueAsync(() => torrent.GetStatus().FetchEnded is not null);
                Assert.StartsWith("A piece cannot be written to disk: A file of 3000001 bytes is larger than",
                    torrent.GetStatus().FetchEnded, StringComparison.Ordinal);
                await KeptFixture.ReadAllAsync(fixture, torrent);
            }

            torrent.FetchAll(true);
            await Until.TrueAsync(
                () => torrent.GetStatus() is { FetchEnded: null } status && status.Have == status.Pieces && torrent.CountUnwritten() == 0);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
    }

    [Fact]
    public async Task A_cache_file_larger_than_its_disk_allows_leaves_pieces_in_memory()
    {
        if (!OperatingSystem.IsLinux())
            return;
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, _kept.Options with { CacheBytes = 8 << 20 });
        var torrent = fixture.Add();
        using (new FileSizeLimit(1 << 20))
        {
            await KeptFixture.ReadAllAsync(fixture, torrent);
            await KeptFixture.ReadAllAsync(fixture, torrent);
        }
    }
}
