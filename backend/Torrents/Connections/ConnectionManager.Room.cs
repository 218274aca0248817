namespace NzbDav.Torrents.Connections;

/// <summary>Who must go.</summary>
internal sealed partial class ConnectionManager
{
    /// <summary>Connections that make room for a torrent that somebody waits for at once.</summary>
    private const int MostForReader = 4;

    /// <summary>Connections that make room for torrents that have none and are not waited for, in a minute.</summary>
    private const int MostForPoorPerMinute = 20;

    private bool _makesRoom;
    private bool _wasMissed;
    private bool _isFruitless;
    private long _poorMinute;
    private int _forPoor;

    /// <summary>The options changed: what is over a lower bound is closed, and who waits for a higher one is told.</summary>
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

    /// <summary>Connections that the torrent has beyond its own bound.</summary>
    public int SurplusOf(IConnectionHolder holder)
    {
        var most = bounds().PerTorrent;
        lock (_gate)
            return ShareOf(holder) is var share ? share.Count - share.Dials - most : 0;
    }

    /// <summary>There is no place for another connection of this torrent: newcomers only come if others go.</summary>
    public bool IsFull(IConnectionHolder holder)
    {
        var limits = bounds();
        lock (_gate)
            return ShareOf(holder).Count >= limits.PerTorrent || _connections >= limits.ConnectionsFor(holder.IsUrgent);
    }

    /// <summary>Which connections of a torrent go for newcomers: none while it is not full; never more than <see cref="Turnover.MostPerMinute"/> a minute. The caller closes them.</summary>
    /// <param name="holder">The torrent.</param>
    /// <param name="standings">Its connections that are not closing.</param>
    /// <param name="newcomers">Who would come.</param>
    /// <param name="isSeeding">It fetches nothing.</param>
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

    /// <summary>A torrent that was refused may have the place of another's connection. One turn at a time: what it closes takes a moment to be gone.</summary>
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
            // What was to be closed may have been gone already. Then no connection that ends tells those who were refused meanwhile, who began no turn of their own: one begins here.
            _isFruitless = closed == 0 && !_wasMissed;
            _makesRoom = _wasMissed = false;
        }

        CallNext();
    }

    /// <summary>Of those that may be chosen the one with most connections.</summary>
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
