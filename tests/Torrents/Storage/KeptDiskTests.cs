using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>Syncs of kept files.</summary>
public sealed class KeptDiskTests : IDisposable
{
    private readonly KeptFixture _kept = new();

    public void Dispose() => _kept.Dispose();

    [Fact]
    public void A_sync_returns_only_when_one_under_way_is_done()
    {
        var info = Metainfo.Read(KeptFixture.Several().TorrentFile()).Value!.Info;
        var open = new OpenFiles(8);
        using var disk = KeptFixture.Disk(_kept, info, open);
        disk.Write(0, new byte[info.PieceLength]);

        // Once without a wait, so that below nothing has to be compiled and each thread waits only where it must.
        var once = new Thread(disk.Flush);
        once.Start();
        once.Join();
        disk.Write(0, new byte[info.PieceLength]);

        // A file cannot be used while somebody else opens it: the first sync has begun, and cannot go on.
        open.Close(disk);
        using var opening = new ManualResetEventSlim();
        using var mayOpen = new ManualResetEventSlim();
        var slow = new Thread(() => open.Use(disk, KeptDisk.Written, _ =>
        {
            opening.Set();
            mayOpen.Wait();
            return File.OpenHandle(Path.Combine(_kept.Keep, "Job", "a", "film.mkv"), FileMode.Open, FileAccess.ReadWrite);
        }).Dispose());
        slow.Start();
        opening.Wait();
        var syncs = Enumerable.Range(0, 8).Select(_ => new Thread(disk.Flush)).ToArray();
        foreach (var sync in syncs)
        {
            sync.Start();
            SpinWait.SpinUntil(() => !sync.IsAlive || (sync.ThreadState & ThreadState.WaitSleepJoin) != 0);
        }

        var returned = syncs.Count(static sync => !sync.IsAlive);
        mayOpen.Set();
        slow.Join();
        Array.ForEach(syncs, static sync => sync.Join());
        Assert.Equal(0, returned);
    }

    [Fact]
    public async Task A_disk_that_spins_up_holds_up_no_other_torrent_and_one_thread_of_its_own()
    {
        var open = new OpenFiles(8);
        var infos = new[] { 11UL, 12UL }.Select(seed => Metainfo.Read(KeptFixture.Several(seed).TorrentFile()).Value!.Info).ToArray();
        var bytes = new byte[infos[0].PieceLength];
        Random.Shared.NextBytes(bytes);
        using var slow = KeptFixture.Disk(_kept, infos[0], open);
        using var other = KeptFixture.Disk(_kept, infos[1], open);
        slow.Write(0, bytes);
        other.Write(0, bytes);
        open.Close(slow);
        open.Close(other);

        using var opening = new ManualResetEventSlim();
        using var mayOpen = new ManualResetEventSlim();
        var thread = new Thread(() => open.Use(slow, 0, _ =>
        {
            opening.Set();
            mayOpen.Wait();
            return File.OpenHandle(Path.Combine(_kept.Keep, "Job", "a", "film.mkv"));
        }).Dispose());
        thread.Start();
        opening.Wait();

        // The first of many readers waits on a thread, the others without one.
        var first = Task.Run(() => slow.ReadAsync(0, new byte[100], default).AsTask());
        await Task.WhenAny(first, Until.TrueAsync(() => slow.IsOpening));
        var waiting = Enumerable.Range(0, 500).Select(_ => slow.ReadAsync(0, new byte[100], default).AsTask()).ToArray();
        Assert.DoesNotContain(waiting, static read => read.IsCompleted);
        var there = new byte[bytes.Length];
        Assert.Equal(bytes.Length, await other.ReadAsync(0, there, default));
        Assert.Equal(bytes, there);

        mayOpen.Set();
        thread.Join();
        Assert.All(await Task.WhenAll([first, .. waiting]), static count => Assert.Equal(100, count));
    }
}
