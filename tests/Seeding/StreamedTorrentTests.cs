using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Seeding.Tests;

/// <summary>Streamed torrents: complete once their edges and a full copy are found, given up if no copy is.</summary>
public sealed class StreamedTorrentTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_streamed_torrent_is_complete_once_its_edges_and_a_full_copy_are_found()
    {
        var withheld = new ManualResetEventSlim();
        await using var swarm = new Swarm(
            SeedingFixture.Film(), [new SeederOptions { Act = _ => withheld.IsSet ? BlockAction.Serve : BlockAction.Reject }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.DownloadStalled);
        Assert.False((await fixture.FindAsync(hash)).IsReady);
        withheld.Set();
        await fixture.UntilAsync(hash, torrent => torrent is { IsReady: true, Progress: 1, State: TorrentState.SeedIdle });

        // Only the edges were downloaded.
        Assert.InRange((await fixture.FindAsync(hash)).Totals.Downloaded, 2 << 20, 3 << 20);
        Assert.False(Path.Exists(_folder.At("keep")));
    }

    [Theory]
    [InlineData(120, "2 hours")]
    [InlineData(2, "2 minutes")]
    public async Task A_torrent_without_a_full_copy_is_given_up_in_time(int minutes, string patience)
    {
        var edges = (1 << 20) / SeedingFixture.PieceLength;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { Has = piece => piece != edges + 3 }]);
        await using var fixture = await SeedingFixture.OpenAsync(
            _folder.Path, new SeedingOptions { CopyTimeout = TimeSpan.FromMinutes(minutes) });
        var given = new List<StalledTorrent>();
        fixture.Runner.Stalled += given.Add;
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.Held >= 2 << 20 && torrent.Availability > 0.9);
        await fixture.StepAsync(TimeSpan.FromMinutes(minutes - 1));
        Assert.False((await fixture.FindAsync(hash)).IsReady);
        Assert.Empty(given);
        await fixture.StepAsync(TimeSpan.FromMinutes(2));
        await fixture.StepAsync();
        var torrent = await fixture.FindAsync(hash);
        Assert.Equal(TorrentState.Failed, torrent.State);
        Assert.StartsWith($"No whole copy was found in {patience}: 1 peers are connected and have 0.99 copies.", torrent.Reason,
            StringComparison.Ordinal);
        Assert.Equal([new StalledTorrent(hash, "Job", torrent.Reason!)], given);
    }

    [Fact]
    public async Task A_torrent_that_was_given_up_has_the_whole_time_again_when_it_is_started_and_a_restart_of_the_server_adds_none()
    {
        var patience = TimeSpan.FromHours(6);
        var (clock, given) = (new ManualTimeProvider(), new List<StalledTorrent>());
        await using var swarm = new Swarm(
            SeedingFixture.Film(), [new SeederOptions { Has = static piece => piece != (1 << 20) / SeedingFixture.PieceLength }]);
        string hash;
        await using (var fixture = await OpenAsync())
        {
            hash = await fixture.AddAsync(swarm);
            await WaitsAsync(fixture, TimeSpan.FromHours(5));
            await fixture.StepAsync(TimeSpan.FromHours(2));
            Assert.Single(given);
            await fixture.Shelf.StartAsync([hash], default);
            await WaitsAsync(fixture, TimeSpan.FromHours(3));
        }

        await using (var fixture = await OpenAsync())
        {
            await WaitsAsync(fixture, TimeSpan.FromHours(1));
            Assert.Single(given);
            await fixture.StepAsync(TimeSpan.FromHours(2));
            Assert.Equal(2, given.Count);
            await fixture.Shelf.StartAsync([hash], default);
            await WaitsAsync(fixture, TimeSpan.FromHours(5));
            Assert.Equal(2, given.Count);
            await fixture.StepAsync(TimeSpan.FromHours(2));
            Assert.Equal(3, given.Count);
        }

        async Task<SeedingFixture> OpenAsync()
        {
            var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions { CopyTimeout = patience }, clock);
            fixture.Runner.Stalled += given.Add;
            return fixture;
        }

        // It is in its swarm for so long, and does not fail.
        async Task WaitsAsync(SeedingFixture fixture, TimeSpan time)
        {
            await fixture.UntilAsync(hash, static torrent => torrent.Availability > 0.9);
            await fixture.StepAsync();
            await fixture.StepAsync(time);
            Assert.Null((await fixture.FindAsync(hash)).Entry.Error);
        }
    }

    [Fact]
    public async Task Without_waiting_for_a_copy_a_torrent_is_complete_at_once()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { AlwaysChokes = true }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions { WaitForCopy = false });
        var hash = await fixture.AddAsync(swarm);
        Assert.True((await fixture.FindAsync(hash)).IsReady);
        await fixture.StepAsync();
        await fixture.StepAsync();
        Assert.NotNull((await fixture.FindAsync(hash)).Entry.Ready);
    }
}
