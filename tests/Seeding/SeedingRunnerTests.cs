using System.Security.Cryptography;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding.Tests;

/// <summary>Torrents from being added to the end of their seeding.</summary>
public sealed class SeedingRunnerTests : IDisposable
{
    private static readonly SeedingOptions Keeping = new() { KeepCategories = ["tv"] };

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-seeding-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_kept_torrent_is_fetched_whole_and_seeded_on_after_a_restart_with_its_totals()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        string hash;
        TorrentTotals totals;
        var clock = new ManualTimeProvider();
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping, clock))
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

        Assert.Equal(swarm.Torrent.Content.Length, Directory.GetFiles(Path.Combine(_folder.FullName, "keep", "Job")).Sum(file => new FileInfo(file).Length));
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping, clock))
        {
            await fixture.StepAsync();
            var torrent = await fixture.FindAsync(hash);
            Assert.Equal(totals, torrent.Totals);
            Assert.Equal(TorrentState.SeedIdle, torrent.State);
            Assert.NotNull(fixture.Sessions.Engine.Find(Torrents.Metadata.InfoHash.TryParse(hash, out var known) ? known : default));

            // It counts from the first step that finds it in its swarm.
            await fixture.StepAsync();
            await fixture.StepAsync(TimeSpan.FromMinutes(1));
            Assert.Equal(totals.Seeding + TimeSpan.FromMinutes(1), (await fixture.FindAsync(hash)).Totals.Seeding);
        }
    }

    [Fact]
    public async Task What_trackers_tell_of_the_swarm_is_told_while_it_is_open()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping);
        var hash = await fixture.AddAsync(swarm, tracker: new Uri(swarm.Tracker.Url));
        await fixture.UntilAsync(hash, torrent => torrent is { KnownSeeds: >= 1, KnownLeechers: 1 } && torrent.Tracker == swarm.Tracker.Url);
    }

    /// <summary>What a kill costs at most.</summary>
    [Fact]
    public async Task Totals_are_stored_each_half_minute()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping);
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

    [Theory]
    [InlineData(LimitAction.Stop)]
    [InlineData(LimitAction.Remove)]
    [InlineData(LimitAction.RemoveData)]
    public async Task At_its_limit_it_stops_or_goes(LimitAction action)
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping);
        var hash = await fixture.AddAsync(swarm, new NewTorrent { Policy = new TorrentPolicy { SeedMinutes = 10, AtLimit = action } });
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync();
        await fixture.StepAsync(TimeSpan.FromMinutes(9));
        Assert.Equal(TorrentState.SeedIdle, (await fixture.FindAsync(hash)).State);
        await fixture.StepAsync(TimeSpan.FromMinutes(2));
        await fixture.StepAsync();
        var torrent = await fixture.Shelf.FindAsync(hash, default);
        var isInTree = (await fixture.Tree.ListTorrentsAsync(default)).Contains(hash);
        Assert.Equal((action == LimitAction.Stop ? TorrentState.SeedStopped : null, action != LimitAction.RemoveData), (torrent?.State, isInTree));
        Assert.True(torrent is null || torrent.Totals.Seeding >= TimeSpan.FromMinutes(10));
    }

    [Fact]
    public async Task By_force_it_is_seeded_past_its_limit_and_a_stop_ends_that()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping with { Limits = new SharePolicy { SeedTime = TimeSpan.FromMinutes(1) } });
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
    public async Task What_is_streamed_counts_as_complete_once_its_edges_and_a_whole_copy_are_there()
    {
        var withheld = new ManualResetEventSlim();
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { Act = _ => withheld.IsSet ? BlockAction.Serve : BlockAction.Reject }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.DownloadStalled);
        Assert.False((await fixture.FindAsync(hash)).IsReady);
        withheld.Set();
        await fixture.UntilAsync(hash, torrent => torrent is { IsReady: true, Progress: 1, State: TorrentState.SeedIdle });

        // Nothing but the edges came.
        Assert.InRange((await fixture.FindAsync(hash)).Totals.Downloaded, 2 << 20, 3 << 20);
        Assert.False(Path.Exists(Path.Combine(_folder.FullName, "keep")));
    }

    [Theory]
    [InlineData(120, "2 hours")]
    [InlineData(2, "2 minutes")]
    public async Task One_of_which_no_whole_copy_is_found_in_time_is_given_up(int minutes, string patience)
    {
        var edges = (1 << 20) / SeedingFixture.PieceLength;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { Has = piece => piece != edges + 3 }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, new SeedingOptions { CopyPatience = TimeSpan.FromMinutes(minutes) });
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
        Assert.StartsWith($"No whole copy was found in {patience}: 1 peers are connected and have 0.99 copies.", torrent.Reason, StringComparison.Ordinal);
        Assert.Equal([new StalledTorrent(hash, "Job", "tv", torrent.Reason!)], given);
    }

    [Fact]
    public async Task Where_nobody_waits_for_a_copy_it_counts_as_complete_at_once()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { AlwaysChokes = true }]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, new SeedingOptions { WaitForCopy = false });
        var hash = await fixture.AddAsync(swarm);
        Assert.True((await fixture.FindAsync(hash)).IsReady);
        await fixture.StepAsync();
        await fixture.StepAsync();
        Assert.NotNull((await fixture.FindAsync(hash)).Entry.Ready);
    }

    [Fact]
    public async Task Limits_of_active_ones_let_others_wait_for_their_turn()
    {
        await using var slow = new Swarm(SeedingFixture.Film(), [new SeederOptions { AlwaysChokes = true }]);
        await using var next = new Swarm(SeedingFixture.Film(2 << 20, "Next"), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping with { MaxActiveDownloads = 1 });
        var (first, second) = (await fixture.AddAsync(slow), await fixture.AddAsync(next));
        await fixture.StepAsync();
        Assert.Equal((TorrentState.DownloadStalled, 1), ((await fixture.FindAsync(first)).State, (await fixture.FindAsync(first)).Position));
        Assert.Equal((TorrentState.DownloadQueued, 2), ((await fixture.FindAsync(second)).State, (await fixture.FindAsync(second)).Position));

        await fixture.Shelf.MoveAsync([second], QueueMove.Top, default);
        await fixture.UntilAsync(second, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.StepAsync();
        Assert.Equal(TorrentState.DownloadStalled, (await fixture.FindAsync(first)).State);
    }

    [Fact]
    public async Task Another_policy_takes_effect_on_a_live_torrent()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.IsReady);
        var film = Path.Combine(_folder.FullName, "keep", "Job", "film.mkv");

        fixture.Options.Value = Keeping;
        await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Policy.Keep: true } && torrent.Held == torrent.Wanted && torrent.Totals.Downloaded >= torrent.Size);
        Assert.True(File.Exists(film));

        await fixture.Shelf.UpdateAsync([hash], entry => entry with { Policy = entry.Policy with { Keep = false } }, default);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle && !File.Exists(film));
    }

    [Fact]
    public async Task A_file_that_is_skipped_is_not_fetched_until_it_is_wanted_again()
    {
        var torrent = new MockTorrent("Two", SwarmContent.Make(5, SeedingFixture.PieceLength, [new SwarmFile("one.mkv", 4 << 20), new SwarmFile("two.mkv", 4 << 20)]));
        await using var swarm = new Swarm(torrent, [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping);
        var hash = await fixture.AddAsync(swarm);
        Assert.True(await fixture.Shelf.SetFilePriorityAsync(hash, [1], FilePriority.Skip, default));
        Assert.False(await fixture.Shelf.SetFilePriorityAsync(hash, [2], FilePriority.Skip, default));
        await fixture.UntilAsync(hash, one => one.State == TorrentState.SeedIdle);
        Assert.Equal((4 << 20, 8 << 20), ((await fixture.FindAsync(hash)).Wanted, (await fixture.FindAsync(hash)).Size));
        Assert.Equal([4 << 20, 0], (await fixture.Shelf.ListFilesAsync(hash, default))!.Select(file => file.Held));
        Assert.Equal(["one.mkv"], Directory.GetFiles(Path.Combine(_folder.FullName, "keep", "Two")).Select(Path.GetFileName));

        await fixture.Shelf.SetFilePriorityAsync(hash, [1], FilePriority.High, default);
        await fixture.UntilAsync(hash, one => one.State == TorrentState.SeedIdle && one.Totals.Downloaded == 8 << 20);
    }

    [Fact]
    public async Task A_disk_that_takes_no_more_is_told_and_a_start_goes_on()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping);
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "keep"), "a file where the folder should be");
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
        Assert.StartsWith("A piece cannot be written to disk: ", (await fixture.FindAsync(hash)).Reason, StringComparison.Ordinal);
        File.Delete(Path.Combine(_folder.FullName, "keep"));
        await fixture.Shelf.StartAsync([hash], default);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_waits_for_room_on_a_full_disk_goes_on_within_a_minute_of_it(bool restart)
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        if (disk is null)
            return;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping, keep: disk.Path);
        try
        {
            var hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
            await fixture.StepAsync();
            var reason = (await fixture.FindAsync(hash)).Reason;
            Assert.StartsWith("The disk is full, and the torrent goes on when there is room. A piece cannot be written to disk: No space left on device", reason, StringComparison.Ordinal);

            // As long as there is none it is left in peace.
            await fixture.StepAsync(RoomWatch.Pace);
            await fixture.StepAsync();
            Assert.Equal((TorrentState.Failed, reason), ((await fixture.FindAsync(hash)).State, (await fixture.FindAsync(hash)).Reason));

            disk.Resize(32 << 20);
            if (restart)
            {
                await fixture.DisposeAsync();
                fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping, keep: disk.Path);
            }

            await fixture.StepAsync(RoomWatch.Pace);
            Assert.Null((await fixture.FindAsync(hash)).Entry.Error);
            await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Reason: null });
            var expected = new byte[8 << 20];
            swarm.Torrent.Content.Fill(0, expected);
            Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)), Convert.ToHexString(SHA256.HashData(await File.ReadAllBytesAsync(Path.Combine(disk.Path, "Job", "film.mkv")))));
        }
        finally
        {
            await fixture.DisposeAsync();
        }
    }

    [Fact]
    public async Task What_has_come_and_found_no_room_on_the_disk_is_not_there()
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        if (disk is null)
            return;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping, keep: disk.Path);
        var hash = await fixture.AddAsync(swarm);
        var metainfo = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!;

        // A reader has brought all of it into memory before the runner looks for the first time.
        using var lease = await fixture.Sessions.UseAsync(metainfo, default);
        lease.Torrent.AddPeers(swarm.Endpoints);
        Assert.Null(lease.Torrent.Keep(true));
        foreach (var file in metainfo.Info.Files)
        {
            await using var reader = lease.Torrent.Open(file).OpenReader(0, file.Length, ReadIntent.Playback);
            while (await reader.NextAsync(default) is { IsEmpty: false } bytes)
                bytes.Dispose();
        }

        Assert.Equal((129, 129), lease.Torrent.CountWanted());
        await fixture.StepAsync();
        Assert.Null((await fixture.FindAsync(hash)).Entry.Completed);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
        Assert.InRange(lease.Torrent.CountUnwritten(), 64, 128);
        var found = await fixture.FindAsync(hash);
        Assert.InRange(found.Held, 1, 4 << 20);
        Assert.Null(found.Entry.Completed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task One_that_does_not_run_after_a_restart_shows_what_it_has(bool isStopped)
    {
        const int Missing = 100;
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions { Has = static piece => piece != Missing }]);
        await using var other = new Swarm(SeedingFixture.Film(name: "Other"), []);
        string hash;
        long held;
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping))
        {
            await fixture.AddAsync(other);
            hash = await fixture.AddAsync(swarm);
            held = swarm.Torrent.Content.Length - SeedingFixture.PieceLength;
            await fixture.UntilAsync(hash, torrent => torrent.PiecesHeld == torrent.Pieces - 1);
            if (isStopped)
                await fixture.Shelf.StopAsync([hash], default);
        }

        // The other one has the only place.
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.FullName, Keeping with { MaxActiveDownloads = 1 }))
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
