using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>Which peers a torrent dials first when it is opened again.</summary>
public sealed class SavedPeerTests
{
    private static readonly IPEndPoint Reached = IPEndPoint.Parse("192.0.2.1:1");
    private static readonly IPEndPoint Failed = IPEndPoint.Parse("192.0.2.2:2");
    private static readonly IPEndPoint Untried = IPEndPoint.Parse("192.0.2.3:3");

    [Fact]
    public void An_untried_saved_peer_is_saved_again()
    {
        var book = Open([Save(Reached), Save(Untried, misses: 2)], Reached);
        Assert.Equal([Save(Reached), Save(Untried, misses: 2)], book.ListReached(10));
        Assert.Equal([Save(Reached)], book.ListReached(1));
    }

    [Fact]
    public void A_saved_peer_that_is_unreachable_three_times_in_a_row_is_dropped()
    {
        IReadOnlyList<SavedPeer> saved = [Save(Reached), Save(Failed)];
        for (var misses = 1; misses <= 2; misses++)
        {
            saved = Open(saved, Reached, Failed, Failed).ListReached(10);
            Assert.Equal([Save(Reached), Save(Failed, misses)], saved);
        }

        Assert.Equal([Save(Reached)], Open(saved, Reached, Failed).ListReached(10));
        Assert.Equal([Save(Failed)], Open([Save(Failed, misses: 2)], Failed).ListReached(10));
    }

    [Fact]
    public void Failures_are_not_counted_while_no_peer_can_be_reached()
    {
        var book = Open([Save(Reached), Save(Failed, misses: 2)], reached: null, Failed, Reached);
        Assert.Empty(book.ListReached(10));
    }

    [Fact]
    public void A_peer_that_was_never_reached_is_not_saved()
    {
        var book = Open([Save(Reached)], Reached);
        Assert.True(book.Add(Untried, PeerSources.Tracker));
        Assert.Equal([Save(Reached)], book.ListReached(10));
    }

    [Fact]
    public void A_peer_that_was_reached_by_the_alias_is_saved_and_read_so()
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-saved-");
        try
        {
            var saved = new SavedPeers(folder.FullName, TimeProvider.System);
            var book = new PeerBook();
            book.Add(Reached, PeerSources.Tracker, byAlias: true);
            book.Reached(Reached, PeerEncryption.Full, byAlias: true);
            saved.Save(default, book.ListReached(10));
            var read = Assert.Single(saved.Load(default));
            Assert.Equal(Save(Reached) with { ByAlias = true }, read);
            var again = new PeerBook();
            again.Add(read);
            Assert.True(again.Next(0)!.DialsByAlias);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static SavedPeer Save(IPEndPoint endpoint, int misses = 0) => new(endpoint, PeerSources.Tracker, IsPlain: false, misses);

    private static PeerBook Open(IReadOnlyList<SavedPeer> saved, IPEndPoint? reached, params IPEndPoint[] failed)
    {
        var book = new PeerBook();
        foreach (var peer in saved)
            book.Add(peer);
        if (reached is not null)
            book.Reached(reached, PeerEncryption.Full);
        var now = 0L;
        foreach (var endpoint in failed)
        {
            for (now += TimeSpan.TicksPerHour; book.Next(now) is { } next && !next.Endpoint.Equals(endpoint);)
                book.PutBack(next, first: false, now);
            book.Left(endpoint, wasUseful: false, now);
        }

        return book;
    }
}
