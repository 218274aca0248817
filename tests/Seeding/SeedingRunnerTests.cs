using NzbDav.Catalog.Torrents;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding.Tests;

/// <summary>Kept torrents, from being added until they seed.</summary>
public sealed class SeedingRunnerTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_kept_torrent_is_downloaded_whole_and_seeds_after_a_restart_with_its_totals()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        string hash;
        TorrentTotals totals;
        var clock = new ManualTimeProvider();
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, clock))
        {
            hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Progress: 1, IsReady: true });
            await fixture.StepAsync();
            await fixture.StepAsync(TimeSpan.FromMinutes(5));
            var torrent = await fixture.FindAsync(hash);
            totals = torrent.Totals;
            Assert.Equal((swarm.Torrent.Content.Length, swarm.Torrent.Content.Length), (torrent.Size, totals.Downloaded));
            Assert.InRange(totals.Seeding, TimeSpan.FromMinutes(5), TimeSpan.FromMinutes(6));
            Assert.NotNull(torrent.Entry.Completed);
        }

        Assert.Equal(swarm.Torrent.Content.Length, Directory.GetFiles(_folder.At("keep", "Job")).Sum(file => new FileInfo(file).Length));
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, clock))
        {
            await fixture.StepAsync();
            var torrent = await fixture.FindAsync(hash);
            Assert.Equal(totals, torrent.Totals);
            Assert.Equal(TorrentState.SeedIdle, torrent.State);
            Assert.NotNull(fixture.Sessions.Engine.Find(InfoHash.TryParse(hash, out var known) ? known : default));

            // Counting starts with the first step that finds the torrent in its swarm.
            await fixture.StepAsync();
            await fixture.StepAsync(TimeSpan.FromMinutes(1));
            Assert.Equal(totals.Seeding + TimeSpan.FromMinutes(1), (await fixture.FindAsync(hash)).Totals.Seeding);
        }
    }

    [Fact]
    public async Task Swarm_figures_of_trackers_are_shown_while_the_torrent_is_open()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm, tracker: new Uri(swarm.Tracker.Url));
        await fixture.UntilAsync(
            hash, torrent => torrent is { KnownSeeds: >= 1, KnownLeechers: 1 } && torrent.Tracker == swarm.Tracker.Url);
    }

    /// <summary>A small torrent can come between the sample at a step's beginning and its end.</summary>
    [Fact]
    public async Task Whoever_sees_a_torrent_complete_sees_what_was_downloaded()
    {
        using var released = new ManualResetEventSlim();
        await using var first = new Swarm(SeedingFixture.Film(name: "First"), [new SeederOptions()]);
        await using var second = new Swarm(SeedingFixture.Film(name: "Second"), [new SeederOptions { Act = Held }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var (one, two) = (await fixture.AddAsync(first), await fixture.AddAsync(second));
        await fixture.StepAsync();
        await fixture.StepAsync();
        await Until.TrueAsync(() => IsWhole(one));

        fixture.Store.Changed += OnChanged;
        await fixture.StepAsync();
        fixture.Store.Changed -= OnChanged;
        var seen = await fixture.FindAsync(two);
        Assert.NotNull(seen.Entry.Completed);
        Assert.Equal(second.Torrent.Content.Length, seen.Totals.Downloaded);

        BlockAction Held(BlockRequest request)
        {
            released.Wait();
            return BlockAction.Serve;
        }

        void OnChanged(IReadOnlyCollection<string> hashes)
        {
            released.Set();
            Assert.True(SpinWait.SpinUntil(() => IsWhole(two), TimeSpan.FromMinutes(1)));
        }

        bool IsWhole(string hash) => InfoHash.TryParse(hash, out var known) && fixture.Sessions.Engine.Find(known) is { } open
            && open.CountWanted() is var (wanted, held) && wanted == held && open.CountUnwritten() == 0;
    }

    /// <summary>The most that a kill can lose.</summary>
    [Fact]
    public async Task Totals_are_stored_every_half_minute()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync(TimeSpan.FromSeconds(30));
        var stored = (await fixture.Store.FindAsync(hash, default))!.Totals;
        Assert.Equal((swarm.Torrent.Content.Length, (await fixture.FindAsync(hash)).Totals), (stored.Downloaded, stored));
        await fixture.StepAsync(TimeSpan.FromSeconds(29));
        Assert.Equal(stored, (await fixture.Store.FindAsync(hash, default))!.Totals);
        await fixture.StepAsync(TimeSpan.FromSeconds(1));
        Assert.Equal(stored.Seeding + TimeSpan.FromSeconds(30), (await fixture.Store.FindAsync(hash, default))!.Totals.Seeding);
    }

    [Fact]
    public async Task A_torrent_that_cannot_be_opened_is_reported_once_and_does_not_stop_the_others()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var other = new Swarm(SeedingFixture.Film(name: "Other"), [new SeederOptions()]);
        string hash;
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
        }

        // Its claims cannot be read.
        var (claims, obstacle) = (_folder.At("cache", hash + ".keptresume"), _folder.At("cache", hash + ".away"));
        File.Move(claims, obstacle);
        File.CreateSymbolicLink(claims, claims);
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            var failures = new List<FailedTorrent>();
            fixture.Runner.Failed += failures.Add;
            var second = await fixture.AddAsync(other);
            await fixture.UntilAsync(second, torrent => torrent.State == TorrentState.SeedIdle);
            var failure = Assert.Single(failures);
            Assert.Equal((hash, "Job"), (failure.Hash, failure.Name));
            Assert.IsAssignableFrom<IOException>(failure.Error);

            // It goes on as soon as they can.
            File.Move(obstacle, claims, overwrite: true);
            await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Reason: null });
            Assert.Single(failures);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_torrent_whose_files_are_missing_says_so_and_goes_on_within_a_minute_of_their_return(bool restarts)
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        try
        {
            var hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
            var fetched = (await fixture.FindAsync(hash)).Totals.Downloaded;
            if (!restarts)
            {
                await fixture.Shelf.StopAsync([hash], default);
                await fixture.StepAsync();
                await fixture.Sessions.CloseAsync(InfoHash.TryParse(hash, out var known) ? known : default);
            }
            else
            {
                await fixture.DisposeAsync();
            }

            Directory.Move(_folder.At("keep"), _folder.At("away"));
            if (restarts)
                fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
            else
                await fixture.Shelf.StartAsync([hash], default);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Missing);
            var found = await fixture.FindAsync(hash);
            Assert.StartsWith($"{TorrentView.FilesMissing}: '{_folder.At("keep")}' has no file ", found.Reason, StringComparison.Ordinal);

            // Neither a start nor a recheck gives anything up.
            await fixture.Shelf.StartAsync([hash], default);
            await fixture.Shelf.RecheckAsync([hash], default);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Missing);

            Directory.Move(_folder.At("away"), _folder.At("keep"));
            await fixture.StepAsync(MissingWatch.Pace);
            await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Reason: null });
            Assert.Equal(fetched, (await fixture.FindAsync(hash)).Totals.Downloaded);
        }
        finally
        {
            await fixture.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_changed_policy_takes_effect_on_a_live_torrent()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.IsReady);
        var film = _folder.At("keep", "Job", "film.mkv");

        fixture.Options.Value = SeedingFixture.Keeping;
        await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Policy.Keep: true }
            && torrent.Held == torrent.Wanted && torrent.Totals.Downloaded >= torrent.Size);
        Assert.True(File.Exists(film));

        await fixture.Shelf.UpdateAsync([hash], entry => entry with { Policy = entry.Policy with { Keep = false } }, default);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle && !File.Exists(film));
    }

    [Fact]
    public async Task A_skipped_file_is_not_downloaded_until_it_is_wanted_again()
    {
        var torrent = new MockTorrent("Two",
            SwarmContent.Make(5, SeedingFixture.PieceLength, [new SwarmFile("one.mkv", 4 << 20), new SwarmFile("two.mkv", 4 << 20)]));
        await using var swarm = new Swarm(torrent, [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = await fixture.AddAsync(swarm);
        Assert.True(await fixture.Shelf.SetFilePriorityAsync(hash, [1], FilePriority.Skip, default));
        Assert.False(await fixture.Shelf.SetFilePriorityAsync(hash, [2], FilePriority.Skip, default));
        await fixture.UntilAsync(hash, one => one.State == TorrentState.SeedIdle);
        Assert.Equal((4 << 20, 8 << 20), ((await fixture.FindAsync(hash)).Wanted, (await fixture.FindAsync(hash)).Size));
        Assert.Equal([4 << 20, 0], (await fixture.Shelf.ListFilesAsync(hash, default))!.Select(file => file.Held));
        Assert.Equal(["one.mkv"], Directory.GetFiles(_folder.At("keep", "Two")).Select(Path.GetFileName));

        await fixture.Shelf.SetFilePriorityAsync(hash, [1], FilePriority.High, default);
        await fixture.UntilAsync(hash, one => one.State == TorrentState.SeedIdle && one.Totals.Downloaded == 8 << 20);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_torrent_that_does_not_run_after_a_restart_shows_its_progress(bool isStopped)
    {
        const int Missing = 100;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { Has = static piece => piece != Missing }]);
        await using var other = new Swarm(SeedingFixture.Film(name: "Other"), []);
        string hash;
        long held;
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            await fixture.AddAsync(other);
            hash = await fixture.AddAsync(swarm);
            held = swarm.Torrent.Content.Length - SeedingFixture.PieceLength;
            await fixture.UntilAsync(hash, torrent => torrent.PiecesHeld == torrent.Pieces - 1);
            if (isStopped)
                await fixture.Shelf.StopAsync([hash], default);
        }

        // The other torrent has the only slot.
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping with { MaxActiveDownloads = 1 }))
        {
            await fixture.StepAsync();
            var torrent = await fixture.FindAsync(hash);
            Assert.Equal(isStopped ? TorrentState.DownloadStopped : TorrentState.DownloadQueued, torrent.State);
            Assert.Equal((held, (double)held / torrent.Wanted, torrent.Pieces - 1), (torrent.Held, torrent.Progress, torrent.PiecesHeld));
            Assert.DoesNotContain(fixture.Sessions.Engine.Torrents, open => open.Hash.ToString() == hash);
            var files = await fixture.Shelf.ListFilesAsync(hash, default);
            Assert.Equal(held, files!.Sum(static file => file.Held));
        }
    }
}
