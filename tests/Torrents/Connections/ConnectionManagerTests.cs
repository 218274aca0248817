using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>Which torrents may connect, and which one gets the next free place.</summary>
public sealed class ConnectionManagerTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private ConnectionBounds _bounds = new(Connections: 16, HalfOpen: 16, PerTorrent: 16, Dials: 16);

    private ConnectionManager Manager => field ??= new ConnectionManager(() => _bounds, _time);

    public void Dispose() => Manager.Dispose();

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

        // The first eviction finds nothing to close, so no closing connection announces a free place.
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((1, 2, 0), (rich.Asked, first.Count, second.Count));
        rich.HasNothingToClose = false;
        _time.Advance(ConnectionManager.Pace);
        _time.Advance(ConnectionManager.UrgentPace);
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
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((0, 0), (one.Count, other.Count));

        // By now it has nobody to dial.
        one.Wants = 0;
        rich.CloseOne();
        _time.Advance(ConnectionManager.Pace);
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
        _time.Advance(ConnectionManager.Pace);
        reader.IsUrgent = true;

        // The rich one asks before any waiting torrent was notified.
        rich.CloseOne();
        rich.Dial();
        Assert.Equal(7, rich.Count);
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((7, 0, 2), (rich.Count, poor.Count, reader.Count));

        // An eighth of the places is reserved for readers: the next free place stays empty, the one after it is given away.
        rich.CloseOne();
        rich.CloseOne();
        rich.Dial();
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((5, 1, 2), (rich.Count, poor.Count, reader.Count));
    }

    [Fact]
    public void A_torrent_without_connections_takes_one_from_the_largest_but_only_a_few_per_minute()
    {
        _bounds = new ConnectionBounds(Connections: 64, HalfOpen: 16, PerTorrent: 64, Dials: 16);
        var rich = new Holder(Manager, 1) { Wants = 56 };
        rich.Dial();
        var poor = Enumerable.Range(2, 30).Select(i => new Holder(Manager, (byte)i) { Wants = 5 }).ToArray();
        foreach (var holder in poor)
            holder.Dial();

        // One a second: the place that one assignment frees, the next one gives away.
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((55, 0), (rich.Count, Sum()));
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((54, 1), (rich.Count, Sum()));

        // Twenty a minute.
        _time.Advance(TimeSpan.FromSeconds(57));
        Assert.Equal((36, 20), (rich.Count, Sum()));
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((26, 30), (rich.Count, Sum()));
        Assert.All(poor, static holder => Assert.Equal(1, holder.Count));

        int Sum() => poor.Sum(static holder => holder.Count);
    }

    [Fact]
    public void An_urgent_torrent_refused_at_a_full_engine_gets_places_within_the_short_interval_after_room_is_made()
    {
        var (rich, reader) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 5 });
        rich.Dial();
        reader.Dial();
        Assert.Equal((14, 2), (rich.Count, reader.Count));
        _time.Advance(ConnectionManager.UrgentPace - TimeSpan.FromTicks(1));
        Assert.Equal((0, 0), (rich.Asked, reader.Calls));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal((10, 2), (rich.Count, reader.Count));
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((10, 5), (rich.Count, reader.Count));
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((1, 1), (rich.Asked, reader.Calls));
    }

    [Fact]
    public void Refusals_of_an_urgent_torrent_do_not_hasten_the_next_assignment()
    {
        var (rich, reader) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 5 });
        rich.Dial();
        rich.HasNothingToClose = true;
        for (var elapsed = TimeSpan.Zero; elapsed < 4 * ConnectionManager.UrgentPace; elapsed += ConnectionManager.UrgentPace / 10)
        {
            reader.Dial();
            _time.Advance(ConnectionManager.UrgentPace / 10);
        }

        Assert.InRange(rich.Asked, 2, 4);
    }

    [Fact]
    public void No_timer_is_armed_while_nobody_waits()
    {
        var (rich, poor) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { Wants = 1 });
        rich.Dial();
        rich.HasNothingToClose = true;
        Assert.Equal(0, _time.ArmedTimers);
        poor.Dial();
        Assert.Equal(ConnectionManager.Pace, _time.NextDue);

        // It takes the place itself.
        rich.CloseOne();
        poor.Dial();
        Assert.Equal((1, 0), (poor.Count, _time.ArmedTimers));

        // It is served by an assignment.
        poor.Wants = 1;
        poor.Dial();
        Assert.Equal(1, _time.ArmedTimers);
        rich.CloseOne();
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((2, 0), (poor.Count, _time.ArmedTimers));

        // It has nobody left to dial.
        poor.Wants = 1;
        poor.Dial();
        poor.Wants = 0;
        rich.CloseOne();
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal((2, 0), (poor.Calls, _time.ArmedTimers));

        // It is closed.
        poor.Wants = 2;
        poor.Dial();
        Assert.Equal((3, 1), (poor.Count, _time.ArmedTimers));
        Manager.Remove(poor);
        Assert.Equal(0, _time.ArmedTimers);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Nobody_is_called_after_the_end(bool waited)
    {
        var (rich, poor) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { Wants = 1 });
        rich.Dial();
        if (waited)
            poor.Dial();
        Manager.Dispose();
        poor.Dial();
        Manager.Apply();
        rich.CloseOne();
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((0, 0, 0), (rich.Asked, poor.Calls, _time.ArmedTimers));
    }

    [Fact]
    public void A_hundred_waiting_torrents_share_freed_places()
    {
        _bounds = new ConnectionBounds(Connections: 400, HalfOpen: 100, PerTorrent: 400, Dials: 50);
        var rich = new Holder(Manager, 1) { Wants = 350 };
        rich.Dial();
        rich.HasNothingToClose = true;
        var poor = Enumerable.Range(2, 100).Select(i => new Holder(Manager, (byte)i) { Wants = 10 }).ToArray();
        foreach (var holder in poor)
            holder.Dial();
        Free(50);
        Assert.Equal((50, 50), (poor.Count(static holder => holder.Count == 0), poor.Count(static holder => holder.Count == 1)));
        Free(150);
        Assert.All(poor, static holder => Assert.Equal(2, holder.Count));
        Free(130);
        Assert.Equal((70, 30), (poor.Count(static holder => holder.Count == 3), poor.Count(static holder => holder.Count == 4)));
        Assert.Equal(20, rich.Count);

        void Free(int places)
        {
            for (var i = 0; i < places; i++)
                rich.CloseOne();

            // It asks first, but others come first.
            rich.Wants = 1;
            rich.Dial();
            Assert.Equal(1, rich.Wants);
            rich.Wants = 0;
            _time.Advance(ConnectionManager.Pace);
        }
    }

    [Fact]
    public void A_freed_dial_goes_to_the_waiting_torrent_with_fewer_connections()
    {
        // One of the four dials is reserved for urgent torrents.
        _bounds = _bounds with { HalfOpen = 4 };
        var (rich, poor) = (new Holder(Manager, 1), new Holder(Manager, 2) { Wants = 1 });
        var addresses = Enumerable.Range(1, 4).Select(static i => new IPAddress([192, 0, 2, (byte)i])).ToArray();
        foreach (var address in addresses[..3])
            Assert.Equal(ConnectionAdmission.Admitted, Manager.TryDial(rich, address));
        poor.Dial();
        Manager.Dialled(rich, addresses[0], isConnected: false);
        Assert.Equal(ConnectionAdmission.Full, Manager.TryDial(rich, addresses[3]));
        _time.Advance(ConnectionManager.Pace);
        Assert.Equal(1, poor.Count);
        Assert.Equal(ConnectionAdmission.Admitted, Manager.TryDial(rich, addresses[3]));
    }

    [Fact]
    public void Nothing_is_lost_when_the_connections_to_close_have_closed_already()
    {
        var (rich, reader) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 3 });
        rich.Dial();
        reader.Dial();

        // All that it has is closing.
        rich.HasNothingToClose = true;
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((1, 14, 2), (rich.Asked, rich.Count, reader.Count));
        rich.CloseOne();
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((13, 3), (rich.Count, reader.Count));

        // The next exchange does not wait for connections that the first did not close.
        rich.HasNothingToClose = false;
        reader.Wants = 4;
        reader.Dial();
        _time.Advance(2 * ConnectionManager.UrgentPace);
        Assert.Equal((9, 7), (rich.Count, reader.Count));
    }

    [Fact]
    public void No_more_connections_are_closed_while_those_that_make_room_take_their_time()
    {
        var (rich, reader) = (new Holder(Manager, 1) { Wants = 14 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 10 });
        rich.Dial();
        rich.ClosesLate = true;
        reader.Dial();
        _time.Advance(10 * ConnectionManager.Pace);
        Assert.Equal((1, 2), (rich.Asked, reader.Count));
        for (var i = 0; i < 4; i++)
            rich.CloseOne();
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal((2, 6), (rich.Asked, reader.Count));
    }

    [Fact]
    public void Urgent_torrents_that_compete_end_with_the_same_number()
    {
        _bounds = _bounds with { Connections = 14 };
        var (one, other) =
            (new Holder(Manager, 1) { IsUrgent = true, Wants = 1_000 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 1_000 });
        one.Dial();
        other.Dial();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((7, 7), (one.Count, other.Count));
        var asked = one.Asked + other.Asked;
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(asked, one.Asked + other.Asked);
    }

    [Fact]
    public void Readers_take_from_torrents_that_nobody_reads_before_they_take_from_each_other()
    {
        var (unread, one, other) = (
            new Holder(Manager, 1) { Wants = 6 }, new Holder(Manager, 2) { IsUrgent = true, Wants = 10 },
            new Holder(Manager, 3) { IsUrgent = true, Wants = 4 });
        unread.Dial();
        one.Dial();
        other.Dial();
        _time.Advance(2 * ConnectionManager.UrgentPace);
        Assert.Equal((2, 10, 4), (unread.Count, one.Count, other.Count));
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
        Assert.Equal((4, 2, 6), (rich.Count, poor.Count, Manager.Connections));
        _bounds = _bounds with { Connections = 2 };
        Manager.Apply();
        Assert.Equal((1, 1, 2), (rich.Count, poor.Count, Manager.Connections));
        _bounds = _bounds with { Connections = 32 };
        Manager.Apply();
        _time.Advance(ConnectionManager.UrgentPace);
        Assert.Equal(0, poor.Wants);
    }
}
