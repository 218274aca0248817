using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// The bounds on connections of all torrents of an engine together: how many there are, how many are being made, and how many lead to one address. An eighth of the places and a quarter of
/// the dials are for torrents that somebody waits for; when those are taken too, the slowest connection of a torrent that nobody waits for, else of the one that has most, makes room.
/// Thread-safe. Lock order: a torrent's, then this.
/// </summary>
/// <param name="options">The engine's, as they are at the time.</param>
internal sealed class ConnectionLimits(Func<TorrentOptions> options)
{
    /// <summary>Connections of one torrent to one address: behind it there may be several peers (NAT), but one that holds all places is none of them.</summary>
    public const int MostPerAddress = 4;

    /// <summary>Connections of all torrents to one address: a server that seeds many of them.</summary>
    public const int MostPerAddressInAll = 50;

    /// <summary>Connections that make room at once.</summary>
    private const int Turn = 4;

    private readonly Lock _gate = new();
    private readonly FamilyDials _families = new();
    private readonly Dictionary<IConnectionHolder, Share> _shares = [];
    private readonly Dictionary<IPAddress, int> _addresses = [];
    private int _connections;
    private int _dials;
    private bool _turning;

    /// <summary>Connections, and those that are being made.</summary>
    public int Connections
    {
        get
        {
            lock (_gate)
                return _connections;
        }
    }

    /// <summary>Connections that are being made.</summary>
    public int Dials
    {
        get
        {
            lock (_gate)
                return _dials;
        }
    }

    /// <summary>A torrent is going to dial. If it is admitted, <see cref="Dialled"/> follows.</summary>
    public ConnectionAdmission TryDial(IConnectionHolder holder, IPAddress address)
    {
        lock (_gate)
        {
            var share = ShareOf(holder);
            var most = options().MostHalfOpen;
            if (_dials >= (holder.IsUrgent ? most : most - (most / 4)))
            {
                share.Waits = true;
                return ConnectionAdmission.Full;
            }

            if (!_families.MayDial(address, most))
                return ConnectionAdmission.AddressFull;
            var admission = Admit(holder, share, address);
            if (admission == ConnectionAdmission.Admitted)
            {
                _families.Began(address);
                _dials++;
                share.Dials++;
            }

            return admission;
        }
    }

    /// <summary>A dial has ended.</summary>
    /// <param name="holder">Who dialled.</param>
    /// <param name="address">Where.</param>
    /// <param name="isConnected">It counts on, until it is <see cref="Closed"/>.</param>
    public void Dialled(IConnectionHolder holder, IPAddress address, bool isConnected)
    {
        lock (_gate)
        {
            _dials--;
            _families.Ended(address, isConnected);
            ShareOf(holder).Dials--;
            if (!isConnected)
                Free(holder, address);
        }

        WakeNext();
    }

    /// <summary>A peer came. If it is admitted, <see cref="Closed"/> follows.</summary>
    public ConnectionAdmission TryAccept(IConnectionHolder holder, IPAddress address)
    {
        lock (_gate)
            return Admit(holder, ShareOf(holder), address);
    }

    /// <summary>A connection has ended.</summary>
    public void Closed(IConnectionHolder holder, IPAddress address)
    {
        lock (_gate)
            Free(holder, address);
        WakeNext();
    }

    /// <summary>A torrent is closed: it is no longer told of room.</summary>
    public void Leave(IConnectionHolder holder)
    {
        lock (_gate)
        {
            if (_shares.TryGetValue(holder, out var share) && share.Count == 0)
                _shares.Remove(holder);
        }
    }

    /// <summary>The options changed: what is over a lower bound is closed, and who waits for a higher one is told.</summary>
    public void Apply()
    {
        var surplus = Connections - options().MostConnections;
        while (surplus > 0)
        {
            IConnectionHolder? victim;
            int count;
            lock (_gate)
            {
                victim = Richest(static (_, _) => true);
                count = victim is null ? 0 : Math.Min(surplus, Math.Max(1, _shares[victim].Closable / 2));
                if (victim is not null)
                    _shares[victim].Promised += count;
            }

            if (victim is null)
                break;
            victim.CloseSlowest(count);
            surplus -= count;
        }

        lock (_gate)
        {
            foreach (var share in _shares.Values)
                share.Promised = 0;
        }

        WakeNext();
    }

