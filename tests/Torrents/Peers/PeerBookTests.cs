using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Peers;

public sealed class PeerBookTests
{
    private static readonly IPEndPoint Somebody = new(IPAddress.Parse("192.0.2.1"), 6_881);

    /// <summary>
    /// Some clients refuse an address for a moment after a connection from there has ended; a reader is not to wait ten seconds for it.
    /// </summary>
    [Fact]
    public void A_peer_that_refuses_is_redialled_after_two_seconds_then_less_often_and_finally_forgotten()
    {
        var book = new PeerBook();
        Assert.True(book.Add(Somebody, PeerSources.Tracker));
        var pauses = new List<int>();
        for (var seconds = 0; book.Known > 0; seconds++)
        {
            if (book.Next(seconds * TimeSpan.TicksPerSecond) is null)
                continue;
            pauses.Add(seconds - pauses.Sum());
            book.Left(Somebody, wasUseful: false, seconds * TimeSpan.TicksPerSecond);
        }

        Assert.Equal([0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600], pauses);
    }

    [Theory]
    [InlineData(PeerSources.Tracker)]
    [InlineData(PeerSources.Exchange)]
    [InlineData(PeerSources.Link)]
    public void An_IPv4_address_inside_an_IPv6_one_is_the_same_peer_and_is_dialled_by_IPv4(PeerSources source)
    {
        var book = new PeerBook();
        Assert.True(book.Add(new IPEndPoint(Somebody.Address.MapToIPv6(), Somebody.Port), source));
        Assert.False(book.Add(Somebody, source));
        Assert.Equal(Somebody, book.Next(0)?.Endpoint);
    }

    [Theory]
    [InlineData("[::ffff:0.0.0.1]:6881")]
    [InlineData("[::ffff:239.0.0.1]:6881")]
    [InlineData("[::ffff:255.255.255.255]:6881")]
    [InlineData("[ff02::1]:6881")]
    public void Addresses_that_are_not_one_hosts_are_not_dialled_in_any_spelling(string endpoint) =>
        Assert.False(new PeerBook().Add(IPEndPoint.Parse(endpoint), PeerSources.Tracker));

    [Theory]
    [InlineData(PeerSources.Tracker, false)]
    [InlineData(PeerSources.Dht, false)]
    [InlineData(PeerSources.Exchange, false)]
    [InlineData(PeerSources.Link, false)]
    [InlineData(PeerSources.Saved, false)]
    [InlineData(PeerSources.Local, true)]
    [InlineData(PeerSources.Incoming, true)]
    public void A_peer_in_the_own_network_is_dialled_only_if_it_was_found_there(PeerSources source, bool isDialled)
    {
        var book = new PeerBook(mayDial: address => !address.Equals(Somebody.Address));
        Assert.Equal(isDialled, book.Add(Somebody, source));
        Assert.Equal(isDialled, book.Next(0) is not null);
        Assert.True(book.Add(IPEndPoint.Parse("192.0.2.2:1"), source));

        // One that was reached earlier counts by how it was found then.
        var again = new PeerBook(mayDial: static _ => false);
        again.Add(new SavedPeer(Somebody, source, IsPlain: false, Misses: 0));
        Assert.Equal(isDialled, again.Next(0) is not null);
    }

    [Fact]
    public void A_peer_that_both_swarms_of_a_hybrid_name_is_dialled_by_the_hash()
    {
        foreach (var isFirst in new[] { true, false })
        {
            var book = new PeerBook();
            book.Add(Somebody, PeerSources.Tracker, byAlias: isFirst);
            book.Add(Somebody, PeerSources.Dht, byAlias: !isFirst);
            Assert.False(book.Next(0)!.DialsByAlias);
        }
    }

    [Fact]
    public void A_peer_that_was_reached_by_the_alias_is_dialled_so_again()
    {
        var book = new PeerBook();
        Assert.True(book.TryAdopt(Somebody, byAlias: true));
        book.Left(Somebody, wasUseful: true, 0);
        Assert.True(book.Next(TimeSpan.TicksPerSecond)!.DialsByAlias);
        book.Reached(Somebody, PeerEncryption.None);
        book.Left(Somebody, wasUseful: true, 0);
        Assert.False(book.Next(TimeSpan.TicksPerSecond)!.DialsByAlias);
    }

    [Fact]
    public void A_useful_peer_is_redialled_after_a_second()
    {
        var book = new PeerBook();
        book.Add(Somebody, PeerSources.Tracker);
        Assert.NotNull(book.Next(0));
        book.Left(Somebody, wasUseful: true, 0);

        Assert.Null(book.Next(TimeSpan.TicksPerSecond - 1));
        Assert.Equal(Somebody, book.Next(TimeSpan.TicksPerSecond)?.Endpoint);
    }

