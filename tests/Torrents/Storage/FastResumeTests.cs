using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>What a start believes without hashing, and what it does not.</summary>
public sealed class FastResumeTests : IDisposable
{
    private const int Size = 1_000_000;

    private readonly KeptFixture _kept = new();

    private string Film => Path.Combine(_kept.Keep, "Job", "a", "film.mkv");

    private TorrentOptions Options => _kept.Options;

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task A_file_edited_in_place_is_hashed_before_anything_of_it_is_held_and_no_other()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        Edit();

        // A check that is not completed counts for nothing.
        var check = new Check();
        await using (var fixture = new SwarmFixture(swarm, Options, check: check))
        {
            check.Stopping = new CancellationTokenSource();
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.True(torrent.IsChecking);
            Assert.InRange(torrent.GetStatus().Have, 0, 3);
            torrent.Swarm.Stopping.Register(check.Stopping.Cancel);
            await Until.TrueAsync(() => check.Count > 0);
        }

        Assert.InRange(check.Count, 1, 2);
        check = new Check();
        var pieces = 3_000_001 / SwarmFixture.PieceLength + 1;
        await using (var fixture = new SwarmFixture(swarm, Options, check: check))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await Until.TrueAsync(() => !torrent.IsChecking && torrent.GetStatus() is var status && status.Have == status.Pieces - 1);
            Assert.Equal(pieces, check.Count);
            torrent.AddPeers(swarm.Endpoints);
            torrent.FetchAll(true);
            await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces && torrent.CountUnwritten() == 0);
            Assert.Equal(SwarmFixture.PieceLength, torrent.GetStatus().Bytes.Payload);
        }

        await _kept.AssertFilesAsync(swarm.Torrent, "Job");
        check = new Check();
        await using (var fixture = new SwarmFixture(swarm, Options, check: check))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.Equal((torrent.GetStatus().Pieces, false), (torrent.GetStatus().Have, torrent.IsChecking));
            Assert.Equal(0, check.Count);
        }
    }

    [Fact]
    public async Task A_time_that_the_disk_has_rounded_is_no_change()
    {
        await using var swarm = new Swarm(KeptFixture.Several(), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        var time = File.GetLastWriteTimeUtc(Film).Ticks;
        File.SetLastWriteTimeUtc(Film, new DateTime(time - (time % (2 * TimeSpan.TicksPerSecond)), DateTimeKind.Utc));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            Assert.Equal((torrent.GetStatus().Pieces, false), (torrent.GetStatus().Have, torrent.IsChecking));
        }
    }

    [Fact]
    public async Task Names_that_differ_in_case_only_are_kept_under_names_that_differ_more()
    {
        SwarmFile[] files =
        [
            new("ReadMe.txt", 100_000), new("readme.txt", 100_000), new("README.TXT", 70_000),
            new("a/B", 10), new("A/b", 20),
        ];
        var torrent = new MockTorrent("Job", SwarmContent.Make(3, SwarmFixture.PieceLength, files));
        await using var swarm = new Swarm(torrent, SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await KeptFixture.FetchAsync(fixture);
        Assert.Equal(
            ["A/b (2)", "README (3).TXT", "ReadMe.txt", "a/B", "readme (2).txt"],
            KeptFixture.FilesIn(_kept.Keep)
                .Select(file => Path.GetRelativePath(Path.Combine(_kept.Keep, "Job"), file)).Order(StringComparer.Ordinal));
        await using (var fixture = new SwarmFixture(swarm, Options))
        {
            var again = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await KeptFixture.ReadAllAsync(fixture, again);
            Assert.Equal(0, again.GetStatus().Bytes.Payload);
            await fixture.Engine.RemoveAsync(again.Hash);
        }

        Assert.Empty(KeptFixture.FilesIn(_kept.Keep));
    }

    [Fact]
    public void Names_that_the_disk_takes_for_one_get_a_file_each()
    {
        // One é is a single character, the other an e and an accent. This disk knows the file by the name that came first.
        SwarmFile[] files = [new("\u00e9.txt", SwarmFixture.PieceLength), new("e\u0301.txt", SwarmFixture.PieceLength)];
        var torrent = new MockTorrent("Job", SwarmContent.Make(3, SwarmFixture.PieceLength, files));
        var info = Metainfo.Read(torrent.TorrentFile()).Value!.Info;
        var names = new Dictionary<string, string>(StringComparer.Ordinal);
        var path = Path.Combine(_kept.Cache, info.Hash.ToString());
        var records = new KeptRecords(_kept.Cache);
        records.Make(info, _kept.Keep);
        var bytes = new byte[2 * SwarmFixture.PieceLength];
        torrent.Content.Fill(0, bytes);
        for (var run = 0; run < 2; run++)
        {
            var open = new OpenFiles(8);
            using var disk = new KeptDisk(info, records.Find(info.Hash)!, path, open, records.Roots, Fold);
            disk.Write(0, bytes.AsSpan(0, SwarmFixture.PieceLength));
            disk.Write(SwarmFixture.PieceLength, bytes.AsSpan(SwarmFixture.PieceLength));
            disk.Flush();
        }

        Assert.Equal(["\u00e9.txt", "e\u0301 (2).txt"], records.Find(info.Hash)!.Files);
        Assert.Equal(bytes[..SwarmFixture.PieceLength], File.ReadAllBytes(Path.Combine(_kept.Keep, "Job", "\u00e9.txt")));
        Assert.Equal(bytes[SwarmFixture.PieceLength..], File.ReadAllBytes(Path.Combine(_kept.Keep, "Job", "e\u0301 (2).txt")));

        string Fold(string name)
        {
            var key = name.Replace("e\u0301", "\u00e9", StringComparison.Ordinal);
            return names.TryGetValue(key, out var known) ? known : names[key] = name;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Claims_of_cached_data_that_is_gone_do_not_hold_for_what_is_written_next(bool isGone)
    {
        var (cache, next) = (_kept.Cache, Path.Combine(_kept.Root, "next"));
        var options = Options with { CacheBytes = 1 << 30 };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, options))
            await fixture.ReadAsync(fixture.Add(), 0, Size);
        var data = Directory.GetFiles(cache, "*.data").Single();
        if (isGone)
        {
            File.Delete(data);
        }
        else
        {
            await using var file = File.OpenWrite(data);
            file.SetLength(SwarmFixture.PieceLength);
        }

        // Nothing is claimed while the clock stands still. The files are copied as a kill would leave them.
        await using (var fixture = new SwarmFixture(swarm, options, new ManualTimeProvider()))
        {
            var torrent = fixture.Add();
            await fixture.ReadAsync(torrent, Size - 1_000, Size);
            await Until.TrueAsync(() => torrent.CountUnwritten() == 0);
            Directory.CreateDirectory(next);
            foreach (var file in Directory.GetFiles(cache))
                File.Copy(file, Path.Combine(next, Path.GetFileName(file)));
        }

        await using (var fixture = new SwarmFixture(swarm, options with { CacheFolder = next }))
            await fixture.ReadAsync(fixture.Add(), 0, Size);
    }

    /// <summary>Changes one byte of the film.</summary>
    private void Edit()
    {
        using var file = File.Open(Film, FileMode.Open, FileAccess.ReadWrite);
        file.Position = SwarmFixture.PieceLength + 5;
        var before = file.ReadByte();
        file.Position--;
        file.WriteByte((byte)(before ^ 1));
    }

    /// <summary>Checks hashes and counts the checks.</summary>
    private sealed class Check : IPieceCheck
    {
        private readonly HashCheck _hash = new();
        private int _count;

        /// <summary>Each check waits until this is cancelled; null: it does not.</summary>
        public CancellationTokenSource? Stopping { get; set; }

        public int Count => _count;

        public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes)
        {
            Interlocked.Increment(ref _count);
            Stopping?.Token.WaitHandle.WaitOne();
            return _hash.IsGood(info, piece, bytes);
        }
    }
}
