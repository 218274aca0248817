namespace NzbDav.Usenet.Providers.Leases;

/// <summary>
/// How many connections of one account this process may have, and how many it has. A connection holds a place from before it is dialled
/// until it has ended. Thread-safe: its lock is taken last, and pools are called outside it.
/// </summary>
/// <param name="account">Names the account.</param>
/// <param name="lease">How long the share lasts.</param>
/// <param name="ask">Asks for a renewal now; only schedules.</param>
internal sealed class ConnectionLease(string account, LeaseTerm lease, Action ask)
{
    private readonly Lock _gate = new();
    private ILeasedPool[] _members = [];

    /// <summary>Granted places.</summary>
    private int _granted;

    /// <summary>Places that it is to have in the end.</summary>
    private int _target;

    /// <summary>Places taken; never more than <see cref="_granted"/>, unless that fell.</summary>
    private int _held;

    /// <summary>Of <see cref="_held"/>, those whose connection has ended: they are about to be returned.</summary>
    private int _ended;

    /// <summary>What the account allowed when a pool was last in service.</summary>
    private int _most;

    /// <summary>True when no place is free. Written under the lock, read without it.</summary>
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

    /// <summary>Connections to close, those that leave already included.</summary>
    public int Excess
    {
        get
        {
            lock (_gate)
                return Math.Max(0, _held - _ended - Allowed);
        }
    }

    /// <summary>True when nothing may be open.</summary>
    public bool HasExpired => lease.HasExpired;

    private int Allowed => lease.HasExpired ? 0 : Math.Min(_granted, _target);

    public void Join(ILeasedPool member)
    {
        lock (_gate)
            Volatile.Write(ref _members, [.. _members, member]);
        ask();
    }

    /// <summary>Removes a pool whose connections have ended.</summary>
    public void Leave(ILeasedPool member)
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
    /// <returns>False when there is none.</returns>
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

    /// <summary>Notes that a connection ended; its place stays taken until <see cref="Return"/>.</summary>
    public void End()
    {
        lock (_gate)
            _ended++;
    }

    /// <summary>Gives a place back.</summary>
    /// <param name="ended">True after <see cref="End"/>.</param>
    public void Return(bool ended)
    {
        bool spare, wasShort;
        ILeasedPool[] members;
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

        // Where an account's settings were changed, its other pool waits for the place; the pool that held it may have left already.
        if (wasShort)
            Array.ForEach(members, static member => member.Changed(gained: 0));
    }

    /// <summary>Asks for a larger share because a request found no connection, at most once per renewal. Takes no lock.</summary>
    public void RequestMore()
    {
        if (_isShort && Volatile.Read(ref _renewalRequested) == 0 && Interlocked.Exchange(ref _renewalRequested, 1) == 0)
            ask();
    }

    /// <summary>Begins a renewal: until it ends, no more connections are opened than the result says.</summary>
    public LeaseDemand Begin()
    {
        Volatile.Write(ref _renewalRequested, 0);
        var members = Volatile.Read(ref _members);
        int most = 0, wanted = 0, recent = 0;
        foreach (var member in members)
        {
            var use = member.Use();
            most += member.Most;
            wanted += use.InUse + use.Waiting;
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
            // The first share was free, or belonged to a gateway that is long gone.
            gained = (_granted, _target) == (0, 0) ? 0 : Math.Max(0, granted - _granted);
            (_granted, _target) = _members.Length > 0 ? (granted, target) : (0, 0);
            _isShort = _held >= Allowed;
            isLost = _held > granted;
        }

        foreach (var member in Volatile.Read(ref _members))
        {
            // The renewal came too late: other processes have these places.
            if (isLost)
                member.Cut();
            member.Changed(gained);
        }
    }

    /// <summary>Gives all places up: connections leave after their requests.</summary>
    public void ReleaseAll()
    {
        lock (_gate)
            (_target, _isShort) = (0, true);
        foreach (var member in Volatile.Read(ref _members))
            member.Changed(gained: 0);
    }

    /// <summary>Ends the share with the lease: closes all connections.</summary>
    public void Expire()
    {
        lock (_gate)
            (_granted, _isShort) = (0, true);
        foreach (var member in Volatile.Read(ref _members))
            member.Cut();
    }
}

/// <summary>A pool of connections that belongs to an account's share. Thread-safe. Called outside the locks of shares.</summary>
internal interface ILeasedPool
{
    /// <summary>Connections that its settings allow; 0 once it opens no more.</summary>
    int Most { get; }

    /// <summary>How it uses its connections now. Takes the locks of dispatcher and pool.</summary>
    PoolUse Use();

    /// <summary>Applies a changed share: opens connections, or closes idle ones at once and others after their requests.</summary>
    /// <param name="gained">Connections that other processes may have had until now: the server may still count them.</param>
    void Changed(int gained);

    /// <summary>Closes all connections at once and stops opening any, because the share has ended.</summary>
    void Cut();
}

/// <summary>How a pool uses its connections.</summary>
/// <param name="InUse">Connections with a request under way, or used within the last seconds.</param>
/// <param name="Recent">Connections used within the last minute, those in use included.</param>
/// <param name="Waiting">Requests that wait for a connection.</param>
internal readonly record struct PoolUse(int InUse, int Recent, int Waiting);

/// <summary>
/// A lane's place in the share of its account, held from before a connection is dialled until it has ended. Without a share it costs
/// nothing. One caller at a time.
/// </summary>
/// <param name="lease">The share; null: the account belongs to this process alone.</param>
internal sealed class LeasedSlot(ConnectionLease? lease)
{
    private bool _isHeld;
    private bool _hasEnded;

    /// <summary>Takes a place, if none is held.</summary>
    /// <returns>False when the share has none left.</returns>
    public bool TryAcquire()
    {
        if (lease is null || _isHeld)
            return true;
        return _isHeld = lease.TryAcquire();
    }

    /// <summary>
    /// The connection has ended, but the server may count it for a moment: the place stays held until <see cref="Return"/>.
    /// </summary>
    public void End()
    {
        if (!_isHeld || _hasEnded)
            return;
        _hasEnded = true;
        lease!.End();
    }

    /// <summary>Gives the place back, if one is held.</summary>
    public void Return()
    {
        if (!_isHeld)
            return;
        lease!.Return(_hasEnded);
        (_isHeld, _hasEnded) = (false, false);
    }
}
