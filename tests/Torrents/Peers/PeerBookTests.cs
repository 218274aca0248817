using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Peers;

public sealed class PeerBookTests
{
    private static readonly IPEndPoint Somebody = new(IPAddress.Parse("192.0.2.1"), 6_881);

    /// <summary>Some clients refuse an address for a moment after a connection from there has ended; a reader is not to wait ten seconds for it.</summary>
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

    private static IPEndPoint Numbered(int number) => new(new IPAddress([10, (byte)(number >> 16), (byte)(number >> 8), (byte)number]), 6_881);
}
