using System.Net;
using System.Text;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Discovery.Local;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Tests.Discovery.Dht;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>Randomly altered input from strangers. Nothing throws, because that would end the receive loop, and a node that gets only such
/// input for a while still works.</summary>
public sealed class DiscoveryFuzzTests
{
    private const int Rounds = 20_000;

    private static readonly NodeId Torrent = NodeId.Of(InfoHash.Of([1, 2, 3]));

    [Fact]
    public async Task DHT_nodes_survive_datagrams_altered_in_transit()
    {
        using var world = new DhtWorld();
        await world.GrowAsync(12, six: true);
        var random = new Random(1);
        var changed = 0;
        world.Network.Loses = (_, _, payload) =>
        {
            if (random.Next(2) == 0)
                return false;
            changed++;
            Change(payload, random);
            return false;
        };
        for (var i = 0; i < 40; i++)
            await world.SearchAsync(world.Nodes[i % world.Nodes.Count], Torrent, _ => { });
        Assert.True(changed > 500, $"Only {changed} datagrams were changed.");

        world.Network.Loses = null;
        await world.SearchAsync(world.Nodes[3], Torrent, _ => { });
        var peers = new List<IPEndPoint>();
        await world.SearchAsync(world.Nodes[5], Torrent, peers.AddRange);
        Assert.Contains(IPEndPoint.Parse("11.4.1.1:7000"), peers);
    }

    [Fact]
    public async Task A_DHT_node_survives_datagrams_of_any_length()
    {
        using var world = new DhtWorld();
        await world.GrowAsync(8, six: true);
        await world.SearchAsync(world.Nodes[2], Torrent, _ => { });
        var samples = world.Network.Sent.Select(static sent => sent.Payload).ToArray();
        var channel = world.Network.Find("11.3.1.1:6881")!;
        var random = new Random(2);
        for (var i = 0; i < Rounds; i++)
        {
            var from = new DatagramAddress(
                new IPEndPoint(new IPAddress([(byte)random.Next(11, 200), (byte)random.Next(256), 1, 1]), random.Next(1, 65_536)));
            channel.Handlers.Offer(from, Resized(samples[random.Next(samples.Length)], random));
        }

        world.Network.Sent.Clear();
        Assert.True(await world.SearchAsync(world.Nodes[2], Torrent, _ => { }) > 0);
    }

    [Fact]
    public void Altered_tracker_answers_are_parsed_or_refused()
    {
        byte[] peers = [10, 0, 0, 1, 0x1a, 0xe1, 10, 0, 0, 2, 0x1a, 0xe2];
        var sample = (byte[])
        [
            .. "d8:completei12e10:incompletei3e10:downloadedi99e8:intervali1800e12:min intervali900e5:peers12:"u8, .. peers,
            .. "6:peers618:"u8, .. new byte[18],
            .. "14:failure reason4:gone15:warning message3:hme"u8,
        ];
        byte[] old = [.. "d8:intervali60e5:peersld2:ip9:127.0.0.17:peer id20:aaaaaaaaaaaaaaaaaaaa4:porti6881eed2:ip3:::14:porti1eeee"u8];
        var random = new Random(3);
        var read = 0;
        for (var i = 0; i < Rounds; i++)
        {
            var answer = HttpTrackerClient.Read(Resized(random.Next(2) == 0 ? sample : old, random));
            Assert.True(answer.Peers.Count <= TrackerAnswer.MostPeers);
            if (answer.Failure is null)
                read++;
        }

        // Otherwise the changes would break every message, and nothing beyond its first byte would be tested.
        Assert.InRange(read, Rounds / 100, Rounds);
    }

    [Fact]
    public void Altered_local_announcements_are_parsed_or_refused()
    {
        var sample = Encoding.ASCII.GetBytes(
            "BT-SEARCH * HTTP/1.1\r\nHost: 239.192.152.143:6771\r\nPort: 6881\r\nInfohash: " +
            "0123456789abcdef0123456789abcdef01234567\r\nInfohash: 89abcdef0123456789abcdef0123456789abcdef\r\ncookie: me\r\n\r\n\r\n");
        Assert.Equal(2, LocalAnnouncement.Read(sample)!.Hashes.Count);
        var random = new Random(4);
        var read = 0;
        for (var i = 0; i < Rounds; i++)
        {
            if (LocalAnnouncement.Read(Resized(sample, random)) is { } announcement)
            {
                read++;
                Assert.InRange(announcement.Port, 1, 65_535);
            }
        }

        Assert.InRange(read, Rounds / 100, Rounds);
    }

    private static byte[] Resized(byte[] sample, Random random)
    {
        var bytes = (byte[])sample.Clone();
        Change(bytes, random);
        return random.Next(6) switch
        {
            0 => bytes[..random.Next(bytes.Length)],
            1 => [.. bytes[..random.Next(bytes.Length)], .. bytes[random.Next(bytes.Length)..]],
            _ => bytes,
        };
    }

    /// <summary>Up to four bytes become others: digits become other digits often, as lengths and numbers are what parsers trust.</summary>
    private static void Change(byte[] bytes, Random random)
    {
        for (var i = random.Next(0, 5); i > 0; i--)
        {
            var at = random.Next(bytes.Length);
            bytes[at] = char.IsAsciiDigit((char)bytes[at]) && random.Next(2) == 0
                ? (byte)('0' + random.Next(10))
                : random.Next(3) switch
                {
                    0 => (byte)random.Next(256),
                    1 => (byte)(bytes[at] ^ (1 << random.Next(8))),
                    _ => (byte)"deil:-09"[random.Next(8)]
                };
        }
    }
}
