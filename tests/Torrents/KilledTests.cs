using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests;

/// <summary>What a kept torrent still has after its process exited normally or was killed.</summary>
public sealed class KilledTests : IDisposable
{
    private const int Size = 3_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-killed-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task After_a_kill_only_unclaimed_pieces_are_hashed_and_none_is_fetched_again()
    {
        var clock = new ManualTimeProvider();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        int claimed;
        await using (var fixture = new SwarmFixture(swarm, At("run"), clock))
        {
            var torrent = fixture.Add();
            Assert.Null(torrent.Keep(true));

            // Half of it is claimed when the clock says so; the other half is on disk when the process is killed.
            await fixture.ReadAsync(torrent, 0, Size / 2);
            await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0);
            clock.Advance(TimeSpan.FromSeconds(10));
            await Until.TrueAsync(() => Claimed("run", torrent.Hash) >= (Size / 2) - SwarmFixture.PieceLength);
            claimed = (int)(Claimed("run", torrent.Hash) / SwarmFixture.PieceLength);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
            await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0);
            Kill("run", "next");
        }

        var check = new CountingCheck();
        await using (var fixture = new SwarmFixture(swarm, At("next"), check: check))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await Until.TrueAsync(() => !torrent.IsChecking && torrent.GetStatus() is var status && status.Have == status.Pieces);
            Assert.Equal(torrent.GetStatus().Pieces - claimed, check.Count);
            await fixture.ReadAsync(torrent, 0, Size);
            Assert.Equal(0, torrent.GetStatus().Bytes.Payload);
        }

        // It was closed normally this time: nothing is hashed.
        check = new CountingCheck();
        await using (var fixture = new SwarmFixture(swarm, At("next"), check: check))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.Equal((torrent.GetStatus().Pieces, false), (torrent.GetStatus().Have, torrent.IsChecking));
            Assert.Equal(0, check.Count);
        }
    }

    [Fact]
    public async Task A_piece_that_a_killed_process_wrote_in_part_is_not_accepted()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, At("run"), new ManualTimeProvider()))
        {
            var torrent = fixture.Add();
            Assert.Null(torrent.Keep(true));
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
            await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0);
            Kill("run", "next");
        }

        await using (var file = File.OpenWrite(Path.Combine(At("next").KeepFolder!, "film.mkv", "film.mkv")))
            file.Write(new byte[SwarmFixture.PieceLength / 2]);
        await using (var fixture = new SwarmFixture(swarm, At("next")))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await Until.TrueAsync(() => !torrent.IsChecking && torrent.GetStatus() is var status && status.Have == status.Pieces - 1);
            torrent.AddPeers(swarm.Endpoints);
            await fixture.ReadAsync(torrent, 0, Size);
            Assert.Equal(SwarmFixture.PieceLength, torrent.GetStatus().Bytes.Payload);
        }
    }

    private TorrentOptions At(string run) => new()
    {
        Memory = 32 << 20,
        Workers = 2,
        CacheFolder = Path.Combine(_folder.FullName, run, "cache"),
        CacheBytes = 1 << 20,
        KeepFolder = Path.Combine(_folder.FullName, run, "keep"),
    };

    private long Claimed(string run, InfoHash hash) =>
        ResumeFile.Size(Path.Combine(At(run).CacheFolder!, hash + KeptPlace.ClaimsEnding), hash) ?? 0;

    /// <summary>Copies the files as a kill would leave them at this moment.</summary>
    private void Kill(string run, string next)
    {
        var (from, to) = (Path.Combine(_folder.FullName, run), Path.Combine(_folder.FullName, next));
        foreach (var file in Directory.GetFiles(from, "*", SearchOption.AllDirectories))
        {
            var copy = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
            if (copy.EndsWith(KeptPlace.Ending, StringComparison.Ordinal))
                File.WriteAllText(copy, File.ReadAllText(copy).Replace(from, to, StringComparison.Ordinal));
        }
    }

    /// <summary>Checks hashes and counts the checks.</summary>
    private sealed class CountingCheck : IPieceCheck
    {
        private readonly HashCheck _hash = new();
        private int _count;

        public int Count => _count;

        public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes)
        {
            Interlocked.Increment(ref _count);
            return _hash.IsGood(info, piece, bytes);
        }
    }
}
