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
        var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, keep: disk.Path);
        try
        {
            var hash = await fixture.AddAsync(swarm);
            await fixture.UntilAsync(hash, torrent => torrent.State == TorrentState.Failed);
            await fixture.StepAsync();
            var reason = (await fixture.FindAsync(hash)).Reason;
            Assert.StartsWith("The disk is full, and the torrent goes on when there is room. A piece cannot be written to disk: No space left on device", reason, StringComparison.Ordinal);

            // While there is no space the torrent is left alone.
            await fixture.StepAsync(RoomWatch.Pace);
            await fixture.StepAsync();
            Assert.Equal((TorrentState.Failed, reason), ((await fixture.FindAsync(hash)).State, (await fixture.FindAsync(hash)).Reason));

            disk.Resize(32 << 20);
            if (restart)
            {
                await fixture.DisposeAsync();
                fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, keep: disk.Path);
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
    public async Task Pieces_that_did_not_fit_on_the_disk_do_not_count()
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, keep: disk.Path);
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
}