    private static IPAddress Key(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    private Share ShareOf(IConnectionHolder holder)
    {
        if (!_shares.TryGetValue(holder, out var share))
            _shares[holder] = share = new Share();
        return share;
    }

    private ConnectionAdmission Admit(IConnectionHolder holder, Share share, IPAddress address)
    {
        var most = options().MostConnections;
        var isUrgent = holder.IsUrgent;
        if (_connections >= (isUrgent ? most : most - (most / 8)))
        {
            share.Waits = true;
            if (isUrgent)
                MakeRoom(holder, share);
            return ConnectionAdmission.Full;
        }

        // On this machine an address says nothing.
        address = Key(address);
        if (!IPAddress.IsLoopback(address))
        {
            var (all, own) = (_addresses.GetValueOrDefault(address), share.Addresses.GetValueOrDefault(address));
            if (all >= MostPerAddressInAll || own >= MostPerAddress)
                return ConnectionAdmission.AddressFull;
            _addresses[address] = all + 1;
            share.Addresses[address] = own + 1;
        }

        _connections++;
        share.Count++;
        share.Waits = false;
        return ConnectionAdmission.Admitted;
    }

    private void Free(IConnectionHolder holder, IPAddress address)
    {
        _connections--;
        var share = ShareOf(holder);
        share.Count--;
        address = Key(address);
        Forget(_addresses, address);
        Forget(share.Addresses, address);
    }

    private static void Forget(Dictionary<IPAddress, int> counts, IPAddress address)
    {
        if (!counts.TryGetValue(address, out var count))
            return;
        if (count > 1)
            counts[address] = count - 1;
        else
            counts.Remove(address);
    }

    /// <summary>Somebody waits for a torrent that has no place left. One turn at a time: what it closes takes a moment to be gone.</summary>
    private void MakeRoom(IConnectionHolder holder, Share share)
    {
        if (_turning)
            return;
        var victim = Richest(static (other, _) => !other.IsUrgent);
        if (victim is null)
        {
            var own = share.Count;
            victim = Richest((other, theirs) => other != holder && theirs.Count > own + 1);
        }

        if (victim is null)
            return;
        _turning = true;
        var count = Math.Min(Turn, _shares[victim].Closable);
        ThreadPool.QueueUserWorkItem(_ => TurnOver(victim, count));
    }

    private void TurnOver(IConnectionHolder victim, int count)
    {
        var closed = victim.CloseSlowest(count);
        lock (_gate)
            _turning = false;

        // Who was refused meanwhile began no turn of his own.
        if (closed > 0)
            WakeNext();
    }

    /// <summary>Of those that may be chosen the one with most connections.</summary>
    private IConnectionHolder? Richest(Func<IConnectionHolder, Share, bool> may)
    {
        IConnectionHolder? richest = null;
        var most = 0;
        foreach (var (holder, share) in _shares)
        {
            if (share.Closable <= most || !may(holder, share))
                continue;
            richest = holder;
            most = share.Closable;
        }

        return richest;
    }

    /// <summary>Tells one torrent that was refused, if there is one: who is waited for, else whoever has least.</summary>
    private void WakeNext()
    {
        IConnectionHolder? next = null;
        lock (_gate)
        {
            foreach (var (holder, share) in _shares)
            {
                if (!share.Waits)
                    continue;
                var isBetter = next is null || (holder.IsUrgent && !next.IsUrgent) || (holder.IsUrgent == next.IsUrgent && share.Count < _shares[next].Count);
                if (isBetter)
                    next = holder;
            }

            if (next is not null)
                _shares[next].Waits = false;
        }

        if (next is not null)
            ThreadPool.QueueUserWorkItem(static holder => holder.PlaceFreed(), next, preferLocal: false);
    }

    /// <summary>What one torrent has.</summary>
    private sealed class Share
    {
        /// <summary>Connections, and those that are being made.</summary>
        public int Count { get; set; }

        public int Dials { get; set; }

        public int Closable => Count - Dials - Promised;

        /// <summary>Connections that are about to be closed.</summary>
        public int Promised { get; set; }

        /// <summary>It was refused.</summary>
        public bool Waits { get; set; }

        public Dictionary<IPAddress, int> Addresses { get; } = [];
    }
}
