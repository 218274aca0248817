using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>HTTP trackers with addresses of both families.</summary>
public sealed class TrackerFamilyTests
{
    /// <summary>BEP 7: peers of one family only hear of those that announced themselves in it.</summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public async Task Trackers_of_public_torrents_are_told_in_both_families_and_those_of_private_ones_in_one(bool isPrivate, int others)
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]);
        var torrent = new MockTorrent("film.mkv", content, isPrivate);
        await using var four = new MockTracker(torrent, []);
        var port = new Uri(four.Url).Port;
        await using var six = new MockTracker(torrent, [], port, IPAddress.IPv6Loopback) { Failure = "you have announced already" };
        await using (var engine = EngineFor(IPAddress.Loopback, IPAddress.IPv6Loopback))
        {
            var opened = engine.Add(Metainfo.Read(torrent.TorrentFile($"http://tracker.example:{port}/announce")).Value!);
            await Until.TrueAsync(() => opened.GetDetails().Trackers is [{ State: TrackerState.Working }] && six.Announces.Count == others);
        }

        // A private torrent's tracker is asked at the first address, which is the first of the list here.
        Assert.Equal(2, four.Announces.Count);
        Assert.Equal(2 * others, six.Announces.Count);
        var fields = four.Announces.Concat(six.Announces).SelectMany(static query => query.Split('&'));
        Assert.Single(fields.Where(static field => field.StartsWith("key=", StringComparison.Ordinal)).Distinct());
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    public async Task A_tracker_of_one_family_is_announced_to_and_its_refusal_shown(string address)
    {
        var film = SwarmFixture.OneFile(100_000);
        await using var tracker = new MockTracker(film, [], address: IPAddress.Parse(address)) { Failure = "unregistered" };
        await using var engine = EngineFor(IPAddress.Parse(address));
        var url = $"http://tracker.example:{new Uri(tracker.Url).Port}/announce";
        var torrent = engine.Add(Metainfo.Read(film.TorrentFile(url)).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Failed, Message: "unregistered" }]);
        Assert.Single(tracker.Announces);
    }

    /// <summary>An engine for which every name has these addresses.</summary>
    private static TorrentEngine EngineFor(params IPAddress[] addresses) => new(
        new TorrentOptions { Workers = 1, Listen = null, Dht = false },
        TimeProvider.System,
        trackers: connect => new SocketsHttpHandler
        {
            ConnectCallback = async (context, cancellationToken) =>
                new NetworkStream(await connect(addresses, context.DnsEndPoint.Port, cancellationToken), ownsSocket: true),
        });
}
