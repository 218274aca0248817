using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests;

/// <summary>What trackers are told, when, and what of their answers is kept.</summary>
public sealed class TrackerTests : IDisposable
{
    private const long Size = 1_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_silent_tracker_delays_no_other()
    {
        var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var asked = silent.AcceptTcpClientAsync();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile($"http://{silent.LocalEndpoint}/announce", swarm.Tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, Size);

        // The first one still waits for its answer.
        using var client = await asked;
        var buffer = new byte[4_096];
        Assert.InRange(await client.GetStream().ReadAsync(buffer), 1, buffer.Length);
        Assert.False(client.Client.Poll(0, SelectMode.SelectRead), "it was given up first");
        silent.Stop();
    }

    [Fact]
    public async Task Trackers_are_sent_started_completed_and_stopped()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var second = new MockTracker(swarm.Torrent, []);
        MockTracker[] trackers = [swarm.Tracker, second];
        var options = new TorrentOptions { CacheFolder = _folder.FullName };
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url, second.Url)).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => trackers.All(static tracker => tracker.Announces.Count == 2));
        }

        foreach (var tracker in trackers)
        {
            Assert.Equal(["started", "completed", "stopped"], tracker.Announces.Select(Event));
            Assert.Equal(["1000000", "0", "0"], tracker.Announces.Select(static query => Field(query, "left")));
            Assert.StartsWith("NzbDav/", tracker.UserAgent, StringComparison.Ordinal);
        }

        // BEP 3: no "completed" for what was whole when it was started.
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(second.Url)).Value!);
            await fixture.ReadAsync(torrent, 0, Size);

            // Its answer is here: a tracker that has not answered hears no goodbye.
            await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working }]);
        }

        Assert.Equal(["started", "stopped"], second.Announces.Skip(3).Select(Event));
    }

    [Fact]
    public async Task A_failing_tracker_is_retried_with_growing_pauses_and_is_still_sent_started_first()
    {
        var time = new ManualTimeProvider();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), []);
        swarm.Tracker.Failure = "overloaded";
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, time);
        engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);

        // The store's timer, the torrent's, and the pause's.
        foreach (var (asked, pause) in new[] { (1, 15), (2, 30), (3, 60) })
        {
            await Until.TrueAsync(() => swarm.Tracker.Announces.Count == asked && time.ArmedTimers == 3);
            time.Advance(TimeSpan.FromSeconds(pause - 1));
            Assert.Equal(asked, swarm.Tracker.Announces.Count);
            swarm.Tracker.Failure = asked < 3 ? "overloaded" : null;
            time.Advance(TimeSpan.FromSeconds(1));
        }

        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 4 && time.ArmedTimers == 3);
        time.Advance(TimeSpan.FromSeconds(15));
        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 5);
        Assert.Equal(["started", "started", "started", "started", ""], swarm.Tracker.Announces.Select(Event));
    }

    [Fact]
    public async Task Trackers_of_a_private_torrent_are_asked_one_at_a_time()
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate: true), SwarmFixture.Seeders(1));
        await using var second = new MockTracker(swarm.Torrent, []);
        await using (var fixture = new SwarmFixture(swarm, new TorrentOptions { CacheFolder = _folder.FullName }))
            await fixture.ReadAsync(fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url, second.Url)).Value!), 0, Size);
        Assert.NotEmpty(swarm.Tracker.Announces);
        Assert.Empty(second.Announces);
        Assert.Empty(_folder.EnumerateFiles("*.peers"));
    }

    [Fact]
    public async Task Peers_reached_before_are_dialled_next_time_without_a_tracker()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        var options = new TorrentOptions { CacheFolder = _folder.FullName };
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
            torrent.AddPeers(new IPEndPoint(IPAddress.Loopback, 1));
            await Until.TrueAsync(() => Reached(torrent) == 2);
            await fixture.ReadAsync(torrent, 0, Size / 2);
        }

        var saved = new SavedPeers(_folder.FullName, TimeProvider.System);
        var hash = Assert.Single(saved.List());
        Assert.Equal(swarm.Endpoints.OrderBy(static peer => peer.Port), saved.Load(hash).Select(static peer => peer.Endpoint).OrderBy(static peer => peer.Port));
        await using (var fixture = new SwarmFixture(swarm, options))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
            await fixture.Engine.RemoveAsync(torrent.Hash);
        }

        Assert.Empty(_folder.EnumerateFiles());
    }

    [Fact]
    public void Saved_peers_round_trip_and_are_forgotten_after_a_month()
    {
        var time = new ManualTimeProvider(TimeProvider.System.GetUtcNow());
        var saved = new SavedPeers(_folder.FullName, time);
        var hash = InfoHash.Of([1, 2, 3]);
        SavedPeer[] peers =
        [
            new(IPEndPoint.Parse("192.0.2.7:6881"), PeerSources.Tracker | PeerSources.Dht, IsPlain: true),
            new(IPEndPoint.Parse("[2001:db8::1]:6882"), PeerSources.Local, IsPlain: false, Misses: 1),
            new(IPEndPoint.Parse("192.0.2.8:6883"), PeerSources.Exchange, IsPlain: false, Misses: 2),
        ];
        saved.Save(hash, peers);
        Assert.Equal(peers.OrderBy(static peer => peer.Endpoint.Port), saved.Load(hash).OrderBy(static peer => peer.Endpoint.Port));
        Assert.Equal([hash], saved.List());
        Assert.Empty(saved.Load(InfoHash.Of([4])));

        File.WriteAllBytes(Path.Combine(_folder.FullName, InfoHash.Of([5]) + ".peers"), "d5:peers99:"u8);
        Assert.Empty(saved.Load(InfoHash.Of([5])));
        time.Advance(TimeSpan.FromDays(31));
        Assert.Empty(saved.List());
        Assert.Empty(_folder.EnumerateFiles());
    }

    private static int Reached(Torrent torrent)
    {
        lock (torrent.Swarm.Gate)
            return torrent.Swarm.Book.ListReached(SavedPeers.Most).Count;
    }

    private static string Event(string query) => Field(query, "event");

    private static string Field(string query, string name) =>
        query.Split('&').Select(static field => field.Split('=')).FirstOrDefault(field => field[0] == name) is [_, var value] ? value : string.Empty;
}
