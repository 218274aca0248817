using System.IO.Compression;
using System.Text;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>What HTTP trackers answer besides peers, and how they are asked again.</summary>
public sealed class HttpTrackerTests : IAsyncDisposable
{
    private readonly ManualTimeProvider _time = new(new DateTimeOffset(2026, 11, 28, 12, 0, 0, TimeSpan.Zero));
    private readonly Swarm _swarm = new(SwarmFixture.OneFile(100_000), []);
    private readonly HttpTrackerClient _client;

    public HttpTrackerTests() => _client = new HttpTrackerClient([new SocketsHttpHandler()], static () => true, _time);

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _swarm.DisposeAsync();
    }

    [Theory]
    [InlineData("301 Moved Permanently")]
    [InlineData("302 Found")]
    [InlineData("307 Temporary Redirect")]
    public async Task A_redirect_is_followed_and_gets_back_the_query_that_it_lost(string status)
    {
        await using var old = Redirecting(status, _swarm.Tracker.Url);
        var answer = await AskAsync(old.Url + "?passkey=abc");
        Assert.Null(answer.Failure);
        Assert.StartsWith("passkey=abc&info_hash=", Assert.Single(_swarm.Tracker.Announces), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Through_a_proxy_no_redirect_leads_into_the_own_network()
    {
        // Stands for the proxy: a handler sees its address alone.
        using var proxied = new HttpTrackerClient(
            [new SocketsHttpHandler()], static () => false, _time, static host => host == "localhost" ? "localhost is refused" : null);
        await using var away = Redirecting("302 Found", _swarm.Tracker.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal));
        var request = new TrackerRequest(
            new InfoHash(_swarm.Torrent.Hash.Span), InfoHash.Of([2]), 1, 0, 0, 0, TrackerEvent.Started);
        Assert.Equal("localhost is refused", (await proxied.AnnounceAsync(new Uri(away.Url), request, default)).Failure);
        Assert.Null((await _client.AnnounceAsync(new Uri(away.Url), request, default)).Failure);
        Assert.Single(_swarm.Tracker.Announces);
    }

    [Fact]
    public async Task A_passkey_is_not_carried_to_another_host_and_a_query_that_came_along_stays()
    {
        await using var away = Redirecting("302 Found", _swarm.Tracker.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal));
        Assert.Null((await AskAsync(away.Url + "?passkey=abc")).Failure);
        await using var whole = new MockTracker(_swarm.Torrent, []);
        whole.Reply = target => ("302 Found", $"Location: {_swarm.Tracker.Url}?x=1&{target.Split('?')[1]}\r\n", []);
        Assert.Null((await AskAsync(whole.Url)).Failure);
        Assert.StartsWith("info_hash=", _swarm.Tracker.Announces.First(), StringComparison.Ordinal);
        Assert.StartsWith("x=1&info_hash=", _swarm.Tracker.Announces.Last(), StringComparison.Ordinal);
        Assert.Equal(1, _swarm.Tracker.Announces.Last().Split("info_hash").Length - 1);
    }

    [Fact]
    public async Task A_torrent_file_is_fetched_only_if_it_is_the_right_one_and_small_enough()
    {
        var torrent = _swarm.Torrent;
        var hash = new InfoHash(torrent.Hash.Span);
        var (status, headers, body) = ("200 OK", "", torrent.TorrentFile());
        _swarm.Tracker.Reply = _ => (status, headers, body);
        var address = new Uri(_swarm.Tracker.Url);
        Assert.Equal(hash, (await _client.FetchAsync(address, hash, default))?.Info.Hash);
        Assert.Null(await _client.FetchAsync(address, InfoHash.Of([1]), default));
        status = "403 Forbidden";
        Assert.Null(await _client.FetchAsync(address, hash, default));
        (status, body) = ("200 OK", "<html>"u8.ToArray());
        Assert.Null(await _client.FetchAsync(address, hash, default));
        body = new byte[Metainfo.MostBytes + 1];
        Assert.Null(await _client.FetchAsync(address, hash, default));
    }

    [Theory]
    [InlineData("ftp://127.0.0.1/announce", "not of HTTP")]
    [InlineData("/announce", "redirects more than 5 times")]
    public async Task A_redirect_that_leads_nowhere_is_told(string to, string reason)
    {
        await using var tracker = Redirecting("301 Moved Permanently", to);
        Assert.Contains(reason, (await AskAsync(tracker.Url)).Failure, StringComparison.Ordinal);
        Assert.InRange(tracker.Announces.Count, 1, 6);
    }

    [Theory]
    [InlineData("Content-Encoding: gzip\r\n")]
    [InlineData("")]
    public async Task An_answer_that_was_packed_unasked_is_unpacked(string header)
    {
        var body = Packed("d8:intervali900e5:peers6:\u007f\u0000\u0000\u0001\u001b\u0039e");
        _swarm.Tracker.Reply = _ => ("200 OK", header, body);
        var answer = await AskAsync(_swarm.Tracker.Url);
        Assert.Equal("127.0.0.1:6969", Assert.Single(answer.Peers).ToString());
        var counts = Packed("d5:filesd20:aaaaaaaaaaaaaaaaaaaad8:completei4e10:downloadedi2e10:incompletei1eeee");
        _swarm.Tracker.Reply = _ => ("200 OK", header, counts);
        Assert.Equal(new TrackerCounts(4, 1, 2), await _client.ScrapeAsync(new Uri(_swarm.Tracker.Url), InfoHash.Of([1]), default));
    }

    [Fact]
    public async Task What_unpacks_to_more_than_two_MiB_is_not_read()
    {
        _swarm.Tracker.Reply = _ => ("200 OK", "", Packed("d8:intervali900e5:peers3000000:" + new string('a', 3_000_000) + "e"));
        Assert.Equal("the tracker's answer cannot be read", (await AskAsync(_swarm.Tracker.Url)).Failure);
    }

    [Theory]
    [InlineData("8:retry in5:never", -1.0 / 60_000)]
    [InlineData("8:retry ini7e", 7.0)]
    [InlineData("8:retry in2:90", 90.0)]
    [InlineData("8:retry ini-4e", 0.0)]
    [InlineData("8:retry ini999999999999e", 1_440.0)]
    [InlineData("8:retry in4:soon", null)]
    [InlineData("8:retry inli7ee", null)]
    public void A_refusal_says_when_to_ask_again(string field, double? minutes)
    {
        var body = $"d14:failure reason17:TORRENT NOT FOUND8:intervali7200e12:min intervali7200e{field}e";
        var answer = HttpTrackerClient.Read(Encoding.ASCII.GetBytes(body));
        Assert.Equal(("TORRENT NOT FOUND", TimeSpan.FromHours(2)), (answer.Failure, answer.RetryAfter));
        Assert.Equal(minutes, answer.RetryIn?.TotalMinutes);
    }

    [Theory]
    [InlineData("429 Too Many Requests", "Retry-After: 600", 600)]
    [InlineData("503 Service Unavailable", "Retry-After: Sat, 28 Nov 2026 12:02:00 GMT", 120)]
    [InlineData("503 Service Unavailable", "Server: x", null)]
    public async Task Retry_After_is_a_pause_that_the_tracker_demands(string status, string header, int? seconds)
    {
        _swarm.Tracker.Reply = _ => (status, header + "\r\n", "<html>"u8.ToArray());
        var answer = await AskAsync(_swarm.Tracker.Url);
        Assert.Equal($"the tracker answers {status[..3]}", answer.Failure);
        Assert.Equal(seconds, (int?)answer.RetryIn?.TotalSeconds);
    }

    [Theory]
    [InlineData(10, 300)]
    [InlineData(900, 900)]
    [InlineData(100_000, 21_600)]
    public void An_interval_is_five_minutes_to_six_hours(int sent, int seconds) =>
        Assert.Equal(seconds, HttpTrackerClient.Read(Encoding.ASCII.GetBytes($"d8:intervali{sent}ee")).Interval.TotalSeconds);

    [Fact]
    public async Task A_warning_is_shown_and_the_trackers_id_is_sent_back()
    {
        _swarm.Tracker.Reply = _ => ("200 OK", "", "d8:intervali1800e10:tracker id3:a&b15:warning message15:Ratio below 1.0e"u8.ToArray());
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, _time);
        var torrent = engine.Add(Metainfo.Read(_swarm.Torrent.TorrentFile(_swarm.Tracker.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working, Message: "Ratio below 1.0" }]);
        torrent.Reannounce();
        await Until.TrueAsync(() => _swarm.Tracker.Announces.Count == 2);
        Assert.DoesNotContain("trackerid", _swarm.Tracker.Announces.First(), StringComparison.Ordinal);
        Assert.Contains("&trackerid=a%26b", _swarm.Tracker.Announces.Last(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_interval_beside_a_refusal_counts_from_the_third_one_on_and_an_announce_on_demand_is_made_at_once()
    {
        _swarm.Tracker.Reply = _ => ("200 OK", "", "d14:failure reason12:unregistered8:intervali7200ee"u8.ToArray());
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, _time);
        var torrent = engine.Add(Metainfo.Read(_swarm.Torrent.TorrentFile(_swarm.Tracker.Url)).Value!);
        foreach (var (asked, pause) in new[] { (1, 15), (2, 30), (3, 7_200), (4, 7_200) })
            await PauseAsync(torrent, asked, TimeSpan.FromSeconds(pause));
        await WaitsAsync(torrent, 5);
        torrent.Reannounce();
        await Until.TrueAsync(() => _swarm.Tracker.Announces.Count == 6);
    }

    [Fact]
    public async Task A_pause_that_a_tracker_demands_is_kept_also_when_somebody_asks_for_an_announce()
    {
        _swarm.Tracker.Reply = _ => ("429 Too Many Requests", "Retry-After: 600\r\n", []);
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, _time);
        var torrent = engine.Add(Metainfo.Read(_swarm.Torrent.TorrentFile(_swarm.Tracker.Url)).Value!);
        await WaitsAsync(torrent, 1);
        var refused = _time.GetTimestamp();
        _time.Advance(TimeSpan.FromSeconds(100));
        torrent.Reannounce();
        await Until.TrueAsync(() =>
        {
            if (_swarm.Tracker.Announces.Count == 1)
                _time.Advance(TimeSpan.FromSeconds(1));
            return _swarm.Tracker.Announces.Count == 2;
        });
        Assert.InRange(_time.GetElapsedTime(refused), TimeSpan.FromSeconds(600), TimeSpan.MaxValue);
    }

    [Theory]
    [InlineData(false, 15)]
    [InlineData(true, 300)]
    public async Task A_torrent_without_peers_asks_again_early_but_a_private_one_not_within_five_minutes(bool isPrivate, int seconds)
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]);
        var torrent = new MockTorrent("film.mkv", content, isPrivate);
        await using var tracker = new MockTracker(torrent, []);
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, _time);
        engine.Add(Metainfo.Read(torrent.TorrentFile(tracker.Url)).Value!);

        // The store's timer, the torrent's, and the pause's.
        await Until.TrueAsync(() => tracker.Announces.Count == 1 && _time.ArmedTimers == 3);
        _time.Advance(TimeSpan.FromSeconds(seconds - 1));
        Assert.Single(tracker.Announces);
        _time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => tracker.Announces.Count == 2);
    }

    [Fact]
    public async Task A_tracker_that_said_never_is_asked_again_only_on_demand()
    {
        _swarm.Tracker.Reply = _ => ("200 OK", "", "d14:failure reason4:gone8:retry in5:nevere"u8.ToArray());
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, _time);
        var torrent = engine.Add(Metainfo.Read(_swarm.Torrent.TorrentFile(_swarm.Tracker.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Failed, Message: "gone", Next: null }]);
        _time.Advance(TimeSpan.FromDays(2));
        Assert.Single(_swarm.Tracker.Announces);
        torrent.Reannounce();
        await Until.TrueAsync(() => _swarm.Tracker.Announces.Count == 2);
    }

    [Theory]
    [InlineData("0.1.0", "-ND0100-")]
    [InlineData("1.12.3", "-ND1C30-")]
    [InlineData("2.99.0", "-ND2Z00-")]
    public void The_peer_id_has_the_programs_version(string version, string expected)
    {
        Span<byte> id = stackalloc byte[InfoHash.Size];
        PeerIds.Create(Version.Parse(version)).CopyTo(id);
        Assert.Equal(expected, Encoding.ASCII.GetString(id[..8]));
        Assert.Equal(typeof(TorrentEngine).Assembly.GetName().Version, PeerIds.Version);
    }

    /// <summary>The announce of this number was refused, and the next one is made after this pause and not before.</summary>
    private async Task PauseAsync(Torrent torrent, int asked, TimeSpan pause)
    {
        await WaitsAsync(torrent, asked);
        _time.Advance(pause - TimeSpan.FromSeconds(1));
        Assert.Equal(asked, _swarm.Tracker.Announces.Count);
        _time.Advance(TimeSpan.FromSeconds(1));
    }

    private Task WaitsAsync(Torrent torrent, int asked) => Until.TrueAsync(
        () => _swarm.Tracker.Announces.Count == asked && torrent.GetDetails().Trackers is [{ Next: { } next }] && next > _time.GetUtcNow());

    private Task<TrackerAnswer> AskAsync(string url) =>
        _client.AnnounceAsync(
            new Uri(url),
            new TrackerRequest(new InfoHash(_swarm.Torrent.Hash.Span), InfoHash.Of([2]), 6881, 1, 2, 3, TrackerEvent.None),
            default);

    private MockTracker Redirecting(string status, string to) =>
        new(_swarm.Torrent, []) { Reply = _ => (status, $"Location: {to}\r\n", []) };

    private static byte[] Packed(string text)
    {
        using var output = new MemoryStream();
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest))
            gzip.Write(Encoding.Latin1.GetBytes(text));
        return output.ToArray();
    }
}
