using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>Several trackers of one torrent, and one tracker of a private torrent.</summary>
public sealed class TorrentTrackersTests
{
    private const long Size = 1_000_000;

    [Fact]
    public async Task A_torrent_with_only_a_UDP_tracker_is_read_and_announced_to_it()
    {
        using var channel = new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
        var tracker = new MockUdpTracker(channel, TimeProvider.System);
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        tracker.Peers.AddRange(swarm.Endpoints);
        await using (var fixture = new SwarmFixture(swarm))
        {
            var url = $"udp://127.0.0.1:{channel.PortOf(AddressFamily.InterNetwork)}/announce";
            var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(url)).Value!);
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ Downloaded: 7 }]);
            var status = torrent.GetDetails().Trackers[0];
            Assert.Equal((url, TrackerState.Working, 1, 3, 5), (status.Url, status.State, status.Peers, status.Seeds, status.Leechers));
            Assert.All(torrent.GetDetails().Peers, static peer => Assert.Equal(PeerSources.Tracker, peer.Sources));
        }

        Assert.Equal([2, 1, 3], tracker.Announces.Select(static announce => announce.Event));
        Assert.Single(tracker.Announces.Select(static announce => announce.Key).Distinct());
        Assert.Equal(1, tracker.Scrapes);
    }

    [Fact]
    public async Task An_HTTP_tracker_is_scraped_when_its_announce_has_no_counts()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ Seeds: >= 2, Leechers: 1, Downloaded: 7 }]);
    }

    [Fact]
    public async Task Trackers_report_their_tier_and_together_the_size_of_the_swarm()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        await using var failing = new MockTracker(swarm.Torrent, []) { Failure = "unregistered torrent" };
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(failing.Url, swarm.Tracker.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Failed }, { Downloaded: 7 }]);
        var trackers = torrent.GetDetails().Trackers;
        Assert.Equal([(0, "http"), (1, "http")], trackers.Select(static tracker => (tracker.Tier!.Value, tracker.Protocol!)));
        Assert.Equal(new SwarmSize(trackers[1].Seeds, 1, swarm.Tracker.Url), torrent.Counts);
    }

    [Fact]
    public async Task A_tracker_is_asked_again_on_demand()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, time: new ManualTimeProvider());
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working }]);
        torrent.Reannounce();
        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 2);
    }

    [Fact]
    public async Task A_magnet_link_that_turns_out_private_keeps_one_tracker_and_leaves_the_others()
    {
        await using var swarm = new Swarm(Private(), SwarmFixture.Seeders(1));
        await using var second = new MockTracker(swarm.Torrent, []);
        await using var fixture = new SwarmFixture(swarm);

        // No peer sends the metadata until both trackers know of us: the first returns no peers.
        await using var first = new MockTracker(swarm.Torrent, []);
        var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Torrent.Magnet([], [first.Url, second.Url])).Value!);
        await Until.TrueAsync(() => first.Announces.Count == 1 && second.Announces.Count == 1
            && torrent.GetDetails().Trackers.All(static tracker => tracker.State == TrackerState.Working));
        torrent.AddPeers(swarm.Endpoints);
        await torrent.DescribeAsync(default);
        await Until.TrueAsync(() => second.Announces.Count == 2);
        Assert.Contains("event=stopped", second.Announces.Last(), StringComparison.Ordinal);
        Assert.Single(first.Announces);
        Assert.Equal([TrackerState.Working, TrackerState.Waiting], torrent.GetDetails().Trackers.Select(static tracker => tracker.State));
    }

    [Fact]
    public async Task A_private_torrent_that_switches_trackers_drops_the_peers_of_the_old_one()
    {
        var time = new ManualTimeProvider();
        await using var swarm = new Swarm(Private(), SwarmFixture.Seeders(2));
        var seeders = swarm.Endpoints.ToArray();
        await using var first = new MockTracker(swarm.Torrent, [seeders[0]]);
        await using var second = new MockTracker(swarm.Torrent, [seeders[1]]);
        await using var fixture = new SwarmFixture(swarm, time: time);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(first.Url, second.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[0]));
        first.Failure = "moved";
        torrent.Reannounce();
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[1]));
        Assert.Equal([TrackerState.Failed, TrackerState.Working], torrent.GetDetails().Trackers.Select(static tracker => tracker.State));
    }

    [Fact]
    public async Task A_silent_tier_delays_the_next_of_a_private_torrent_by_three_seconds_and_is_used_once_it_answers()
    {
        var time = new ManualTimeProvider();
        var hold = new TaskCompletionSource();
        await using var swarm = new Swarm(Private(), SwarmFixture.Seeders(2));
        var seeders = swarm.Endpoints.ToArray();
        await using var first = new MockTracker(swarm.Torrent, [seeders[0]]) { Hold = hold.Task };
        await using var second = new MockTracker(swarm.Torrent, [seeders[1]]);
        await using var fixture = new SwarmFixture(swarm, time: time);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(first.Url, second.Url)).Value!);
        Assert.InRange(await AdvanceUntilAskedAsync(time, first, second), TrackerLoop.HeadStart, TimeSpan.MaxValue);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[1]));
        Assert.Equal([TrackerState.Waiting, TrackerState.Working], torrent.GetDetails().Trackers.Select(static tracker => tracker.State));

        // Its tier comes first (BEP 12), and only peers of one tracker are used (BEP 27).
        hold.SetResult();
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[0]));
        await Until.TrueAsync(() => second.Announces.Count == 2);
        Assert.Contains("event=stopped", second.Announces.Last(), StringComparison.Ordinal);
        Assert.Equal([TrackerState.Working, TrackerState.Waiting], torrent.GetDetails().Trackers.Select(static tracker => tracker.State));

        // From here on it alone gets announces, however slow it is.
        first.Hold = (hold = new TaskCompletionSource()).Task;
        torrent.Reannounce();
        await Until.TrueAsync(() => first.Announces.Count == 2);
        time.Advance(TrackerLoop.HeadStart * 2);
        hold.SetResult();
        torrent.Reannounce();
        await Until.TrueAsync(() => first.Announces.Count == 3);
        Assert.Equal(2, second.Announces.Count);
    }

    [Fact]
    public async Task A_private_torrent_leaves_a_later_tier_that_answers_after_an_earlier_one()
    {
        var time = new ManualTimeProvider();
        var (early, late) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var swarm = new Swarm(Private(), SwarmFixture.Seeders(2));
        var seeders = swarm.Endpoints.ToArray();
        await using var first = new MockTracker(swarm.Torrent, [seeders[0]]) { Hold = early.Task };
        await using var second = new MockTracker(swarm.Torrent, [seeders[1]]) { Hold = late.Task };
        await using var fixture = new SwarmFixture(swarm, time: time);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(first.Url, second.Url)).Value!);
        await AdvanceUntilAskedAsync(time, first, second);
        early.SetResult();
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[0]));
        late.SetResult();
        await Until.TrueAsync(() => second.Announces.Count == 2);
        Assert.Contains("event=stopped", second.Announces.Last(), StringComparison.Ordinal);
        Assert.Equal([TrackerState.Working, TrackerState.Waiting], torrent.GetDetails().Trackers.Select(static tracker => tracker.State));
        Assert.Equal(seeders[0], Assert.Single(torrent.GetDetails().Peers).Address);
    }

    [Fact]
    public async Task Trackers_can_be_replaced_while_a_torrent_is_open()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        var seeders = swarm.Endpoints.ToArray();
        await using var first = new MockTracker(swarm.Torrent, []);
        await using var stays = new MockTracker(swarm.Torrent, []);
        await using var added = new MockTracker(swarm.Torrent, [seeders[1]]);
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(first.Url, stays.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working }, { State: TrackerState.Working }]);
        fixture.Engine.UseTrackers(torrent.Hash, [[new Uri(stays.Url)], [new Uri(added.Url)]]);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[1]));
        await Until.TrueAsync(() => first.Announces.Count == 2);
        Assert.Contains("event=stopped", first.Announces.Last(), StringComparison.Ordinal);
        Assert.Single(stays.Announces);
        Assert.Equal([stays.Url, added.Url], torrent.GetDetails().Trackers.Select(static tracker => tracker.Url));

        // Removes all trackers, then adds one again.
        fixture.Engine.UseTrackers(torrent.Hash, []);
        Assert.Empty(torrent.GetDetails().Trackers);
        fixture.Engine.UseTrackers(torrent.Hash, [[new Uri(first.Url)]]);
        await Until.TrueAsync(() => first.Announces.Count == 3);
    }

    [Fact]
    public async Task A_private_torrent_whose_tracker_is_replaced_drops_the_peers_of_the_old_one()
    {
        await using var swarm = new Swarm(Private(), SwarmFixture.Seeders(2));
        var seeders = swarm.Endpoints.ToArray();
        await using var first = new MockTracker(swarm.Torrent, [seeders[0]]);
        await using var second = new MockTracker(swarm.Torrent, [seeders[1]]);
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(first.Url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[0]));
        fixture.Engine.UseTrackers(torrent.Hash, [[new Uri(second.Url)]]);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [var peer] && peer.Address.Equals(seeders[1]));
        Assert.Equal([second.Url], torrent.GetDetails().Trackers.Select(static tracker => tracker.Url));
    }

    [Fact]
    public async Task Trackers_set_before_a_torrent_is_opened_replace_its_own()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var first = new MockTracker(swarm.Torrent, []);
        await using var fixture = new SwarmFixture(swarm);
        var metainfo = Metainfo.Read(swarm.Torrent.TorrentFile(first.Url)).Value!;
        fixture.Engine.UseTrackers(metainfo.Info.Hash, [[new Uri(swarm.Tracker.Url)]]);
        var torrent = fixture.Engine.Add(metainfo);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Empty(first.Announces);
    }

    [Fact]
    public async Task A_tracker_whose_name_cannot_even_be_looked_up_counts_as_failed_and_the_torrent_can_be_closed()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm);
        var metainfo = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!;
        var name = string.Join('.', Enumerable.Repeat(new string('a', 60), 5));
        fixture.Engine.UseTrackers(metainfo.Info.Hash, [[new Uri($"udp://{name}.com:80/announce")], [new Uri(swarm.Tracker.Url)]]);
        var torrent = fixture.Engine.Add(metainfo);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Failed }, { State: TrackerState.Working }]);
        await fixture.ReadAsync(torrent, 0, Size);
        await torrent.DisposeAsync();
        Assert.Empty(fixture.Engine.Torrents);
    }

    /// <summary>
    /// Moves the clock from the moment in which the first tracker was asked until the second is too. Returns by how much.
    /// </summary>
    private static async Task<TimeSpan> AdvanceUntilAskedAsync(ManualTimeProvider time, MockTracker first, MockTracker second)
    {
        await Until.TrueAsync(() => first.Announces.Count == 1);
        Assert.Empty(second.Announces);
        var asked = time.GetTimestamp();
        await Until.TrueAsync(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return second.Announces.Count == 1;
        });
        return time.GetElapsedTime(asked);
    }

    private static MockTorrent Private() =>
        new("film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]), isPrivate: true);
}
