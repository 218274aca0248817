using System.Net;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// Searches the DHT for one hash of a torrent repeatedly, and announces us there: every 15 to 25 minutes, sooner while no peer is
/// connected. Thread-safe.
/// </summary>
/// <param name="dht">Our node.</param>
/// <param name="swarm">Receives the peers.</param>
/// <param name="nodes">Nodes listed in the .torrent.</param>
/// <param name="byAlias">True to search for the torrent's alias. Ends if the torrent turns out to have none.</param>
internal sealed class DhtSearch(DhtNetwork dht, Swarm swarm, IReadOnlyList<EndPoint> nodes, bool byAlias)
{
    private static readonly TimeSpan Usual = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(15);

    private readonly Lock _gate = new();
    private TaskCompletionSource _searchAgain = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TrackerStatus _status = new("DHT", TrackerState.Waiting, Message: null, Peers: 0, Next: null) { Source = PeerSources.Dht };
    private Task? _running;
    private InfoHash? _name;

    public TrackerStatus Status
    {
        get
        {
            lock (_gate)
                return _status;
        }
    }

    /// <summary>Completes when the search has ended.</summary>
    public Task Running
    {
        get
        {
            lock (_gate)
                return _running ?? Task.CompletedTask;
        }
    }

    private InfoHash? Name => byAlias ? swarm.AnnouncedAlias : swarm.Hash;

    /// <summary>Starts if there is a hash to search for. If it runs and the hash has changed, searches again at once.</summary>
    /// <param name="stopping">Ends the search.</param>
    public void Start(CancellationToken stopping)
    {
        var name = Name;
        lock (_gate)
        {
            if ((_running is null || _running.IsCompleted) && name is not null && !stopping.IsCancellationRequested)
                _running = Task.Run(() => RunAsync(stopping), CancellationToken.None);
            else if (_name != name)
                _searchAgain.TrySetResult();
        }
    }

    /// <summary>Searches again now.</summary>
    public void SearchNow()
    {
        lock (_gate)
            _searchAgain.TrySetResult();
    }

    private async Task RunAsync(CancellationToken stopping)
    {
        try
        {
            while (Name is { } name)
                await RunAsync(NodeId.Of(name), name, stopping);
        }
        catch (OperationCanceledException)
        {
            // The torrent was closed, or is private.
        }
    }

    private async Task RunAsync(NodeId torrent, InfoHash name, CancellationToken stopping)
    {
        lock (_gate)
            _name = name;
        var pause = FirstPause;
        var announced = 0;
        Action<IReadOnlyList<IPEndPoint>> watcher = peers => Found(peers, ref announced, stopping);
        dht.Watch(torrent, watcher);
        try
        {
            while (Name == name)
            {
                await dht.WhenEnabledAsync().WaitAsync(stopping);

                // A request from now on starts another search after this one.
                lock (_gate)
                    _searchAgain = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                var count = 0;
                var answers = await dht.SearchAsync(torrent, nodes, peers => Found(peers, ref count, stopping), stopping);

                // Random, so that torrents opened together are not announced together.
                var wait = swarm.HasNoPeers ? pause : Usual + TimeSpan.FromSeconds(Random.Shared.Next(600));
                pause = swarm.HasNoPeers ? TimeSpan.FromTicks(Math.Min(Usual.Ticks, 2 * pause.Ticks)) : FirstPause;
                Note(status => status with
                {
                    State = answers > 0 ? TrackerState.Working : TrackerState.Failed,
                    Message = answers > 0 ? null : dht.Trouble ?? "no node answers",
                    Peers = Volatile.Read(ref count),
                    Next = swarm.Context.Time.GetUtcNow() + wait,
                });
                await WaitAsync(wait, stopping);
            }
        }
        finally
        {
            dht.Unwatch(torrent, watcher);
        }
    }

    private void Found(IReadOnlyList<IPEndPoint> peers, ref int count, CancellationToken stopping)
    {
        Interlocked.Add(ref count, peers.Count);
        if (stopping.IsCancellationRequested)
            return;
        Note(status => status with { State = TrackerState.Working, Message = null, Peers = Math.Max(status.Peers, peers.Count) });
        swarm.AddPeers(peers, PeerSources.Dht, byAlias);
    }

    private void Note(Func<TrackerStatus, TrackerStatus> change)
    {
        lock (_gate)
            _status = change(_status);
    }

    private async Task WaitAsync(TimeSpan pause, CancellationToken stopping)
    {
        Task again;
        lock (_gate)
            again = _searchAgain.Task;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        await Task.WhenAny(Task.Delay(pause, swarm.Context.Time, either.Token), again);
        stopping.ThrowIfCancellationRequested();
        await either.CancelAsync();
    }
}
