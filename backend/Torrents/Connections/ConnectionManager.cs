using System.Net;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Owns the connections of all torrents of an engine: decides which torrent may connect, which dials next, and which connections are
/// closed. Limits apply to the total, to connections being opened, to one torrent, to one address and to one network. Incoming peers count
/// like dialled ones. An eighth of the places and a quarter of the dials are reserved for urgent torrents
/// (<see cref="IConnectionHolder.IsUrgent"/>). A free place goes to one of the refused torrents: urgent ones first, then the one with the
/// fewest connections. Thread-safe. Lock order: a torrent's lock, then this one; torrents are called outside it.
/// </summary>
/// <param name="bounds">Returns the current limits.</param>
/// <param name="time">Paces turnover.</param>
/// <param name="queue">Runs work on another thread; null = the thread pool.</param>
internal sealed class ConnectionManager(Func<ConnectionBounds> bounds, TimeProvider time, Action<Action>? queue = null)
{
    /// <summary>
    /// Most connections of one torrent to one address: several peers may share it (NAT), but a single address must not take all places.
    /// </summary>
    public const int MostPerAddress = 4;

    /// <summary>Most connections of all torrents to one address, which may be a server that seeds many of them.</summary>
    public const int MostPerAddressInAll = 50;

    /// <summary>Most connections of one torrent to one /64 of IPv6, which a single machine may have to itself.</summary>
    public const int MostPerSubnet = 8;

    /// <summary>Most connections closed at once for an urgent torrent.</summary>
    private const int MostForReader = 4;

    /// <summary>Most connections closed per minute for torrents that have none and are not urgent.</summary>
    private const int MaxForEmptyPerMinute = 20;

    private readonly Action<Action> _queue = queue
        ?? (static work => ThreadPool.QueueUserWorkItem(static work => work(), work, preferLocal: false));
    private readonly Lock _gate = new();
    private readonly FamilyDials _families = new();
    private readonly Dictionary<IConnectionHolder, ConnectionQuota> _quotas = [];
    private readonly AddressCounts _addresses = new();
    private int _connections;
    private int _dials;
    private int _calls;

    private bool _makesRoom;
    private bool _wasMissed;
    private bool _isFruitless;
    private long _emptyMinute;
    private int _closedForEmpty;

    /// <summary>Connections, including those being opened.</summary>
    public int Connections
    {
        get
        {
            lock (_gate)
                return _connections;
        }
    }

    /// <summary>Connections of one torrent that are being opened.</summary>
    public int DialsOf(IConnectionHolder holder)
    {
        lock (_gate)
            return _quotas.TryGetValue(holder, out var share) ? share.Dials : 0;
    }

    /// <summary>True when the torrent's own limits allow another dial. The engine's may not.</summary>
    public bool MayDial(IConnectionHolder holder)
    {
        var limits = bounds();
        lock (_gate)
            return QuotaOf(holder) is var share && share.Dials < limits.Dials && share.Count < limits.PerTorrent;
    }

    /// <summary>Requests a dial. If it is admitted, <see cref="Dialled"/> must follow.</summary>
    public ConnectionAdmission TryDial(IConnectionHolder holder, IPAddress address)
    {
        var limits = bounds();
        ConnectionAdmission admission;
        lock (_gate)
        {
            var share = QuotaOf(holder);
            if (share.Dials >= limits.Dials)
                return ConnectionAdmission.TorrentFull;
            if (_dials >= limits.HalfOpenFor(holder.IsUrgent))
            {
                share.Waits = true;
                return ConnectionAdmission.Full;
            }

            if (!_families.MayDial(address, limits.HalfOpen))
                return ConnectionAdmission.AddressFull;
            admission = Admit(holder, share, address, limits);
            if (admission == ConnectionAdmission.Admitted)
            {
                _families.OnDialStarted(address);
                _dials++;
                share.Dials++;
            }
        }

        // The torrents that come first are called, unless they have been already.
        if (admission == ConnectionAdmission.Full)
            CallNext();
        return admission;
    }