    [Fact]
    public void A_banned_endpoint_stays_out_and_its_address_is_banned_with_the_second_offence()
    {
        var book = new PeerBook();
        book.Ban(Somebody);
        book.Ban(Somebody);
        Assert.False(book.Add(Somebody, PeerSources.Tracker));
        Assert.Null(book.Next(0));
        Assert.True(book.Add(new IPEndPoint(Somebody.Address, 1), PeerSources.Tracker));

        // Bad peers return with other ports.
        book.Ban(new IPEndPoint(Somebody.Address, 2));
        Assert.False(book.Add(new IPEndPoint(Somebody.Address, 3), PeerSources.Tracker));
        Assert.True(book.IsBanned(new IPEndPoint(Somebody.Address, 1)));
    }

    [Fact]
    public void A_network_of_one_IPv6_customer_is_banned_with_the_second_offence_and_its_neighbours_are_not()
    {
        var book = new PeerBook();
        book.Ban(IPEndPoint.Parse("[2001:db8:0:7::1]:1"));
        Assert.True(book.Add(IPEndPoint.Parse("[2001:db8:0:7::2]:1"), PeerSources.Tracker));
        book.Ban(IPEndPoint.Parse("[2001:db8:0:7:ffff::2]:1"));
        Assert.False(book.Add(IPEndPoint.Parse("[2001:db8:0:7:1:2:3:4]:5"), PeerSources.Tracker));
        Assert.True(book.IsBanned(IPEndPoint.Parse("[2001:db8:0:7::9]:9")));
        Assert.True(book.Add(IPEndPoint.Parse("[2001:db8:0:8::1]:1"), PeerSources.Tracker));

        // In a local network each neighbour has an address in the same /64.
        book.Ban(IPEndPoint.Parse("[fe80::1]:1"));
        book.Ban(IPEndPoint.Parse("[fe80::2]:1"));
        Assert.True(book.Add(IPEndPoint.Parse("[fe80::3]:1"), PeerSources.Local));
        book.Ban(IPEndPoint.Parse("[fe80::1]:2"));
        Assert.True(book.IsBanned(IPEndPoint.Parse("[fe80::1]:3")));
    }

    [Fact]
    public void Our_own_endpoint_is_avoided_and_others_at_the_same_address_are_not()
    {
        var book = new PeerBook();
        for (var port = 1; port < 10; port++)
            book.Avoid(new IPEndPoint(Somebody.Address, port));
        Assert.True(book.IsBanned(new IPEndPoint(Somebody.Address, 1)));
        Assert.True(book.Add(Somebody, PeerSources.Tracker));
    }

    [Fact]
    public void Peers_named_by_strangers_are_limited_and_leave_room_for_the_trackers()
    {
        var book = new PeerBook();
        Assert.Equal(1_000, Enumerable.Range(1, 3_000).Count(number => book.Add(Numbered(number), PeerSources.Exchange)));
        Assert.Equal(4_000, Enumerable.Range(5_000, 5_000).Count(number => book.Add(Numbered(number), PeerSources.Tracker)));

        // One that is forgotten makes room for another.
        for (var i = 0; i <= 10; i++)
        {
            while (book.Next(i * TimeSpan.TicksPerHour) is not null)
            {
            }

            book.Left(Numbered(1), wasUseful: false, i * TimeSpan.TicksPerHour);
        }

        Assert.True(book.Add(Numbered(20_000), PeerSources.Exchange));
    }

    [Fact]
    public void A_restricted_book_forgets_peers_from_other_sources_and_accepts_no_more()
    {
        var book = new PeerBook();
        book.Add(Numbered(1), PeerSources.Exchange);
        book.Add(Numbered(1), PeerSources.Tracker);
        book.Add(Numbered(2), PeerSources.Link);
        book.Add(Numbered(3), PeerSources.Dht);
        Assert.Equal(Numbered(2), book.Next(0)?.Endpoint);
        Assert.Equal(Numbered(1), book.Next(0)?.Endpoint);

        book.Restrict(PeerSources.Tracker | PeerSources.Incoming);

        Assert.Null(book.Next(0));
        Assert.False(book.Add(Numbered(4), PeerSources.Exchange));
        book.Left(Numbered(1), wasUseful: true, 0);
        book.Left(Numbered(2), wasUseful: true, 0);
        Assert.Equal(1, book.Known);
        Assert.True(book.Add(Numbered(2), PeerSources.Tracker));
    }

    private static IPEndPoint Numbered(int number) =>
        new(new IPAddress([10, (byte)(number >> 16), (byte)(number >> 8), (byte)number]), 6_881);
}
