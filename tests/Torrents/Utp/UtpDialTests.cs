using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Which peers are dialled by uTP, and when.</summary>
public sealed class UtpDialTests
{
    private const long Second = TimeSpan.TicksPerSecond;
    private static readonly IPEndPoint One = IPEndPoint.Parse("192.0.2.1:1");
    private static readonly IPEndPoint Other = IPEndPoint.Parse("192.0.2.2:2");

    [Fact]
    public void A_peer_is_dialled_by_uTP_at_once_after_TCP_failed_and_by_TCP_when_it_would_have_been_without()
    {
        var book = Book();
        book.Add(One, PeerSources.Tracker);
        Assert.False(IsByUtp(book, 0));
        book.OnDialUnanswered(One, byUtp: false, 10 * Second);
        Assert.True(IsByUtp(book, 10 * Second));
        book.OnDialUnanswered(One, byUtp: true, 11 * Second);
        Assert.Null(book.Next((12 * Second) - 1));
        Assert.False(IsByUtp(book, 12 * Second));

        // The second failure of TCP pauses four seconds, as without uTP.
        book.OnDialUnanswered(One, byUtp: false, 20 * Second);
        Assert.True(IsByUtp(book, 20 * Second));
        book.OnDialUnanswered(One, byUtp: true, 30 * Second);
        Assert.False(IsByUtp(book, 30 * Second));

        // It was tried twice; the third failure is followed by a pause.
        book.OnDialUnanswered(One, byUtp: false, 40 * Second);
        Assert.Null(book.Next((48 * Second) - 1));
        Assert.False(IsByUtp(book, 48 * Second));
    }

    [Fact]
    public void A_peer_that_was_not_dialled_yet_comes_before_one_by_uTP()
    {
        var book = Book();
        book.Add(One, PeerSources.Tracker);
        Assert.NotNull(book.Next(0));
        book.OnDialUnanswered(One, byUtp: false, 0);
        book.Add(Other, PeerSources.Exchange);
        Assert.Equal(Other, book.Next(0)?.Endpoint);
        Assert.True(IsByUtp(book, 0));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_peer_that_is_known_to_speak_uTP_is_tried_after_each_failure_of_TCP_and_never_before_one(bool byExchange)
    {
        var book = Book();
        book.Add(One, PeerSources.Tracker, speaksUtp: byExchange);
        if (!byExchange)
        {
            Assert.True(book.Add(Other, PeerSources.Tracker));
            Assert.Equal(One, book.Next(0)?.Endpoint);
            book.Reached(One, PeerEncryption.None, byUtp: true);
            book.Left(One, wasUseful: false, 0);
            book.Reached(One, PeerEncryption.None, byUtp: false);
            book.Left(Other, wasUseful: true, 0);
        }

        for (var i = 0; i < 5; i++)
        {
            var now = (i + 1) * 1_000 * Second;
            var peer = book.Next(now)!;
            if (peer.Endpoint.Equals(Other))
                peer = book.Next(now)!;
            Assert.False(book.IsNextByUtp(peer));
            book.OnDialUnanswered(One, byUtp: false, now);
            Assert.True(IsByUtp(book, now));
            book.OnDialUnanswered(One, byUtp: true, now);
        }
    }

    [Fact]
    public void A_peer_that_uTP_reached_is_dialled_by_it_again_and_after_it_is_saved()
    {
        var book = Book();
        book.Add(One, PeerSources.Tracker);
        Assert.False(IsByUtp(book, 0));
        book.OnDialUnanswered(One, byUtp: false, 0);
        Assert.True(IsByUtp(book, 0));
        book.Reached(One, PeerEncryption.None, byUtp: true);
        book.Left(One, wasUseful: true, 0);
        Assert.True(IsByUtp(book, Second));

        using var folder = new TemporaryFolder();
        var saved = new SavedPeers(folder.Path, TimeProvider.System);
        saved.Save(default, [.. book.ListReached(10), new SavedPeer(Other, PeerSources.Dht, IsPlain: false)]);
        var loaded = saved.Load(default);
        Assert.Equal([new SavedPeer(One, PeerSources.Tracker, IsPlain: true, ByUtp: true),
            new SavedPeer(Other, PeerSources.Dht, IsPlain: false)], loaded);
        var next = Book();
        next.Add(loaded[0]);
        Assert.True(IsByUtp(next, 0));

        // It did not answer: TCP has its turn.
        next.OnDialUnanswered(One, byUtp: true, 0);
        Assert.False(IsByUtp(next, 0));
    }

    [Fact]
    public void Where_uTP_cannot_be_used_nothing_is_dialled_by_it()
    {
        var book = new PeerBook(reachesByUtp: static family => family == AddressFamily.InterNetworkV6);
        book.Add(new SavedPeer(One, PeerSources.Tracker, IsPlain: false, ByUtp: true));
        Assert.False(IsByUtp(book, 0));
        book.OnDialUnanswered(One, byUtp: false, 0);
        Assert.Null(book.Next(0));
        var six = IPEndPoint.Parse("[2001:db8::1]:1");
        book.Add(six, PeerSources.Tracker);
        Assert.False(IsByUtp(book, 0));
        book.OnDialUnanswered(six, byUtp: false, 0);
        Assert.True(IsByUtp(book, 0));
    }

    private static PeerBook Book() => new(reachesByUtp: static _ => true);

    private static bool IsByUtp(PeerBook book, long now)
    {
        var peer = book.Next(now);
        Assert.NotNull(peer);
        return book.IsNextByUtp(peer);
    }
}