    /// <summary>A dial has ended.</summary>
    /// <param name="holder">The torrent that dialled.</param>
    /// <param name="address">The address that was dialled.</param>
    /// <param name="isConnected">True: the connection keeps counting until <see cref="Closed"/>.</param>
    public void Dialled(IConnectionHolder holder, IPAddress address, bool isConnected)
    {
        lock (_gate)
        {
            _dials--;
            _families.OnDialEnded(address, isConnected);
            QuotaOf(holder).Dials--;
            if (!isConnected)
                Free(holder, address);
        }

        CallNext();
    }

    /// <summary>Requests admission of an incoming peer. If it is admitted, <see cref="Closed"/> must follow.</summary>
    public ConnectionAdmission TryAccept(IConnectionHolder holder, IPAddress address)
    {
        var limits = bounds();
        lock (_gate)
            return Admit(holder, QuotaOf(holder), address, limits);
    }

    /// <summary>
    /// Admits an incoming peer in place of one that <see cref="TurnOver"/> chose and that is closing. Until that one has gone, the limits
    /// are exceeded. <see cref="Closed"/> must follow.
    /// </summary>
    public void Replace(IConnectionHolder holder, IPAddress address)
    {
        lock (_gate)
            Count(QuotaOf(holder), address);
    }

    /// <summary>A connection has ended.</summary>
    public void Closed(IConnectionHolder holder, IPAddress address)
    {
        lock (_gate)
            Free(holder, address);
        CallNext();
    }

    /// <summary>A torrent is closed: it is no longer called.</summary>
    public void Remove(IConnectionHolder holder)
    {
        lock (_gate)
        {
            if (_quotas.TryGetValue(holder, out var share) && share.Count == 0)
                _quotas.Remove(holder);
        }
    }

    private ConnectionQuota QuotaOf(IConnectionHolder holder)
    {
        if (!_quotas.TryGetValue(holder, out var share))
            _quotas[holder] = share = new ConnectionQuota();
        return share;
    }

    private ConnectionAdmission Admit(IConnectionHolder holder, ConnectionQuota quota, IPAddress address, ConnectionBounds limits)
    {
        if (!HasAddress(quota, address, limits))
            return ConnectionAdmission.AddressFull;
        if (quota.Count >= limits.PerTorrent)
        {
            quota.Waits = false;
            return ConnectionAdmission.TorrentFull;
        }

        var places = limits.ConnectionsFor(holder.IsUrgent) - _connections;
        if (places <= 0)
        {
            quota.Waits = true;
            MakeRoom(holder, quota);
            return ConnectionAdmission.Full;
        }

        if (IsBehind(holder, quota, places))
        {
            quota.Waits = true;
            return ConnectionAdmission.Full;
        }

        Count(quota, address);
        quota.Waits = false;
        return ConnectionAdmission.Admitted;
    }

    private bool HasAddress(ConnectionQuota quota, IPAddress address, ConnectionBounds limits)
    {
        // No limit for this machine's own address, which identifies no peer, and none per network within the local network, where many
        // peers are neighbours.
        if (IPAddress.IsLoopback(address))
            return true;
        if (_addresses.Of(address) >= MostPerAddressInAll || quota.Addresses.Of(address) >= MostPerAddress)
            return false;
        return LocalNetwork.Contains(address)
            || quota.Addresses.OfNetwork(address) < (FamilyDials.IsSix(address) ? MostPerSubnet : limits.PerNetwork);
    }

    private void Count(ConnectionQuota quota, IPAddress address)
    {
        _addresses.Add(address);
        quota.Addresses.Add(address);
        _connections++;
        quota.Count++;
    }

    private void Free(IConnectionHolder holder, IPAddress address)
    {
        _connections--;
        var share = QuotaOf(holder);
        share.Count--;
        share.Promised = Math.Max(0, share.Promised - 1);
        _isFruitless = false;
        _addresses.Remove(address);
        share.Addresses.Remove(address);
    }

    /// <summary>True when torrents that come first need all free places.</summary>
    private bool IsBehind(IConnectionHolder holder, ConnectionQuota quota, int places)
    {
        foreach (var (other, theirs) in _quotas)
        {
            if (theirs != quota && (theirs.Waits || theirs.IsCalled) && IsBefore(other, theirs, holder, quota) && --places <= 0)
                return true;
        }

        return false;
    }

