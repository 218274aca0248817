using NzbDav.Catalog.Torrents;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Seeding.Tests;

/// <summary>Seeding limits, and limits on the number of active torrents.</summary>
public sealed class SeedLimitTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(LimitAction.Stop)]
    [InlineData(LimitAction.Remove)]
    [InlineData(LimitAction.RemoveData)]
    public async Task At_its_limit_a_torrent_stops_or_is_removed(LimitAction action)
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm, new NewTorrent { Policy = new TorrentPolicy { SeedMinutes = 10, AtLimit = action } });
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync();
        await fixture.StepAsync(TimeSpan.FromMinutes(9));
        Assert.Equal(TorrentState.SeedIdle, (await fixture.FindAsync(hash)).State);
        await fixture.StepAsync(TimeSpan.FromMinutes(2));
        await fixture.StepAsync();
        var torrent = await fixture.Shelf.FindAsync(hash, default);
        var isInTree = (await fixture.Tree.ListTorrentsAsync(default)).Contains(hash);
        Assert.Equal(
            (action == LimitAction.Stop ? TorrentState.SeedStopped : null, action != LimitAction.RemoveData), (torrent?.State, isInTree));
        Assert.True(torrent is null || torrent.Totals.Seeding >= TimeSpan.FromMinutes(10));
    }

    /// <summary>As Sonarr sends it, from the indexer's settings, for a torrent of a category that is only streamed.</summary>
    [Fact]
    public async Task A_torrent_that_came_with_a_limit_is_kept_and_seeded_until_it_is_reached()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm, new NewTorrent { Policy = new TorrentPolicy { SeedMinutes = 10 } });
        await fixture.UntilAsync(
            hash, torrent => torrent is { State: TorrentState.SeedIdle, Held: > 8 << 20, Policy.Cause: KeepCause.Limits });
        await fixture.StepAsync();
        await fixture.StepAsync(TimeSpan.FromMinutes(11));
        await fixture.StepAsync();
        Assert.Equal(TorrentState.SeedStopped, (await fixture.FindAsync(hash)).State);
        Assert.True(File.Exists(_folder.At("keep", "Job", "film.mkv")));
    }

    [Fact]
    public async Task A_streamed_torrent_that_is_given_a_limit_later_is_kept_from_then_on()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Policy.Keep: false });
        await fixture.Shelf.UpdateAsync([hash], static entry => entry with { Policy = new TorrentPolicy { Ratio = 2 } }, default);
        await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, PiecesHeld: 129, Policy.Keep: true });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_private_torrent_is_kept_and_seeded_unless_the_setting_is_off(bool keeps)
    {
        var content = SwarmContent.Make(5, SeedingFixture.PieceLength, [new SwarmFile("film.mkv", 8 << 20)]);
        var film = new MockTorrent("Job", content, isPrivate: true);
        await using var swarm = new Swarm(film, [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions { KeepPrivate = keeps });
        var hash = await fixture.AddAsync(swarm, tracker: new Uri(swarm.Tracker.Url));
        await fixture.UntilAsync(
            hash, torrent => torrent is { State: TorrentState.SeedIdle, IsReady: true } && torrent.Entry.Completed is not null);
        var torrent = await fixture.FindAsync(hash);
        Assert.Equal(keeps ? KeepCause.Private : KeepCause.None, torrent.Policy.Cause);
        await fixture.StepAsync();
        Assert.Equal(keeps, (await fixture.FindAsync(hash)).Held == 8 << 20);
    }

    [Fact]
    public async Task A_forced_torrent_seeds_past_its_limit_until_it_is_stopped()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(
            _folder.Path, SeedingFixture.Keeping with { Limits = new SharePolicy { SeedTime = TimeSpan.FromMinutes(1) } });
        var hash = await fixture.AddAsync(swarm, new NewTorrent { IsForced = true });
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync();
        await fixture.StepAsync(TimeSpan.FromHours(1));
        await fixture.StepAsync();
        Assert.Equal(TorrentState.SeedIdle, (await fixture.FindAsync(hash)).State);
        Assert.Equal(1, await fixture.Shelf.StopAsync([hash], default));
        await fixture.StepAsync();
        Assert.Equal(TorrentState.SeedStopped, (await fixture.FindAsync(hash)).State);
        await Until.TrueAsync(() => !fixture.Sessions.Engine.Torrents.Any());
        Assert.Equal(1, await fixture.Shelf.StartAsync([hash], default));
        await fixture.StepAsync();
        Assert.Single(fixture.Sessions.Engine.Torrents);
    }

    [Fact]
    public async Task Limits_on_active_torrents_make_others_wait()
    {
        await using var slow = new Swarm(SeedingFixture.Film(), [new SeederOptions { AlwaysChokes = true }]);
        await using var next = new Swarm(SeedingFixture.Film(2 << 20, "Next"), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping with { MaxActiveDownloads = 1 });
        var (first, second) = (await fixture.AddAsync(slow), await fixture.AddAsync(next));
        await fixture.StepAsync();
        Assert.Equal(
            (TorrentState.DownloadStalled, 1), ((await fixture.FindAsync(first)).State, (await fixture.FindAsync(first)).Position));
        Assert.Equal(
            (TorrentState.DownloadQueued, 2), ((await fixture.FindAsync(second)).State, (await fixture.FindAsync(second)).Position));

        await fixture.Shelf.MoveAsync([second], QueueMove.Top, default);
        await fixture.UntilAsync(second, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync();
        Assert.Equal(TorrentState.DownloadStalled, (await fixture.FindAsync(first)).State);
    }
}
