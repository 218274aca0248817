namespace NzbDav.Torrents.Connections;

/// <summary>Choosing connections to close.</summary>
internal sealed partial class ConnectionManager
{
    /// <summary>Most connections closed at once for an urgent torrent.</summary>
    private const int MostForReader = 4;

    /// <summary>Most connections closed per minute for torrents that have none and are not urgent.</summary>
    private const int MostForPoorPerMinute = 20;

    private bool _makesRoom;
    private bool _wasMissed;
    private bool _isFruitless;
    private long _poorMinute;
    private int _forPoor;

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
                victim = Richest(static (_, _) => true);
                count = victim is null ? 0 : Math.Min(surplus, Math.Max(1, _shares[victim].Closable / 2));
                if (victim is not null)
                    _shares[victim].Promised += count;
            }

            if (victim is null)
                break;
            victim.CloseLeastUseful(count);
            surplus -= count;
        }

        lock (_gate)
        {
            foreach (var share in _shares.Values)
                share.Promised = 0;
        }

        CallNext();
    }

    /// <summary>Number of connections that the torrent has beyond its own limit.</summary>
    public int SurplusOf(IConnectionHolder holder)
    {
        var most = bounds().PerTorrent;
        lock (_gate)
            return ShareOf(holder) is var share ? share.Count - share.Dials - most : 0;
    }

    /// <summary>True if there is no place for another connection of this torrent: a new peer then needs the place of another.</summary>
    public bool IsFull(IConnectionHolder holder)
    {
        var limits = bounds();
        lock (_gate)
            return ShareOf(holder).Count >= limits.PerTorrent || _connections >= limits.ConnectionsFor(holder.IsUrgent);
    }

    /// <summary>Chooses connections of a torrent to close for newcomers: none while it is not full; never more than <see cref="Turnover.MostPerMinute"/> a
    /// minute. The caller closes them.</summary>
    /// <param name="holder">The torrent.</param>
    /// <param name="standings">Its connections that are not closing.</param>
    /// <param name="newcomers">The peers that want a place.</param>
    /// <param name="isSeeding">True if the torrent fetches nothing.</param>
    /// <returns>Indexes of <paramref name="standings"/>.</returns>
    public IReadOnlyList<int> TurnOver(IConnectionHolder holder, IReadOnlyList<ConnectionStanding> standings, Newcomers newcomers, bool isSeeding)
    {
        var limits = bounds();
        lock (_gate)
        {
            var share = ShareOf(holder);
            var isOwn = share.Count >= limits.PerTorrent;
            if (!isOwn && _connections < limits.ConnectionsFor(holder.IsUrgent))
                return [];
            return share.Turnover.Choose(standings, newcomers, isSeeding, uselessOnly: !isOwn, Now);
        }
    }

    private long Now => time.GetElapsedTime(0).Ticks;

    /// <summary>Gives a refused torrent the place of another torrent's connection. One such exchange at a time, because connections take a moment to
    /// close.</summary>
    private void MakeRoom(IConnectionHolder holder, ConnectionShare share)
    {
        var isUrgent = holder.IsUrgent;
        if (!isUrgent && share.Count > 0)
            return;
        if (_makesRoom)
        {
            _wasMissed = true;
            return;
        }

        var victim = Richest((other, theirs) => !other.IsUrgent && other != holder && theirs.Count > share.Count + 1);
        if (victim is null && isUrgent)
            victim = Richest((other, theirs) => other != holder && (!other.IsUrgent || theirs.Count > share.Count + 1));
        if (victim is null || (!isUrgent && !MayHelpPoor()))
            return;
        _makesRoom = true;
        var count = Math.Min(isUrgent ? MostForReader : 1, _shares[victim].Closable);
        _queue(() => CloseFor(victim, count));
    }

    private bool MayHelpPoor()
    {
        var now = Now;
        if (now - _poorMinute >= TimeSpan.TicksPerMinute)
            (_poorMinute, _forPoor) = (now, 0);
        return _forPoor++ < MostForPoorPerMinute;
    }

    private void CloseFor(IConnectionHolder victim, int count)
    {
        var closed = victim.CloseLeastUseful(count);
        lock (_gate)
        {
            // The connections to close may already have ended. Then no ending connection calls the torrents that were refused meanwhile and started no exchange
            // of their own, so they are called here.
            _isFruitless = closed == 0 && !_wasMissed;
            _makesRoom = _wasMissed = false;
        }

        CallNext();
    }

    /// <summary>Of the torrents that may be chosen, the one with most connections.</summary>
    private IConnectionHolder? Richest(Func<IConnectionHolder, ConnectionShare, bool> may)
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
}
