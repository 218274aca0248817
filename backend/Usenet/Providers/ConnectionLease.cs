namespace NzbDav.Usenet.Providers;

/// <summary>
/// Tracks how many connections of one account this process may have, and how many it has. A connection holds a place from before it is
/// dialled until it has ended. Thread-safe: its lock is taken last, and pools are called outside it.
/// </summary>
/// <param name="account">Identifies the account.</param>
/// <param name="lease">How long the places last.</param>
/// <param name="ask">Requests a renewal now; only schedules it.</param>
internal sealed class ConnectionLease(string account, LeaseTerm lease, Action ask)
{
    private readonly Lock _gate = new();
    private ConnectionPool[] _members = [];

    private int _granted;

    /// <summary>Places that it should have in the end.</summary>
    private int _target;

    /// <summary>Places taken; never more than <see cref="_granted"/>, unless that fell.</summary>
    private int _held;

    /// <summary>Of <see cref="_held"/>: places whose connection has ended and that are about to be returned.</summary>
    private int _ended;

    /// <summary>The account's limit when a pool was last in service.</summary>
    private int _most;

    /// <summary>True if no place is free. Written under the lock, read without it.</summary>
    private volatile bool _isShort = true;

    /// <summary>1 from <see cref="RequestMore"/> until the next renewal begins.</summary>
    private int _renewalRequested;

    /// <summary>True while no pool uses it.</summary>
    public bool IsUnused => Volatile.Read(ref _members).Length == 0;

    /// <summary>Places taken.</summary>
    public int Held
    {
        get
        {
            lock (_gate)
                return _held;
        }
    }

    /// <summary>Connections that this process may have now.</summary>
    public int Granted
    {
        get
        {
            lock (_gate)
                return lease.HasExpired ? 0 : _granted;
        }
    }

    /// <summary>Number of connections to close, including those already draining.</summary>
    public int Excess
    {
        get
        {
            lock (_gate)
                return Math.Max(0, _held - _ended - Allowed);
        }
    }

    /// <summary>True once the lease has expired: no connection may be open.</summary>
    public bool HasExpired => lease.HasExpired;

    private int Allowed => lease.HasExpired ? 0 : Math.Min(_granted, _target);

    public void Join(ConnectionPool member)
    {
        lock (_gate)
            Volatile.Write(ref _members, [.. _members, member]);
        ask();
    }

    /// <summary>Removes a pool whose connections have ended.</summary>
    public void Leave(ConnectionPool member)
    {
        lock (_gate)
        {
            Volatile.Write(ref _members, [.. _members.Where(other => other != member)]);
            if (_members.Length == 0)
                (_granted, _target) = (0, 0);
        }

        ask();
    }

    /// <summary>Takes a place for a connection that is about to be dialled.</summary>
    /// <returns>False if none is free.</returns>
    public bool TryAcquire()
    {
        lock (_gate)
        {
            if (_held >= Allowed)
            {
                _isShort = true;
                return false;
            }

            _held++;
            _isShort = _held >= Allowed;
            return true;
        }
    }

    /// <summary>Records that a connection ended; its place stays taken until <see cref="Return"/>.</summary>
    public void End()
    {
        lock (_gate)
            _ended++;
    }

    /// <summary>Returns a place.</summary>
    /// <param name="ended">True after <see cref="End"/>.</param>
    public void Return(bool ended)
    {
        bool spare, wasShort;
        ConnectionPool[] members;
        lock (_gate)
        {
            members = _members;
            wasShort = _isShort;
            _held--;
            _ended -= ended ? 1 : 0;
            spare = _held <= _target && _target < _granted;
            _isShort = _held >= Allowed;
        }

        // Other processes wait for places that are no longer in use here.
        if (spare)
            ask();

        // After a change of an account's settings, its other pool waits for the place; the pool that held it may have left already.
        if (wasShort)
            Array.ForEach(members, static member => member.LeaseChanged(gained: 0));
    }

    /// <summary>Requests more places because a request found no connection, at most once per renewal. Takes no lock.</summary>
    public void RequestMore()
    {
        if (_isShort && Volatile.Read(ref _renewalRequested) == 0 && Interlocked.Exchange(ref _renewalRequested, 1) == 0)
            ask();
    }

    /// <summary>Starts a renewal: until it ends, no more connections are opened than the result says.</summary>
    public LeaseDemand Begin()
    {
        Volatile.Write(ref _renewalRequested, 0);
        var members = Volatile.Read(ref _members);
        int most = 0, wanted = 0, recent = 0;
        foreach (var member in members)
        {
            var use = member.LeaseUse();
            most += use.Most;
            wanted += use.Wanted;
            recent += use.Recent;
        }

        lock (_gate)
        {
            _most = most > 0 ? most : _most;
            var kept = Math.Max(_held, Allowed);
            _granted = Math.Min(_granted, kept);
            return new LeaseDemand(account, _most, kept, wanted, recent);
        }
    }

    /// <summary>Applies a renewal; the lease has been extended.</summary>
    public void Renewed(int granted, int target)
    {
        int gained;
        bool isLost;
        lock (_gate)
        {
            // The first places were free, or belonged to a gateway that is long gone.
            gained = (_granted, _target) == (0, 0) ? 0 : Math.Max(0, granted - _granted);
            (_granted, _target) = _members.Length > 0 ? (granted, target) : (0, 0);
            _isShort = _held >= Allowed;
            isLost = _held > granted;
        }

        foreach (var member in Volatile.Read(ref _members))
        {
            // The renewal came too late: other processes have these places.
            if (isLost)
                member.CutAll();
            member.LeaseChanged(gained);
        }
    }

    /// <summary>Gives up all places: connections drain.</summary>
    public void ReleaseAll()
    {
        lock (_gate)
            (_target, _isShort) = (0, true);
        foreach (var member in Volatile.Read(ref _members))
            member.LeaseChanged(gained: 0);
    }

    /// <summary>Closes all connections because the lease has expired.</summary>
    public void Expire()
    {
        lock (_gate)
            (_granted, _isShort) = (0, true);
        foreach (var member in Volatile.Read(ref _members))
            member.CutAll();
    }
}
