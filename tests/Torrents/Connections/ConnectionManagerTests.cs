using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>
/// Which torrents may connect, and which one gets the next free place. Work for other threads waits in a queue that the test drains.
/// </summary>
public sealed class ConnectionManagerTests
{
    private readonly Queue<Action> _queue = new();
    private readonly ManualTimeProvider _time = new();
    private ConnectionBounds _bounds = new(Connections: 16, HalfOpen: 16, PerTorrent: 16, Dials: 16);

    private ConnectionManager Manager => field ??= new ConnectionManager(() => _bounds, _time, _queue.Enqueue);

    [Fact]
    public void A_torrent_refused_during_an_eviction_is_served_even_if_that_eviction_closed_nothing()
    {
        var rich = new Holder(Manager, 1) { Wants = 14 };
        rich.Dial();
        var (first, second) =
            (new Holder(Manager, 2) { IsUrgent = true, Wants = 2 }, new Holder(Manager, 3) { IsUrgent = true, Wants = 2 });
        first.Dial();
        first.Wants = 1;
        first.Dial();
        rich.HasNothingToClose = true;
        second.Dial();
        Assert.Single(_queue);

        // The first eviction finds nothing to close, so no closing connection announces a free place.
        _queue.Dequeue()();
        rich.HasNothingToClose = false;
        Drain();
        Assert.Equal((3, 2), (first.Count, second.Count));
    }

    [Fact]
    public void A_free_place_that_one_torrent_declines_is_offered_to_the_next_refused_one()
    {
        var (rich, one, other) =
            (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { Wants = 1 }, new Holder(Manager, 3) { Wants = 1 });
        rich.Dial();
        rich.HasNothingToClose = true;
        one.Dial();
        other.Dial();
        Drain();
        Assert.Equal((0, 0), (one.Count, other.Count));

        // By now it has nobody to dial.
        one.Wants = 0;
        rich.CloseOne();
        Drain();
        Assert.Equal((0, 1), (one.Count, other.Count));
    }

    [Fact]
    public void A_refused_torrent_goes_before_one_with_more_connections_and_a_read_one_before_all()
    {
        _bounds = _bounds with { Connections = 9, PerTorrent = 8 };
        var (rich, poor, reader) =
            (new Holder(Manager, 1) { Wants = 9 }, new Holder(Manager, 2) { Wants = 1 }, new Holder(Manager, 3) { Wants = 2 });
        rich.Dial();
        rich.HasNothingToClose = true;
        Assert.Equal(8, rich.Count);
        poor.Dial();
        reader.Dial();
        Drain();
        reader.IsUrgent = true;

        // The rich one asks before any waiting torrent was notified.
        rich.CloseOne();
        rich.Dial();
        Assert.Equal(7, rich.Count);
        Drain();
        Assert.Equal((7, 0, 2), (rich.Count, poor.Count, reader.Count));

        // An eighth of the places is reserved for readers: the next free place stays empty, the one after it is given away.
        rich.CloseOne();
        rich.CloseOne();
        rich.Dial();
        Drain();
        Assert.Equal((5, 1, 2), (rich.Count, poor.Count, reader.Count));
    }

    [Fact]
    public void A_torrent_without_connections_takes_one_from_the_largest_but_only_a_few_per_minute()
    {
        var rich = new Holder(Manager, 1) { Wants = 14 };
        rich.Dial();
        var poor = Enumerable.Range(2, 30).Select(i => new Holder(Manager, (byte)i) { Wants = 5 }).ToArray();
        poor[0].Dial();
        Drain();
        Assert.Equal((13, 1), (rich.Count, poor[0].Count));

        foreach (var holder in poor)
            holder.Dial();
        Drain();
        Assert.Equal((1, 13), (rich.Count, poor.Sum(static holder => holder.Count)));
        Assert.All(poor, static holder => Assert.InRange(holder.Count, 0, 1));
    }

    [Fact]
    public void Incoming_and_outgoing_connections_count_towards_a_torrents_limit()
    {
        _bounds = _bounds with { PerTorrent = 3, Dials = 2 };
        var holder = new Holder(Manager, 1);
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(holder, IPAddress.Parse("192.0.2.1")));
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryDial(holder, IPAddress.Parse("192.0.2.2")));
        Assert.True(Manager.MayDial(holder));
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryDial(holder, IPAddress.Parse("192.0.2.3")));
        Assert.False(Manager.MayDial(holder));
        Assert.Equal(2, Manager.DialsOf(holder));
        Assert.Equal(ConnectionAdmission.TorrentFull, Manager.TryAccept(holder, IPAddress.Parse("192.0.2.4")));
        Manager.Dialled(holder, IPAddress.Parse("192.0.2.2"), isConnected: false);
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(holder, IPAddress.Parse("192.0.2.4")));
        Assert.Equal(ConnectionAdmission.TorrentFull, Manager.TryDial(holder, IPAddress.Parse("192.0.2.5")));
    }

    [Theory]
    [InlineData("192.0.2.{0}", "192.0.3.1", 16)]
    [InlineData("::ffff:192.0.2.{0}", "::ffff:192.0.3.1", 16)]
    [InlineData("2001:db8::{0}", "2001:db8:0:1::1", ConnectionManager.MostPerSubnet)]
    public void Connections_of_a_torrent_to_one_network_are_limited(string addresses, string elsewhere, int most)
    {
        _bounds = new ConnectionBounds(Connections: 500, HalfOpen: 100, PerTorrent: 50, Dials: 50);
        var holder = new Holder(Manager, 1);
        for (var i = 1; i <= most; i++)
            Assert.Equal(ConnectionAdmission.Admitted,
                Manager.TryAccept(holder, IPAddress.Parse(addresses.Replace("{0}", $"{i}", StringComparison.Ordinal))));
        var next = IPAddress.Parse(addresses.Replace("{0}", "99", StringComparison.Ordinal));
        Assert.Equal(ConnectionAdmission.AddressFull, Manager.TryAccept(holder, next));
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(holder, IPAddress.Parse(elsewhere)));
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(new Holder(Manager, 2), next));
        Manager.Closed(holder, IPAddress.Parse(addresses.Replace("{0}", "1", StringComparison.Ordinal)));
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(holder, next));
    }

    [Fact]
    public void Addresses_of_the_local_network_are_not_limited()
    {
        _bounds = new ConnectionBounds(Connections: 500, HalfOpen: 100, PerTorrent: 50, Dials: 50);
        var holder = new Holder(Manager, 1);
        for (var i = 1; i <= 40; i++)
            Assert.Equal(ConnectionAdmission.Admitted, Manager.TryAccept(holder, IPAddress.Parse($"192.168.1.{i}")));
    }

    [Fact]
    public void A_lower_limit_closes_connections_and_a_higher_one_notifies_waiting_torrents()
    {
        var (rich, poor) = (new Holder(Manager, 1) { Wants = 12 }, new Holder(Manager, 2) { Wants = 4 });
        rich.Dial();
        poor.Dial();
        Assert.Equal((12, 2), (rich.Count, poor.Count));
        _bounds = _bounds with { Connections = 6 };
        Manager.Apply();
        Drain();
        Assert.InRange(Manager.Connections, 1, 6);
        _bounds = _bounds with { Connections = 32 };
        Manager.Apply();
        Drain();
        Assert.Equal(0, poor.Wants);
    }

    private void Drain()
    {
        for (var i = 0; _queue.TryDequeue(out var work); i++)
        {
            Assert.True(i < 10_000, "The queue never becomes empty.");
            work();
        }
    }
}
