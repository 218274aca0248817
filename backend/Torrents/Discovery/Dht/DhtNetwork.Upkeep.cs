namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Timer work: lost answers, silent nodes, and bootstrapping.</summary>
internal sealed partial class DhtNetwork
{
    /// <summary>Most saved nodes with which a search starts, in addition to the routers.</summary>
    private const int MostSeeds = 16;

    /// <summary>Number of pending queries from which on only necessary queries are sent.</summary>
    private const int MostPending = 200;

    private static readonly TimeSpan TickWhileWaiting = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan TickOtherwise = TimeSpan.FromSeconds(1);
    private static readonly long PingTicks = 5 * TimeSpan.TicksPerSecond;
    private static readonly long RefreshTicks = 30 * TimeSpan.TicksPerSecond;
    private static readonly long SaveTicks = 10 * TimeSpan.TicksPerMinute;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;

    private readonly Lock _saving = new();
    private long _lastPing;
    private long _lastRefresh;
    private long _lastSave;

    private void Tick()
    {
        Run(() =>
        {
            if (_isDisposed)
                return;
            var now = Now;
            foreach (var lookup in _queries.Expire(now))
                Step(lookup);
            if (IsActive)
                Maintain(now);
            else
                Array.ForEach(_families, family => family.Lookups.ToList().ForEach(lookup => End(lookup, announces: false)));
            _timer.Change(_queries.Count > 0 ? TickWhileWaiting : TickOtherwise, Timeout.InfiniteTimeSpan);
        });
    }

    private void Maintain(long now)
    {
        foreach (var family in _families.Where(IsReachable))
        {
            if (family.Table.Count < RoutingTable.BucketSize && now >= family.NextBootstrap)
                Bootstrap(family, now);
            if (now - _lastPing >= PingTicks && _queries.Count < MostPending && family.Table.Questionable(now) is { } node)
                Ping(family, node.Contact.Address);
            if (now - _lastRefresh >= RefreshTicks && family.Lookups.Count == 0 && family.Table.Count > 0
                && family.Table.Stale(now) is { } target)
                Begin(new DhtLookup(family, DhtQueryKind.FindNode, target));
        }

        if (now - _lastPing >= PingTicks)
        {
            _lastPing = now;
            _responder.Expire(now);
        }

        if (now - _lastRefresh >= RefreshTicks)
            _lastRefresh = now;
        if (_lastSave == 0)
            _lastSave = now;
        if (now - _lastSave < SaveTicks)
            return;
        _lastSave = now;
        ThreadPool.QueueUserWorkItem(static self => self.Save(), this, preferLocal: false);
    }

    /// <summary>Searches for our own id, because the table lacks nodes close to it.</summary>
    private void Bootstrap(DhtFamily family, long now)
    {
        family.NextBootstrap = now + family.Pause;
        family.Pause = Math.Min(LongestPause, family.Pause * 2);
        if (_routers.Begin())
            _ = ResolveAsync();
        Begin(new DhtLookup(family, DhtQueryKind.FindNode, family.Table.Own) { Finished = answers => Bootstrapped(family, answers) });
    }

    private void Bootstrapped(DhtFamily family, int answers) => Run(() =>
    {
        if (answers == 0)
            return;
        family.IsBootstrapped = true;
        if (family.Table.Count >= RoutingTable.BucketSize)
            family.Pause = 5 * TimeSpan.TicksPerSecond;
    });

    private async Task ResolveAsync()
    {
        // Not on this thread, because the caller holds the lock.
        await Task.Yield();
        var found = await _routers.FindAsync(_stopping.Token);
        Run(() =>
        {
            _routers.Use(found);
            foreach (var lookup in _families.SelectMany(static family => family.Lookups).ToArray())
            {
                if (lookup.Family.Table.Count < RoutingTable.BucketSize)
                    Seed(lookup);
                Step(lookup);
            }
        });
    }

    private void Save()
    {
        if (StatePath is not { } path)
            return;
        DhtState state;
        lock (_gate)
        {
            var nodes = Array.ConvertAll(_families, static family => family.Table.Nodes.OrderByDescending(static node => node.LastAnswered)
                .Take(DhtState.MostNodes).Select(static node => node.Contact).ToList());
            if (nodes.All(static list => list.Count == 0))
                return;
            state = new DhtState(_families[0].Table.Own, _families[1].Table.Own, nodes[0], nodes[1]);
        }

        lock (_saving)
            state.Save(path);
    }
}
