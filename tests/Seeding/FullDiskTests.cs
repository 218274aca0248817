using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding.Tests;

/// <summary>Full or failing disks, and how torrents resume afterwards.</summary>
public sealed class FullDiskTests : IDisposable
{
    /// <summary>
    /// A disk may be filled to its last byte, and a torrent that is larger than the disk begins: other programs took the room meanwhile.
    /// </summary>
    private static readonly SeedingOptions Filling = SeedingFixture.Keeping with { KeepFree = -(1L << 30) };

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_write_error_is_reported_and_a_start_resumes()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        await File.WriteAllTextAsync(_folder.At("keep"), "a file where the folder should be");
        var hash = await fixture.AddAsync(swarm);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
        Assert.StartsWith("A piece cannot be written to disk: ", (await fixture.FindAsync(hash)).Reason, StringComparison.Ordinal);
        File.Delete(_folder.At("keep"));
        await fixture.Shelf.StartAsync([hash], default);
        await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.SeedIdle);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_torrent_waiting_for_disk_space_resumes_within_a_minute_of_it(bool restart)
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        var fixture = await SeedingFixture.OpenAsync(_folder.Path, Filling, keep: disk.Path);
        try
        {
            var hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
            await fixture.StepAsync();
            var reason = (await fixture.FindAsync(hash)).Reason;
            Assert.StartsWith(
                "The disk is full, and the torrent goes on when there is room. A piece cannot be written to disk: No space left on device",
                reason, StringComparison.Ordinal);

            // While there is no space the torrent is left alone.
            await fixture.StepAsync(RoomWatch.Pace);
            await fixture.StepAsync();
            Assert.Equal((TorrentState.Failed, reason), ((await fixture.FindAsync(hash)).State, (await fixture.FindAsync(hash)).Reason));

            disk.Resize(32 << 20);
            if (restart)
            {
                await fixture.DisposeAsync();
                fixture = await SeedingFixture.OpenAsync(_folder.Path, Filling, keep: disk.Path);
            }

            await fixture.StepAsync(RoomWatch.Pace);
            Assert.Null((await fixture.FindAsync(hash)).Entry.Error);
            await fixture.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Reason: null });
            var expected = new byte[8 << 20];
            swarm.Torrent.Content.Fill(0, expected);
            Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)),
                Convert.ToHexString(SHA256.HashData(await File.ReadAllBytesAsync(Path.Combine(disk.Path, "Job", "film.mkv")))));
        }
        finally
        {
            await fixture.DisposeAsync();
        }
    }

    [Fact]
    public async Task Pieces_that_did_not_fit_on_the_disk_do_not_count()
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, Filling, keep: disk.Path);
        var hash = await fixture.AddAsync(swarm);
        var metainfo = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!;

        // A reader has downloaded all of it into memory before the runner first looks.
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

    [Fact]
    public async Task A_torrent_that_would_not_leave_enough_free_is_streamed_in_its_swarm_and_kept_when_there_is_room()
    {
        using var disk = SmallDisk.TryMount(16 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var first = new Swarm(SeedingFixture.Film(name: "First"), [new SeederOptions()]);
        await using var second = new Swarm(SeedingFixture.Film(name: "Second"), [new SeederOptions()]);
        var options = SeedingFixture.Keeping with { KeepFree = 4 << 20 };
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, options, keep: Path.Combine(disk.Path, "torrents"));
        var (one, two) = (await fixture.AddAsync(first), await fixture.AddAsync(second));
        await fixture.UntilAsync(one, torrent => torrent.State == TorrentState.SeedIdle);
        await fixture.UntilAsync(two, torrent => torrent is { IsReady: true, Entry.Completed: null, State: TorrentState.DownloadStalled });
        var waits = await fixture.FindAsync(two);
        const string NoRoom = "There is no room to keep and seed it: it takes 0.0 GB, and 0.0 GB may be used for it.";
        Assert.StartsWith(NoRoom, waits.Reason, StringComparison.Ordinal);
        Assert.True(disk.Free >= 4 << 20);
        Assert.Equal(2, fixture.Sessions.Engine.Torrents.Count());

        disk.Resize(32 << 20);
        await fixture.StepAsync(RoomWatch.Pace);
        await fixture.UntilAsync(two, torrent => torrent is { State: TorrentState.SeedIdle, Reason: null });
        Assert.True(File.Exists(Path.Combine(disk.Path, "torrents", "Second", "film.mkv")));
    }
}
