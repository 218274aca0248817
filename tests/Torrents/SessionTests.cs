using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>Which torrents are open, and what stays of those that are not.</summary>
public sealed class SessionTests : IDisposable
{
    private const long Size = 4_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task An_unused_torrent_is_closed_and_reopened_by_the_next_reader()
    {
        var time = new ManualTimeProvider();
        await using var swarm = NewSwarm(7);
        await using var sessions = Open(time);
        var metainfo = MetainfoOf(swarm);
        var content = sessions.Open(metainfo, metainfo.Info.Files[0]);
        await using (var reader = content.OpenReader(0, Size, ReadIntent.Playback))
        {
            (await reader.NextAsync(CancellationToken.None)).Dispose();
            time.Advance(TimeSpan.FromHours(1));
            await sessions.CloseIdleAsync();
            Assert.Single(sessions.Engine.Torrents);
            await ReadAsync(reader, swarm);
        }

        time.Advance(TimeSpan.FromMinutes(9));
        await sessions.CloseIdleAsync();
        Assert.Single(sessions.Engine.Torrents);
        time.Advance(TimeSpan.FromMinutes(1));
        await sessions.CloseIdleAsync();
        Assert.Empty(sessions.Engine.Torrents);
        Assert.Equal([metainfo.Info.Hash], sessions.List());

        await using (var reader = content.OpenReader(0, Size, ReadIntent.Playback))
            await ReadAsync(reader, swarm);
        Assert.Equal(0, Assert.Single(sessions.Engine.Torrents).GetStatus().Bytes.Payload);
    }

    [Fact]
    public async Task A_reader_waits_while_its_torrent_is_being_closed_and_then_reads()
    {
        await using var swarm = NewSwarm(7);
        await using var sessions = Open(TimeProvider.System);
        var metainfo = MetainfoOf(swarm);
        var content = sessions.Open(metainfo, metainfo.Info.Files[0]);
        for (var i = 0; i < 5; i++)
        {
            await using (var first = content.OpenReader(0, Size, ReadIntent.Playback))
                (await first.NextAsync(CancellationToken.None)).Dispose();
            var removing = sessions.RemoveAsync(metainfo.Info.Hash);
            await using (var reader = content.OpenReader(0, Size, ReadIntent.Playback))
                await ReadAsync(reader, swarm);
            await removing;
        }
    }

    [Fact]
    public async Task A_removed_torrent_is_deleted_from_disk_whether_open_or_closed()
    {
        await using var swarm = NewSwarm(7);
        var metainfo = MetainfoOf(swarm);
        for (var start = 0; start < 2; start++)
        {
            await using (var sessions = Open(TimeProvider.System))
            {
                await ReadAsync(sessions, metainfo, swarm);
                if (start == 1)
                    await sessions.RemoveAsync(metainfo.Info.Hash);
            }

            Assert.Equal(start == 0, _folder.EnumerateFiles().Any());
            await using (var sessions = Open(TimeProvider.System))
            {
                Assert.Equal(start == 0 ? [metainfo.Info.Hash] : [], sessions.List());
                await sessions.RemoveAsync(metainfo.Info.Hash);
                Assert.Equal(0, sessions.Engine.CachedBytes);
            }

            Assert.Empty(_folder.EnumerateFiles());
        }
    }

