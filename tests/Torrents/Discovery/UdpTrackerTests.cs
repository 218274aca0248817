using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Tests.Datagrams;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>UDP trackers (BEP 15) over a virtual network.</summary>
public sealed class UdpTrackerTests
{
    private static readonly Uri Url = new("udp://tracker.example:6969/announce?key=abc");
    private static readonly InfoHash Hash = InfoHash.Of([1]);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private readonly ManualTimeProvider _time = new();
    private readonly VirtualNetwork _network;
    private readonly VirtualNetwork.VirtualChannel _ours;
    private readonly MockUdpTracker _tracker;
    private readonly UdpTrackerClient _client;
    private readonly List<string> _addresses = ["192.0.2.1"];

    public UdpTrackerTests()
    {
        _network = new VirtualNetwork(_time);
        _ours = _network.Join("192.0.2.9:6881", "[2001:db8::9]:6881");
        _tracker = new MockUdpTracker(_network.Join("192.0.2.1:6969", "[2001:db8::1]:6969"), _time);
        _tracker.Peers.AddRange(
            [IPEndPoint.Parse("198.51.100.1:5000"), IPEndPoint.Parse("198.51.100.2:5001"), IPEndPoint.Parse("[2001:db8::77]:5002")]);
        _client = new UdpTrackerClient(new UdpTrackerExchanges(_ours, _time), _ours, ResolveAsync, _time);
    }

