using System.Net;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Tests.Peers;

public sealed class PeerBookTests
{
    private static readonly IPEndPoint Somebody = new(IPAddress.Parse("192.0.2.1"), 6_881);

    /// <summary>Some clients refuse an address for a moment after a connection from there has ended; a reader is not to wait ten seconds for it.</summary>
    [Fact]
    public void One_that_refuses_is_dialled_again_soon_then_ever_more_seldom_and_in_the_end_forgotten()
    {
        var book = new PeerBook();
        Assert.True(book.Add(Somebody));
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
    public void One_that_was_of_use_is_dialled_again_after_a_second()
    {
        var book = new PeerBook();
        book.Add(Somebody);
        Assert.NotNull(book.Next(0));
        book.Left(Somebody, wasUseful: true, 0);

        Assert.Null(book.Next(TimeSpan.TicksPerSecond - 1));
        Assert.Equal(Somebody, book.Next(TimeSpan.TicksPerSecond)?.Endpoint);
    }

    [Fact]
    public void One_that_is_banned_is_not_known_again_and_others_at_its_address_are_until_the_second_offence()
    {
        var book = new PeerBook();
        book.Ban(Somebody);
        book.Ban(Somebody);
        Assert.False(book.Add(Somebody));
        Assert.Null(book.Next(0));
        Assert.True(book.Add(new IPEndPoint(Somebody.Address, 1)));

        // Bad ones come back with other ports.
        book.Ban(new IPEndPoint(Somebody.Address, 2));
        Assert.False(book.Add(new IPEndPoint(Somebody.Address, 3)));
        Assert.True(book.IsBanned(new IPEndPoint(Somebody.Address, 1)));
    }

    [Fact]
    public void Our_own_address_is_avoided_and_whoever_shares_it_is_not()
    {
        var book = new PeerBook();
        for (var port = 1; port < 10; port++)
            book.Avoid(new IPEndPoint(Somebody.Address, port));
        Assert.True(book.IsBanned(new IPEndPoint(Somebody.Address, 1)));
        Assert.True(book.Add(Somebody));
    }
}