    [Fact]
    public async Task Data_of_closed_torrents_counts_towards_the_limit_and_is_evicted_first()
    {
        await using var old = NewSwarm(1);
        await using var newer = NewSwarm(2);
        await using var current = NewSwarm(3);
        await using (var sessions = Open(TimeProvider.System))
            await ReadAsync(sessions, MetainfoOf(old), old);
        File.SetLastWriteTimeUtc(_folder.EnumerateFiles("*.resume").Single().FullName, new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        await using (var sessions = Open(TimeProvider.System))
            await ReadAsync(sessions, MetainfoOf(newer), newer);

        // Room for two of the three.
        await using (var sessions = Open(TimeProvider.System, cache: 9_000_000))
        {
            Assert.InRange(sessions.Engine.CachedBytes, 2 * Size, (2 * Size) + SwarmFixture.PieceLength);
            await ReadAsync(sessions, MetainfoOf(current), current);
        }

        Assert.Equal(
            new[] { newer, current }.Select(static swarm => MetainfoOf(swarm).Info.Hash + ".data").Order(),
            _folder.EnumerateFiles("*.data").Select(static file => file.Name).Order());
    }

    [Fact]
    public async Task Unclaimed_data_is_removed_at_startup()
    {
        var hash = new string('a', 40);
        await File.WriteAllBytesAsync(Path.Combine(_folder.FullName, hash + ".data"), new byte[100]);
        await File.WriteAllBytesAsync(Path.Combine(_folder.FullName, hash + ".gone"), new byte[100]);
        await File.WriteAllBytesAsync(Path.Combine(_folder.FullName, "other.txt"), new byte[100]);
        await using var sessions = Open(TimeProvider.System);
        Assert.Equal(["other.txt"], _folder.EnumerateFiles().Select(file => file.Name));
    }

    [Fact]
    public void A_written_torrent_file_reads_back_the_same()
    {
        var made = SwarmFixture.OneFile(Size);
        var info = Metainfo.Read(made.TorrentFile()).Value!.Info;
        EndPoint[] peers = [IPEndPoint.Parse("127.0.0.1:6881"), IPEndPoint.Parse("[::1]:6882"), new DnsEndPoint("peer.example", 6883)];
        var read = Metainfo.Read(new Metainfo(
            info, [[new Uri("http://a.example/announce"), new Uri("udp://b.example:80")], [new Uri("http://c.example/")]], peers).Write());
        Assert.True(read.Succeeded, read.Error);
        Assert.Equal(info.Hash, read.Value.Info.Hash);
        Assert.Equal(["http://a.example/announce", "udp://b.example:80/", "http://c.example/"],
            read.Value.Trackers.SelectMany(tier => tier).Select(uri => uri.ToString()));
        Assert.Equal([2, 1], read.Value.Trackers.Select(tier => tier.Count));
        Assert.Equal(peers, read.Value.Peers);
    }

    [Fact]
    public async Task Peers_of_a_private_torrent_come_only_from_its_tracker()
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate: true), SwarmFixture.Seeders(1));
        var info = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info;
        var metainfo = new Metainfo(info, [], [.. swarm.Endpoints]);
        Assert.Empty(metainfo.Peers);

        // Not even where a file says so.
        var said = swarm.Torrent.TorrentFile();
        var peer = swarm.Endpoints.First().ToString();
        said = [.. said[..^1], .. System.Text.Encoding.ASCII.GetBytes($"4:x.pel{peer.Length}:{peer}ee")];
        Assert.Empty(Metainfo.Read(said).Value!.Peers);

        await using var sessions = Open(TimeProvider.System);
        await ReadAsync(sessions, Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!, swarm);
    }

    [Fact]
    public async Task A_torrent_that_failed_while_it_was_closed_can_be_used_again_and_removed()
    {
        await using var swarm = NewSwarm(7);
        var metainfo = MetainfoOf(swarm);
        var options = new TorrentOptions
        { CacheFolder = _folder.FullName, Workers = 2, Dht = true, DhtBootstrap = [], Listen = new IPEndPoint(IPAddress.Loopback, 0) };
        var engine = new TorrentEngine(
            options, TimeProvider.System, metrics: null, pool: null, dialer: null, new HashCheck(), datagrams: new FailingChannel());
        await using var sessions = new TorrentSessions(engine, TimeProvider.System, TimeSpan.FromMinutes(10));
        for (var i = 0; i < 2; i++)
        {
            await ReadAsync(sessions, metainfo, swarm);
            await Assert.ThrowsAsync<NotSupportedException>(() => sessions.CloseAsync(metainfo.Info.Hash));
            Assert.Empty(engine.Torrents);
        }

        // The data of the first use were claimed.
        using (var lease = await sessions.UseAsync(metainfo, default))
            Assert.Equal(lease.Torrent.GetStatus().Pieces, lease.Torrent.GetStatus().Have);
        await Assert.ThrowsAsync<NotSupportedException>(() => sessions.RemoveAsync(metainfo.Info.Hash));
        Assert.Empty(sessions.List());
        Assert.Empty(_folder.EnumerateFiles("*.data"));
    }

    private static Swarm NewSwarm(ulong seed) => new(SwarmFixture.OneFile(Size, seed: seed), SwarmFixture.Seeders(1));

    private static Metainfo MetainfoOf(Swarm swarm) => Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!;

    private static async Task ReadAsync(TorrentSessions sessions, Metainfo metainfo, Swarm swarm)
    {
        await using var reader = sessions.Open(metainfo, metainfo.Info.Files[0]).OpenReader(0, Size, ReadIntent.Playback);
        await ReadAsync(reader, swarm);
    }

    /// <summary>Reads on to the end and compares.</summary>
    private static async Task ReadAsync(ContentReader reader, Swarm swarm)
    {
        var expected = new byte[256 << 10];
        while (reader.Position < Size)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.False(lease.IsEmpty, $"ended at {at}");
            swarm.Torrent.Content.Fill(at, expected.AsSpan(0, lease.Length));
            Assert.True(lease.Memory.Span.SequenceEqual(expected.AsSpan(0, lease.Length)), $"wrong bytes at {at}");
        }
    }

    private TorrentSessions Open(TimeProvider time, long cache = 1L << 30) => new(
        new TorrentEngine(new TorrentOptions
        {
            CacheFolder = _folder.FullName,
            CacheBytes = cache,
            Workers = 2,
            Listen = new IPEndPoint(IPAddress.Loopback, 0)
        }, TimeProvider.System),
        time,
        TimeSpan.FromMinutes(10));

    /// <summary>Every search in the DHT fails with an unexpected exception.</summary>
    private sealed class FailingChannel : IDatagramChannel
    {
        public Task WhenKnownAsync() => throw new NotSupportedException("A bug.");

        public string? Trouble => null;

        public bool CarriesNames => false;

        public void Send(string host, int port, ReadOnlySpan<byte> datagram)
        {
        }

        public int PortOf(AddressFamily family) => 0;

        public bool CanReach(AddressFamily family) => false;

        public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
        {
        }

        public IDisposable Register(DatagramHandler handler) => this;

        public void Dispose()
        {
        }
    }
}