    [Fact]
    public async Task An_announce_connects_first_and_has_the_fields_of_BEP_15_and_41()
    {
        var answer = await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default));
        Assert.Null(answer.Failure);
        Assert.Equal(_tracker.Peers.Take(2), answer.Peers);
        Assert.Equal((TimeSpan.FromSeconds(1_800), new TrackerCounts(3, 5, null)), (answer.Interval, answer.Counts));
        Assert.Equal((2, 77L, 200, 6881, 0xABCDEF01, "/announce?key=abc"), Assert.Single(_tracker.Announces));
        Assert.Equal(TimeSpan.FromMilliseconds(100), _time.GetUtcNow() - new ManualTimeProvider().GetUtcNow());
    }

    [Fact]
    public async Task A_connection_id_is_used_for_one_minute()
    {
        await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default));
        _time.Advance(TimeSpan.FromSeconds(59));
        await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.None), default));
        Assert.Equal((1, 2), (_tracker.Connects, _tracker.Announces.Count));
        _time.Advance(TimeSpan.FromSeconds(2));
        await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Stopped), default));
        Assert.Equal((2, 3), (_tracker.Connects, _tracker.Announces.Count));
        Assert.Equal((3, 0), (_tracker.Announces[2].Event, _tracker.Announces[2].Wanted));
    }

    [Fact]
    public async Task A_connection_id_that_the_tracker_has_forgotten_is_renewed_at_once()
    {
        await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default));
        _tracker.Restart();
        Assert.Null((await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.None), default))).Failure);
        Assert.Equal(2, _tracker.Connects);
    }

    [Fact]
    public async Task A_lost_datagram_is_resent_after_15_seconds_and_a_silent_tracker_given_up_after_45()
    {
        var lost = 0;
        _network.Loses = (_, to, _) => to.Port == 6969 && lost++ == 0;
        Assert.Null((await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default))).Failure);
        Assert.Equal(15.1, Seconds);

        _network.Loses = static (_, to, _) => to.Port == 6969;
        Assert.Equal(
            "the tracker does not answer", (await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.None), default))).Failure);
        Assert.Equal(60.1, Seconds);
    }

    [Fact]
    public async Task An_error_is_quoted()
    {
        _tracker.Failure = "unregistered torrent";
        Assert.Equal("unregistered torrent", (await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default))).Failure);
    }

    [Fact]
    public async Task A_tracker_with_both_families_is_asked_at_both_and_the_later_answer_is_used()
    {
        _addresses.Add("2001:db8::1");
        _addresses.Add("192.0.2.250");
        var more = new TaskCompletionSource<IReadOnlyList<IPEndPoint>>();
        var answer = await RunAsync(
            _client.AnnounceAsync(Url, Request(TrackerEvent.Started) with { More = peers => more.TrySetResult(peers) }, default));
        var all = answer.Peers.Concat(await RunAsync(more.Task));
        Assert.Equal(_tracker.Peers.Select(static peer => peer.ToString()).Order(), all.Select(static peer => peer.ToString()).Order());
        Assert.Equal(2, _tracker.Announces.Count);
    }

    [Fact]
    public async Task A_silent_address_costs_a_quarter_of_a_second_and_the_one_that_answered_is_asked_first_from_then_on()
    {
        _addresses.Insert(0, "192.0.2.250");
        _addresses.Insert(1, "192.0.2.251");
        _network.Loses = static (_, to, _) => to.ToEndPoint().Address.ToString() is "192.0.2.250" or "192.0.2.251";
        Assert.Null((await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default), Second)).Failure);
        Assert.Equal(0.6, Seconds);
        _time.Advance(TimeSpan.FromMinutes(2));
        var (sent, began) = (_network.Sent.Count, Seconds);
        Assert.Null((await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.None), default), Second)).Failure);
        Assert.Equal(0.1, Seconds - began, 0.001);
        Assert.Equal(4, _network.Sent.Count - sent);
        Assert.Equal(2, _tracker.Announces.Count);
    }

    [Fact]
    public async Task A_refused_address_gets_no_datagram()
    {
        _addresses.Clear();
        Assert.Equal(
            "192.168.1.1 is in a private network", (await _client.AnnounceAsync(Url, Request(TrackerEvent.Started), default)).Failure);
        Assert.Null(await _client.ScrapeAsync(Url, Hash, default));
        Assert.Empty(_network.Sent);
    }

    [Fact]
    public async Task A_scrape_returns_seeds_leechers_and_downloads() =>
        Assert.Equal(new TrackerCounts(3, 5, 7), await RunAsync(_client.ScrapeAsync(Url, Hash, default)));

    [Fact]
    public async Task Answers_from_other_addresses_and_garbage_are_ignored()
    {
        var stranger = _network.Join("192.0.2.66:6969");
        _network.Loses = (from, to, payload) =>
        {
            // An observer of the packet answers first, in vain.
            if (to.Port == 6969 && payload.Length == 16)
                stranger.Send(from, [0, 0, 0, 0, .. payload[12..16], 1, 2, 3, 4, 5, 6, 7, 8]);
            return false;
        };
        Assert.Null((await RunAsync(_client.AnnounceAsync(Url, Request(TrackerEvent.Started), default))).Failure);
        var random = new Random(7);
        for (var i = 0; i < 2_000; i++)
        {
            var rubbish = new byte[random.Next(64)];
            random.NextBytes(rubbish);
            if (rubbish.Length > 3)
                rubbish.AsSpan(0, 3).Clear();
            Assert.False(_ours.Handlers.Offer(new DatagramAddress(IPEndPoint.Parse("192.0.2.1:6969")), rubbish));
        }
    }

    private double Seconds => (_time.GetUtcNow() - new ManualTimeProvider().GetUtcNow()).TotalSeconds;

    private static TrackerRequest Request(TrackerEvent why) => new(Hash, InfoHash.Of([2]), 6881, 1, 2, 77, why) { Key = 0xABCDEF01 };

    private ValueTask<IReadOnlyList<IPAddress>> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        Assert.Equal("tracker.example", host);
        return _addresses.Count > 0
            ? new([.. _addresses.Select(IPAddress.Parse)]) : throw new IOException("192.168.1.1 is in a private network");
    }

    /// <summary>Moves the clock from timer to timer, each time once the code under test has done what the last one caused.</summary>
    /// <summary>Moves the time until the task has ended.</summary>
    /// <param name="task">What is waited for.</param>
    /// <param name="within">Something is due within this time whenever the task waits; null: that is not known.</param>
    private async Task<T> RunAsync<T>(Task<T> task, TimeSpan? within = null)
    {
        for (var sent = -1; !task.IsCompleted;)
        {
            // Each arrival or timeout causes another datagram or ends the task. A datagram may be seen before the timer of what follows it
            // is armed.
            await Until.TrueAsync(() => task.IsCompleted || (_network.Sent.Count != sent && (within is null || _time.NextDue <= within)));
            sent = _network.Sent.Count;
            if (!task.IsCompleted && _time.NextDue is { } next)
                _time.Advance(next);
        }

        return await task;
    }
}
