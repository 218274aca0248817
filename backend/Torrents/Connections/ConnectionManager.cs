using System.Net;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Owns the connections of all torrents of an engine: decides which torrent may connect, which dials next, and which connections are
/// closed. Limits apply to the total, to connections being opened, to one torrent, to one address and to one network. Incoming peers count
/// like dialled ones. An eighth of the places and a quarter of the dials are reserved for urgent torrents
/// (<see cref="IConnectionHolder.IsUrgent"/>). Below the limits a request is admitted at once. A torrent that is refused for want of a
/// place waits, and while any waits, places are assigned once a second: urgent torrents come first, then the one with the fewest
/// connections. Thread-safe. Lock order: a torrent's lock, then this one; torrents are called outside it.
/// </summary>
/// <param name="bounds">Returns the current limits. Must not throw.</param>
/// <param name="time">Paces assignments and turnover.</param>
internal sealed class ConnectionManager(Func<ConnectionBounds> bounds, TimeProvider time) : IDisposable
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

    /// <summary>Longest time until the next assignment while a torrent waits.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Longest time until the next assignment after an urgent torrent was refused, or after a place or a dial became free while one waits.
    /// Also the shortest time between two assignments.
    /// </summary>
    public static readonly TimeSpan UrgentPace = TimeSpan.FromMilliseconds(50);

    private readonly Lock _gate = new();
    private readonly FamilyDials _families = new();
    private readonly Dictionary<IConnectionHolder, ConnectionQuota> _quotas = [];
    private readonly AddressCounts _addresses = new();

    /// <summary>Refused torrents; the one that waits longest is first.</summary>
    private readonly List<IConnectionHolder> _waiting = [];
    private int _connections;
    private int _dials;

    /// <summary>Connections that are being closed to make room.</summary>
    private int _closing;
    private long _emptyMinute;
    private int _closedForEmpty;

    /// <summary>Runs <see cref="Assign"/>. Armed only while a torrent waits; null until one has.</summary>
    private ITimer? _timer;

    /// <summary>When the timer fires, in ticks; null = it is not armed.</summary>
    private long? _due;
    private bool _isDisposed;

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
            return _quotas.TryGetValue(holder, out var quota) ? quota.Dials : 0;
    }

    /// <summary>True when the torrent's own limits allow another dial. The engine's may not.</summary>
    public bool MayDial(IConnectionHolder holder)
    {
        var limits = bounds();
        lock (_gate)
            return QuotaOf(holder) is var quota && quota.Dials < limits.Dials && quota.Count < limits.PerTorrent;
    }

    /// <summary>Requests a dial. If it is admitted, <see cref="Dialled"/> must follow.</summary>
    public ConnectionAdmission TryDial(IConnectionHolder holder, IPAddress address)
    {
        var limits = bounds();
        lock (_gate)
        {
            var quota = QuotaOf(holder);
            if (quota.Dials >= limits.Dials)
                return ConnectionAdmission.TorrentFull;
            if (_dials >= limits.HalfOpenFor(holder.IsUrgent))
                return Refuse(holder);
            if (!_families.MayDial(address, limits.HalfOpen))
                return ConnectionAdmission.AddressFull;
            var admission = Admit(holder, quota, address, limits, PlacesFor(holder, limits));
            if (admission == ConnectionAdmission.Admitted)
            {
                _families.OnDialStarted(address);
                _dials++;
                quota.Dials++;
            }

            return admission;
        }
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
            OnFreed();
        }
    }

    /// <summary>Requests admission of an incoming peer. If it is admitted, <see cref="Closed"/> must follow.</summary>
    public ConnectionAdmission TryAccept(IConnectionHolder holder, IPAddress address)
    {
        var limits = bounds();
        lock (_gate)
            return Admit(holder, QuotaOf(holder), address, limits, limits.ConnectionsFor(holder.IsUrgent) - _connections);
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
        {
            Free(holder, address);
            _closing = Math.Max(0, _closing - 1);
            OnFreed();
        }
    }

    /// <summary>A torrent is closed: it is no longer called.</summary>
    public void Remove(IConnectionHolder holder)
    {
        lock (_gate)
        {
            StopWaiting(holder);
            if (_quotas.TryGetValue(holder, out var quota) && quota.Count == 0)
                _quotas.Remove(holder);
        }
    }

    /// <summary>Ends assignments. A call of a torrent that is in progress ends by itself. Requests are still answered.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _waiting.Clear();
        }

        _timer?.Dispose();
    }

    private ConnectionQuota QuotaOf(IConnectionHolder holder)
    {
        if (!_quotas.TryGetValue(holder, out var quota))
            _quotas[holder] = quota = new ConnectionQuota();
        return quota;
    }

    private ConnectionAdmission Admit(
        IConnectionHolder holder, ConnectionQuota quota, IPAddress address, ConnectionBounds limits, int places)
    {
        if (!HasAddress(quota, address, limits))
            return ConnectionAdmission.AddressFull;
        if (quota.Count >= limits.PerTorrent)
        {
            StopWaiting(holder);
            return ConnectionAdmission.TorrentFull;
        }

        if (places <= 0 || IsBehind(holder, quota, places))
            return Refuse(holder);
        Count(quota, address);
        StopWaiting(holder);
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
        var quota = QuotaOf(holder);
        quota.Count--;
        _addresses.Remove(address);
        quota.Addresses.Remove(address);
    }

    /// <summary>
    /// True when torrents that come first need all free places: an urgent one needs one, another as many as bring it level with this one.
    /// </summary>
    private bool IsBehind(IConnectionHolder holder, ConnectionQuota quota, int places)
    {
        foreach (var other in _waiting)
        {
            var isUrgent = other.IsUrgent;
            places -= isUrgent == holder.IsUrgent ? Math.Max(0, quota.Count - QuotaOf(other).Count) : isUrgent ? 1 : 0;
            if (places <= 0)
                return true;
        }

        return false;
    }

    // Assigning places to the torrents that wait.

    private ConnectionAdmission Refuse(IConnectionHolder holder)
    {
        if (_isDisposed)
            return ConnectionAdmission.Full;
        if (!_waiting.Contains(holder))
            _waiting.Add(holder);
        AssignWithin(holder.IsUrgent ? UrgentPace : Pace);
        return ConnectionAdmission.Full;
    }

    /// <summary>False if the torrent did not wait.</summary>
    private bool StopWaiting(IConnectionHolder holder)
    {
        if (!_waiting.Remove(holder))
            return false;
        if (_waiting.Count == 0)
        {
            _due = null;
            _timer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        return true;
    }

    /// <summary>A place or a dial became free.</summary>
    private void OnFreed()
    {
        if (_waiting.Exists(static holder => holder.IsUrgent))
            AssignWithin(UrgentPace);
    }

    private void AssignWithin(TimeSpan pause)
    {
        var due = Now + pause.Ticks;
        if (_due <= due)
            return;
        _due = due;
        _timer ??= time.CreateTimer(
            static manager => ((ConnectionManager)manager!).Assign(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(pause, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// The timer's callback. Calls the waiting torrents in order of priority while there are places. Then makes room for the first that
    /// still has none; the next assignment calls it.
    /// </summary>
    private void Assign()
    {
        var limits = bounds();
        List<IConnectionHolder> waiting;
        lock (_gate)
        {
            _due = null;
            waiting = ListWaiting();
            if (waiting.Count > 0)
                AssignWithin(Pace);
        }

        foreach (var holder in waiting)
        {
            lock (_gate)
            {
                if (PlacesFor(holder, limits) <= 0)
                    break;
                if (!StopWaiting(holder))
                    continue;
            }

            holder.PlaceFreed();
        }

        MakeRoom(limits);
    }

    /// <summary>The waiting torrents in order of priority. Of equal ones, the one that waits longest is first.</summary>
    private List<IConnectionHolder> ListWaiting() =>
        [.. _waiting.OrderByDescending(static holder => holder.IsUrgent).ThenBy(holder => QuotaOf(holder).Count)];

    private int PlacesFor(IConnectionHolder holder, ConnectionBounds limits) =>
        Math.Min(limits.ConnectionsFor(holder.IsUrgent) - _connections, limits.HalfOpenFor(holder.IsUrgent) - _dials);

    // Choosing connections to close.

    /// <summary>Applies changed limits: closes surplus connections, and soon calls torrents that wait for a place.</summary>
    public void Apply()
    {
        foreach (var (victim, count) in ChooseSurplus(bounds().Connections).Where(static chosen => chosen.Count > 0))
            victim.CloseLeastUseful(count);
        lock (_gate)
        {
            if (_waiting.Count > 0)
                AssignWithin(UrgentPace);
        }
    }

    /// <summary>How many connections each torrent closes so that <paramref name="most"/> are left: the largest close first.</summary>
    private List<(IConnectionHolder Victim, int Count)> ChooseSurplus(int most)
    {
        lock (_gate)
        {
            var left = _quotas.ToDictionary(static pair => pair.Key, static pair => pair.Value.Closable);
            for (var surplus = Math.Min(_connections - most, left.Values.Sum()); surplus > 0; surplus--)
                left[left.MaxBy(static pair => pair.Value).Key]--;
            return [.. left.Select(pair => (pair.Key, _quotas[pair.Key].Closable - pair.Value))];
        }
    }

    /// <summary>Number of connections that the torrent has beyond its own limit.</summary>
    public int SurplusOf(IConnectionHolder holder)
    {
        var most = bounds().PerTorrent;
        lock (_gate)
            return QuotaOf(holder).Closable - most;
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
            var quota = QuotaOf(holder);
            var isOwn = quota.Count >= limits.PerTorrent;
            if (!isOwn && _connections < limits.ConnectionsFor(holder.IsUrgent))
                return [];
            return quota.Turnover.Choose(standings, newcomers, isSeeding, uselessOnly: !isOwn, Now);
        }
    }

    private long Now => time.GetElapsedTime(0).Ticks;

    /// <summary>
    /// Frees a place for the first waiting torrent that has none by closing connections of another: one exchange at a time, because
    /// connections take a moment to close. An urgent torrent takes from those that nobody reads, then from one that is read and has more. A
    /// torrent without connections takes one from the torrent with the most that nobody reads. Outside the lock.
    /// </summary>
    private void MakeRoom(ConnectionBounds limits)
    {
        IConnectionHolder? victim;
        int count;
        lock (_gate)
        {
            if (_closing > 0 || ListWaiting().Find(waiting => _connections >= limits.ConnectionsFor(waiting.IsUrgent)) is not { } holder)
                return;
            var (quota, isUrgent) = (QuotaOf(holder), holder.IsUrgent);
            if (!isUrgent && quota.Count > 0)
                return;
            victim = _quotas.Where(other => other.Key != holder && other.Value.Closable > 0
                    && (other.Key.IsUrgent == isUrgent ? other.Value.Count > quota.Count + 1 : isUrgent))
                .OrderBy(static other => other.Key.IsUrgent).ThenByDescending(static other => other.Value.Closable).FirstOrDefault().Key;
            if (victim is null || (!isUrgent && !MayCloseForEmpty()))
                return;
            _closing = count = Math.Min(isUrgent ? MostForReader : 1, _quotas[victim].Closable);
        }

        // Some may have been closing already. Each of those ends and frees a place too.
        var closed = victim.CloseLeastUseful(count);
        lock (_gate)
            _closing = Math.Max(0, _closing - (count - closed));
    }

    private bool MayCloseForEmpty()
    {
        var now = Now;
        if (now - _emptyMinute >= TimeSpan.TicksPerMinute)
            (_emptyMinute, _closedForEmpty) = (now, 0);
        return _closedForEmpty++ < MaxForEmptyPerMinute;
    }
}

/// <summary>One torrent's share of the engine's connections. Used under the manager's lock.</summary>
internal sealed class ConnectionQuota
{
    /// <summary>Connections, including those being opened.</summary>
    public int Count { get; set; }

    /// <summary>Connections being opened.</summary>
    public int Dials { get; set; }

    /// <summary>Connections that can be closed.</summary>
    public int Closable => Count - Dials;

    /// <summary>Connections of this torrent by address.</summary>
    public AddressCounts Addresses { get; } = new();

    /// <summary>Replaces its connections by newcomers.</summary>
    public Turnover Turnover { get; } = new();
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

/// <summary>A torrent as <see cref="ConnectionManager"/> sees it. Thread-safe. Its methods must not throw.</summary>
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
    /// Called after a refusal, when there may be a place. Before it returns, the torrent dials again if it has peers to dial. Called by the
    /// manager's timer, outside its lock.
    /// </summary>
    void PlaceFreed();
}
