using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Discovery;
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
        var torrent = fixture.Engine.Add(
            Metainfo.Read(swarm.Torrent.TorrentFile($"http://{silent.LocalEndpoint}/announce", swarm.Tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, Size);

        // The first one still waits for its answer.
        using var client = await asked;
        var buffer = new byte[4_096];
        Assert.InRange(await client.GetStream().ReadAsync(buffer), 1, buffer.Length);
        Assert.False(client.Client.Poll(0, SelectMode.SelectRead), "it was given up first");
        silent.Stop();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Peers_that_a_tracker_writes_as_mapped_IPv6_addresses_are_reached(bool isPrivate)
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate), SwarmFixture.Seeders(1));
        var mapped = swarm.Endpoints.Select(static peer => new IPEndPoint(peer.Address.MapToIPv6(), peer.Port));
        await using var tracker = new MockTracker(swarm.Torrent, mapped) { Verbose = true };
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Equal(swarm.Endpoints, torrent.GetDetails().Peers.Select(static peer => peer.Address));
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
            await Until.TrueAsync(() => trackers.All(static tracker => tracker.Announces.Count == 1));
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
    public async Task Downloaded_has_bad_and_needless_bytes_too_and_says_how_many()
    {
        var isFirst = 1;
        var options = new SeederOptions
        {
            Act = _ => Interlocked.Exchange(ref isFirst, 0) == 1 ? BlockAction.Corrupt : BlockAction.Serve,
        };
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2, options));
        await using (var fixture = new SwarmFixture(swarm))
        {
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
        }

        var stopped = swarm.Tracker.Announces.Last();
        var (corrupt, redundant) = (Number(stopped, "corrupt"), Number(stopped, "redundant"));
        Assert.Equal(("stopped", SwarmFixture.PieceLength), (Event(stopped), corrupt));
        Assert.Equal(Size, Number(stopped, "downloaded") - corrupt - redundant);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Trackers_are_left_once_the_last_peer_is_gone(bool closesEngine)
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 2);
        var left = -1;
        swarm.Tracker.Reply = target =>
        {
            if (target.Contains("event=stopped", StringComparison.Ordinal))
                left = torrent.GetStatus().Peers;
            return null;
        };
        await (closesEngine ? fixture.Engine.DisposeAsync() : torrent.DisposeAsync());
        Assert.Equal(0, left);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_public_tracker_that_did_not_answer_last_time_is_left_in_a_second_and_a_private_one_gets_its_time(bool isPrivate)
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Scripted.ScriptedSwarm(new MockTorrent("film.mkv", content, isPrivate), isDescribed: true);
        var (client, tracker) = (new DyingTracker(), new Uri("http://127.0.0.1:1/announce"));
        var loop = new TrackerLoop(client, swarm.Torrent.Swarm, [[tracker]], key: 1);
        loop.Start();
        await Until.TrueAsync(() => loop.Statuses is [{ State: TrackerState.Working }]);
        client.IsDead = true;
        loop.Reannounce();
        await Until.TrueAsync(() => loop.Statuses is [{ State: TrackerState.Failed }]);
        var closing = loop.DisposeAsync().AsTask();
        var token = await client.Leaving.Task;
        swarm.Time.Advance(TrackerLoop.BriefStoppedTimeout);
        Assert.Equal(!isPrivate, token.IsCancellationRequested);
        swarm.Time.Advance(TimeSpan.FromSeconds(7));
        await closing;
    }

    [Fact]
    public async Task A_host_gets_sixteen_goodbyes_at_a_time_and_announces_do_not_wait_for_them()
    {
        var hold = new TaskCompletionSource();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), []);
        swarm.Tracker.Hold = hold.Task;
        swarm.Tracker.HoldsGoodbyes = true;
        using var client = new HttpTrackerClient([new SocketsHttpHandler()], static () => true, TimeProvider.System);
        var hash = new InfoHash(swarm.Torrent.Hash.Span);
        Task<TrackerAnswer> Ask(TrackerEvent why) =>
            client.AnnounceAsync(new Uri(swarm.Tracker.Url), new TrackerRequest(hash, default, 1, 0, 0, 0, why), default);
        var goodbyes = Enumerable.Range(0, 40).Select(_ => Ask(TrackerEvent.Stopped)).ToArray();
        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 16);
        var announces = Enumerable.Range(0, 6).Select(_ => Ask(TrackerEvent.None)).ToArray();
        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 20);
        Assert.Equal(16, swarm.Tracker.Announces.Count(static query => Event(query) == "stopped"));
        hold.SetResult();
        Assert.All(await Task.WhenAll([.. goodbyes, .. announces]), static answer => Assert.Null(answer.Failure));
        Assert.Equal(46, swarm.Tracker.Announces.Count);
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
            await fixture.ReadAsync(
                fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url, second.Url)).Value!), 0, Size);
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
        Assert.Equal(swarm.Endpoints.OrderBy(static peer => peer.Port),
            saved.Load(hash).Select(static peer => peer.Endpoint).OrderBy(static peer => peer.Port));
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

    private static long Number(string query, string name) =>
        long.Parse(Field(query, name), NumberStyles.None, CultureInfo.InvariantCulture);

    private static string Event(string query) => Field(query, "event");

    private static string Field(string query, string name) =>
        query.Split('&').Select(static field => field.Split('=')).FirstOrDefault(field => field[0] == name) is [_, var value]
            ? value : string.Empty;
}
