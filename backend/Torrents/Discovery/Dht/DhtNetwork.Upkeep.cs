using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>What time brings: answers that do not come, nodes that fall silent, the way into the network.</summary>
internal sealed partial class DhtNetwork
{
    /// <summary>Saved nodes that a search begins with, beside the routers.</summary>
    private const int MostSeeds = 16;

    /// <summary>Queries on their way beyond which nobody is asked who need not be.</summary>
    private const int MostPending = 200;

    private static readonly TimeSpan TickWhileWaiting = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan TickOtherwise = TimeSpan.FromSeconds(1);
    private static readonly long PingTicks = 5 * TimeSpan.TicksPerSecond;
    private static readonly long RefreshTicks = 30 * TimeSpan.TicksPerSecond;
    private static readonly long SaveTicks = 10 * TimeSpan.TicksPerMinute;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;

    /// <summary>The routers of the big clients: they know nodes, and nothing else.</summary>
    private static readonly string[] Routers = ["router.bittorrent.com:6881", "dht.transmissionbt.com:6881", "dht.libtorrent.org:25401", "router.utorrent.com:6881"];

    private readonly Lock _saving = new();
    private HashSet<DatagramAddress> _routers = [];
    private bool _isResolving;
    private long _lastPing;
    private long _lastRefresh;
    private long _lastSave;

    private void Tick()
    {
        Run(() =>
        {
            if (_isOver)
                return;
            var now = Now;
            GiveUp(now);
            if (IsActive)
                Maintain(now);
            else
                Array.ForEach(_families, family => family.Lookups.ToList().ForEach(End));
            _timer.Change(_pending.Count > 0 ? TickWhileWaiting : TickOtherwise, Timeout.InfiniteTimeSpan);
        });
    }

    private void GiveUp(long now)
    {
        var touched = new HashSet<DhtLookup>();
        foreach (var (number, pending) in _pending.ToArray())
        {
            var age = now - pending.Sent;
            if (age >= _clock.Lost)
            {
                _pending.Remove(number);
                pending.Family.Table.Failed(pending.To);
                pending.Lookup?.Failed(pending.Candidate!);
            }
            else if (age >= _clock.Slow && pending.Candidate is { IsSlow: false })
            {
                pending.Lookup!.Slow(pending.Candidate);
            }
            else
            {
                continue;
            }

            if (pending.Lookup is { IsOver: false } lookup)
                touched.Add(lookup);
        }

        foreach (var lookup in touched)
            Step(lookup);
    }

    private void Maintain(long now)
    {
        foreach (var family in _families.Where(IsReachable))
        {
            if (family.Table.Count < RoutingTable.BucketSize && now >= family.NextBootstrap)
                Bootstrap(family, now);
            if (now - _lastPing >= PingTicks && _pending.Count < MostPending && family.Table.Questionable(now) is { } node)
                Send(family, node.Contact.Address, new DhtQuery(DhtQueryKind.Ping, default), lookup: null, candidate: null);
            if (now - _lastRefresh >= RefreshTicks && family.Lookups.Count == 0 && family.Table.Count > 0 && family.Table.Stale(now) is { } target)
                Begin(new DhtLookup(family, DhtQueryKind.FindNode, target));
        }

        if (now - _lastPing >= PingTicks)
        {
            _lastPing = now;
            _store.Expire(now);
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

    /// <summary>Looks for ourselves: whoever is close to us is what the table lacks.</summary>
    private void Bootstrap(DhtFamily family, long now)
    {
        family.NextBootstrap = now + family.Pause;
        family.Pause = Math.Min(LongestPause, family.Pause * 2);
        if (!_isResolving)
        {
            _isResolving = true;
            _ = ResolveAsync();
        }

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
        // Not under the lock that the caller holds.
        await Task.Yield();
        var hosts = _settings().Bootstrap is { Count: > 0 } configured ? configured : Routers;
        var found = await Task.WhenAll(hosts.Select(ResolveAsync));
        Run(() =>
        {
            _isResolving = false;
            _routers = [.. found.SelectMany(static addresses => addresses).Where(static address => address.IsUsable)];
            foreach (var lookup in _families.SelectMany(static family => family.Lookups).ToArray())
            {
                if (lookup.Family.Table.Count < RoutingTable.BucketSize)
                    Seed(lookup);
                Step(lookup);
            }
        });
    }

    private async Task<IEnumerable<DatagramAddress>> ResolveAsync(string host)
    {
        try
        {
            return PeerAddress.Parse(host) switch
            {
                IPEndPoint address => [new DatagramAddress(address)],
                DnsEndPoint name => (await _resolver(name.Host, _stopping.Token)).Select(address => new DatagramAddress(new IPEndPoint(address, name.Port))),
                _ => [],
            };
        }
        catch (Exception error) when (error is SocketException or IOException or OperationCanceledException or ObjectDisposedException)
        {
            return [];
        }
    }
}
