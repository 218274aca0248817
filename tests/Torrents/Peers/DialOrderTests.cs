using System.Globalization;
using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Peers;

/// <summary>The order in which peers are dialled.</summary>
public sealed class DialOrderTests
{
    [Theory]
    [InlineData("123.213.32.10", "98.76.54.32", "ec2d7224")]
    [InlineData("123.213.32.10", "123.213.32.234", "99568189")]
    public void The_priority_matches_BEP_40(string one, string other, string expected)
    {
        var (first, second) = (new IPEndPoint(IPAddress.Parse(one), 1), new IPEndPoint(IPAddress.Parse(other), 2));
        Assert.Equal(expected, CanonicalPriority.Of(first, second).ToString("x8", CultureInfo.InvariantCulture));
        Assert.Equal(CanonicalPriority.Of(first, second), CanonicalPriority.Of(second, first));
    }

    [Fact]
    public void The_local_network_and_saved_peers_come_first_and_exchanged_ones_last()
    {
        var book = new PeerBook();
        PeerSources[] named = [PeerSources.Exchange, PeerSources.Dht, PeerSources.Tracker, PeerSources.Saved, PeerSources.Local];
        foreach (var (i, source) in named.Index())
            Assert.True(book.Add(new IPEndPoint(IPAddress.Parse("192.0.2.1"), i + 1), source));
        Assert.Equal([5, 4, 3, 2, 1], Enumerable.Range(0, 5).Select(_ => book.Next(0)!.Endpoint.Port));
    }

    [Fact]
    public void Exchanged_peers_that_another_peer_has_reached_come_before_the_others()
    {
        var book = new PeerBook();
        book.SetOwnAddress(new IPEndPoint(IPAddress.Parse("123.213.32.10"), 6_881));
        IPEndPoint[] peers = [.. Enumerable.Range(21, 20).Select(static i => new IPEndPoint(new IPAddress([(byte)i, 7, 3, 4]), 6_881))];
        foreach (var peer in peers)
            book.Add(peer, PeerSources.Exchange, isReachable: peer.Equals(peers[3]));

        // Another one names it later.
        Assert.False(book.Add(peers[9], PeerSources.Exchange, isReachable: true));
        var tracked = new IPEndPoint(IPAddress.Parse("192.0.2.1"), 1);
        book.Add(tracked, PeerSources.Tracker);
        Assert.Equal(tracked, book.Next(0)!.Endpoint);
        Assert.Equal([3, 9], new[] { book.Next(0), book.Next(0) }.Select(peer => Array.IndexOf(peers, peer!.Endpoint)).Order());
        Assert.NotNull(book.Next(0));
    }

    [Fact]
    public void Among_peers_of_one_source_higher_priorities_come_first_and_failed_ones_last()
    {
        var book = new PeerBook();
        var own = new IPEndPoint(IPAddress.Parse("123.213.32.10"), 6_881);
        var peers = Enumerable.Range(1, 20).Select(static i => new IPEndPoint(new IPAddress([(byte)(20 + i), (byte)(i * 7), 3, 4]), 6_881))
            .ToArray();
        foreach (var peer in peers)
            Assert.True(book.Add(peer, PeerSources.Tracker));
        book.SetOwnAddress(own);
        var expected = peers.OrderByDescending(peer => CanonicalPriority.Of(own, peer)).ToArray();
        var first = book.Next(0)!;
        Assert.Equal(expected[0], first.Endpoint);
        book.Left(first.Endpoint, wasUseful: false, now: 0);
        var later = TimeSpan.TicksPerHour;
        Assert.Equal([.. expected[1..], expected[0]], Enumerable.Range(0, 20).Select(_ => book.Next(later)!.Endpoint));
    }

    [Fact]
    public void A_family_that_fails_while_the_other_connects_gets_an_eighth_of_the_dials_until_one_succeeds()
    {
        var dials = new FamilyDials();
        Dial(dials, Four, isConnected: true);
        for (var i = 0; i < 16; i++)
        {
            Assert.True(dials.MayDial(Six, 16));
            Dial(dials, Six, isConnected: false);
        }

        dials.OnDialStarted(Six);
        Assert.True(dials.MayDial(Six, 16));
        dials.OnDialStarted(Six);
        Assert.False(dials.MayDial(Six, 16));
        Assert.True(dials.MayDial(Four, 16));
        dials.OnDialEnded(Six, isConnected: true);
        Assert.True(dials.MayDial(Six, 16));

        // It works, so that only a longer row of failures says something.
        Dial(dials, Four, isConnected: true);
        for (var i = 0; i < 64; i++)
        {
            Assert.True(dials.MayDial(Six, 16));
            Dial(dials, Six, isConnected: false);
        }

        dials.OnDialStarted(Six);
        Assert.False(dials.MayDial(Six, 16));
    }

    [Fact]
    public void Dead_swarms_say_nothing_about_the_only_family_that_is_dialled()
    {
        var dials = new FamilyDials();
        for (var i = 0; i < 200; i++)
            Dial(dials, Four, isConnected: false);
        for (var i = 0; i < 16; i++)
        {
            Assert.True(dials.MayDial(Four, 16));
            dials.OnDialStarted(Four);
        }

        // The other may fail as well: the network is away.
        for (var i = 0; i < 200; i++)
            Dial(dials, Six, isConnected: false);
        Assert.True(dials.MayDial(Four, 16));
        Assert.True(dials.MayDial(Six, 16));
    }

    private static readonly IPAddress Four = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress Six = IPAddress.Parse("2001:db8::1");

    private static void Dial(FamilyDials dials, IPAddress address, bool isConnected)
    {
        dials.OnDialStarted(address);
        dials.OnDialEnded(address, isConnected);
    }

    [Fact]
    public void A_saved_peer_keeps_its_source_and_its_plain_flag()
    {
        var book = new PeerBook();
        var saved = new SavedPeer(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 1), PeerSources.Dht, IsPlain: true);
        book.Add(saved);
        Assert.True(book.Next(0)!.IsPlain);
        book.Reached(saved.Endpoint, PeerEncryption.None);
        Assert.Equal(saved, Assert.Single(book.ListReached(10)));
    }
}