    private static bool IsBefore(IConnectionHolder one, ConnectionQuota its, IConnectionHolder other, ConnectionQuota theirs) =>
        one.IsUrgent != other.IsUrgent ? one.IsUrgent : its.Count < theirs.Count;

    /// <summary>
    /// Calls the first of the refused torrents if there is a place for it; otherwise tries to make room. If that torrent does not take the
    /// place, the next one is called.
    /// </summary>
    private void CallNext()
    {
        var limits = bounds();
        IConnectionHolder? next;
        lock (_gate)
        {
            next = FirstWaiting();
            if (next is null)
                return;
            var share = _quotas[next];
            if (PlacesFor(next, limits) <= _calls)
            {
                if (!_isFruitless && _connections >= limits.ConnectionsFor(next.IsUrgent))
                    MakeRoom(next, share);
                return;
            }

            share.Waits = false;
            share.IsCalled = true;
            _calls++;
        }

        _queue(() => Call(next));
    }

    /// <summary>The refused torrent that gets the next free place.</summary>
    private IConnectionHolder? FirstWaiting()
    {
        IConnectionHolder? next = null;
        foreach (var (holder, share) in _quotas)
        {
            if (share is { Waits: true, IsCalled: false } && (next is null || IsBefore(holder, share, next, _quotas[next])))
                next = holder;
        }

        return next;
    }

    private int PlacesFor(IConnectionHolder holder, ConnectionBounds limits) =>
        Math.Min(limits.ConnectionsFor(holder.IsUrgent) - _connections, limits.HalfOpenFor(holder.IsUrgent) - _dials);

    private void Call(IConnectionHolder holder)
    {
        holder.PlaceFreed();
        lock (_gate)
        {
            _calls--;
            if (_quotas.TryGetValue(holder, out var share))
                share.IsCalled = false;
        }

        CallNext();
    }

    // Choosing connections to close.

    /// <summary>Applies changed limits: closes surplus connections, and calls torrents that wait for a place.</summary>
    public void Apply()
    {
        var surplus = Connections - bounds().Connections;
        while (surplus > 0)
        {
            IConnectionHolder? victim;
            int count;
            lock (_gate)
            {
                victim = FindLargestHolder(static (_, _) => true);
                count = victim is null ? 0 : Math.Min(surplus, Math.Max(1, _quotas[victim].Closable / 2));
                if (victim is not null)
                    _quotas[victim].Promised += count;
            }

            if (victim is null)
                break;
            victim.CloseLeastUseful(count);
            surplus -= count;
        }

        lock (_gate)
        {
            foreach (var share in _quotas.Values)
                share.Promised = 0;
        }

        CallNext();
    }

    /// <summary>Number of connections that the torrent has beyond its own limit.</summary>
    public int SurplusOf(IConnectionHolder holder)
    {
        var most = bounds().PerTorrent;
        lock (_gate)
            return QuotaOf(holder) is var share ? share.Count - share.Dials - most : 0;
    }

    /// <summary>True if there is no place for another connection of this torrent: a new peer must then replace another.</summary>
    public bool IsFull(IConnectionHolder holder)
    {
        var limits = bounds();
        lock (_gate)
            return QuotaOf(holder).Count >= limits.PerTorrent || _connections >= limits.ConnectionsFor(holder.IsUrgent);
    }

    /// <summary>
    /// Chooses connections of a torrent to close for newcomers: none while there is a free place, and at most
    /// <see cref="Turnover.MostPerMinute"/> a minute. The caller closes them.
    /// </summary>
    /// <param name="holder">The torrent.</param>
    /// <param name="standings">Its connections that are not closing.</param>
    /// <param name="newcomers">The peers that want a place.</param>
    /// <param name="isSeeding">True if the torrent downloads nothing.</param>
    /// <returns>Indexes of <paramref name="standings"/>.</returns>
    public IReadOnlyList<int> TurnOver(
        IConnectionHolder holder, IReadOnlyList<ConnectionRating> standings, Newcomers newcomers, bool isSeeding)
    {
        var limits = bounds();
        lock (_gate)
        {
            var share = QuotaOf(holder);
            var isOwn = share.Count >= limits.PerTorrent;
            if (!isOwn && _connections < limits.ConnectionsFor(holder.IsUrgent))
                return [];
            return share.Turnover.Choose(standings, newcomers, isSeeding, uselessOnly: !isOwn, Now);
        }
    }

