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
        using var disk = new KeptDisk(info, new KeptRecords(_kept.Cache).Make(info, _kept.Keep), Path.Combine(_kept.Cache, info.Hash.ToString()), open);
        disk.Write(0, new byte[info.PieceLength]);

        // Once without a wait, so that below nothing has to be compiled and each thread waits only where it must.
        var once = new Thread(disk.Flush);
        once.Start();
        once.Join();
        disk.Write(0, new byte[info.PieceLength]);

        // No file can be used while another is being opened: the first sync has begun, and cannot go on.
        using var opening = new ManualResetEventSlim();
        using var mayOpen = new ManualResetEventSlim();
        var slow = new Thread(() => open.Use(this, 0, _ =>
        {
            opening.Set();
            mayOpen.Wait();
            return File.OpenHandle(Path.Combine(_kept.Root, "other"), FileMode.Create, FileAccess.Write);
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
        open.Close(this);
        Assert.Equal(0, returned);
    }
}
