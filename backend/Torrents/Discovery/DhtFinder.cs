using System.Net;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// Finds the peers of one torrent in the DHT and announces us there. A hybrid is searched for and announced under both of its hashes (BEP
/// 52). Ends for good when the torrent is private.
/// </summary>
/// <param name="dht">Our node.</param>
/// <param name="swarm">Receives the peers.</param>
/// <param name="nodes">Nodes listed in the .torrent.</param>
internal sealed class DhtFinder(DhtNetwork dht, Swarm swarm, IReadOnlyList<EndPoint> nodes) : IPeerFinder
{
    private readonly DhtSearch _search = new(dht, swarm, nodes, byAlias: false);
    private readonly DhtSearch _alias = new(dht, swarm, nodes, byAlias: true);
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stopping = new();
    private Task? _closing;
    private bool _isPrivate;

    public string? Trouble
    {
        get
        {
            lock (_gate)
            {
                if (_isPrivate || !dht.IsEnabled)
                    return "No other source of peers can be used";
            }

            return Status is { State: TrackerState.Failed } status ? $"The DHT finds no peers: {status.Message}" : null;
        }
    }

    /// <summary>
    /// Combined state of both searches. Most peers of a hybrid are found under both hashes, so the greater number is shown, not the sum.
    /// </summary>
    private TrackerStatus Status
    {
        get
        {
            var (status, other) = (_search.Status, _alias.Status);
            var better = other.State == TrackerState.Working && status.State == TrackerState.Failed ? other : status;
            return better with { Peers = Math.Max(status.Peers, other.Peers) };
        }
    }

    public void Start()
    {
        lock (_gate)
        {
            if (_isPrivate || _closing is not null)
                return;
            _search.Start(_stopping.Token);
            _alias.Start(_stopping.Token);
        }
    }

    public void FindNow()
    {
        _search.SearchNow();
        _alias.SearchNow();
    }

    public void Restrict()
    {
        lock (_gate)
            _isPrivate = true;
        _stopping.Cancel();
    }

    public IReadOnlyList<TrackerStatus> List()
    {
        lock (_gate)
            return _isPrivate || !dht.IsEnabled ? [] : [Status];
    }

    public async ValueTask DisposeAsync()
    {
        Task closing;
        lock (_gate)
            closing = _closing ??= Task.Run(CloseAsync);
        await closing;
    }

    private async Task CloseAsync()
    {
        await _stopping.CancelAsync();
        await Task.WhenAll(_search.Running, _alias.Running);
    }
}