    private long Now => time.GetElapsedTime(0).Ticks;

    /// <summary>
    /// Frees a place for a refused torrent by closing connections of another. One exchange at a time, because connections take a moment to
    /// close. An urgent torrent takes from those that nobody reads, then from one that is read and has more. A torrent without connections
    /// takes one from the torrent with the most that nobody reads.
    /// </summary>
    private void MakeRoom(IConnectionHolder holder, ConnectionQuota quota)
    {
        var isUrgent = holder.IsUrgent;
        if (!isUrgent && quota.Count > 0)
            return;
        if (_makesRoom)
        {
            _wasMissed = true;
            return;
        }

        var victim = FindLargestHolder((other, theirs) => !other.IsUrgent && other != holder && theirs.Count > quota.Count + 1);
        if (victim is null && isUrgent)
            victim = FindLargestHolder((other, theirs) => other != holder && (!other.IsUrgent || theirs.Count > quota.Count + 1));
        if (victim is null || (!isUrgent && !MayCloseForEmpty()))
            return;
        _makesRoom = true;
        var count = Math.Min(isUrgent ? MostForReader : 1, _quotas[victim].Closable);
        _queue(() => CloseFor(victim, count));
    }

    private bool MayCloseForEmpty()
    {
        var now = Now;
        if (now - _emptyMinute >= TimeSpan.TicksPerMinute)
            (_emptyMinute, _closedForEmpty) = (now, 0);
        return _closedForEmpty++ < MaxForEmptyPerMinute;
    }

    private void CloseFor(IConnectionHolder victim, int count)
    {
        var closed = victim.CloseLeastUseful(count);
        lock (_gate)
        {
            // The connections to close may have ended already. Then no further connection ends, so nothing else would call the torrents
            // that were refused meanwhile and could not start an exchange of their own: call them here.
            _isFruitless = closed == 0 && !_wasMissed;
            _makesRoom = _wasMissed = false;
        }

        CallNext();
    }

    /// <summary>The torrent with the most closable connections among those that may be chosen.</summary>
    private IConnectionHolder? FindLargestHolder(Func<IConnectionHolder, ConnectionQuota, bool> may)
    {
        IConnectionHolder? richest = null;
        var most = 0;
        foreach (var (holder, share) in _quotas)
        {
            if (share.Closable <= most || !may(holder, share))
                continue;
            richest = holder;
            most = share.Closable;
        }

        return richest;
    }
}

/// <summary>Answer of <see cref="ConnectionManager"/> to a request for one more connection.</summary>
internal enum ConnectionAdmission
{
    /// <summary>The connection is admitted, and counts from now on.</summary>
    Admitted,

    /// <summary>There are enough connections to this address or its network; another address may be tried.</summary>
    AddressFull,

    /// <summary>The torrent has all the connections or dials that it may have.</summary>
    TorrentFull,

    /// <summary>The engine has no free place, or other torrents come first. The torrent is called when there may be a place.</summary>
    Full,
}

/// <summary>A torrent as <see cref="ConnectionManager"/> sees it. Thread-safe.</summary>
internal interface IConnectionHolder
{
    /// <summary>
    /// True if the torrent has readers, or has no info dictionary yet. Called under the manager's lock: must take no lock.
    /// </summary>
    bool IsUrgent { get; }

    /// <summary>
    /// Closes up to <paramref name="count"/> connections, the least useful first; returns how many. Called outside the manager's lock.
    /// </summary>
    int CloseLeastUseful(int count);

    /// <summary>
    /// Called after a refusal, when there may be a place. Before it returns, the torrent dials again if it has peers to dial. Called
    /// outside the manager's lock.
    /// </summary>
    void PlaceFreed();
}
