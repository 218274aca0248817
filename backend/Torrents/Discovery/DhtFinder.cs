using System.Net;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>Finds the peers of one torrent by the DHT, and announces us there: every 15 to 30 minutes, sooner while no peer is connected. Ends for good when
/// the torrent is private.</summary>
/// <param name="dht">Our node.</param>
/// <param name="swarm">Receives the peers.</param>
internal sealed class DhtFinder(DhtNetwork dht, Swarm swarm) : IPeerFinder
{
    private static readonly TimeSpan Usual = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(15);

    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stopping = new();
    private TaskCompletionSource _again = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _running;
    private Task? _closing;
    private TrackerStatus _status = new("DHT", TrackerState.Waiting, Message: null, Peers: 0, Next: null) { Source = PeerSources.Dht };
    private bool _isPrivate;

    /// <inheritdoc/>
    public string? Trouble
    {
        get
        {
            lock (_gate)
                return _isPrivate || !dht.IsEnabled ? "No other source of peers can be used" : _status.State == TrackerState.Failed ? $"The DHT finds no peers: {_status.Message}" : null;
        }
    }

    /// <inheritdoc/>
    public void Start()
    {
        lock (_gate)
        {
            if (!_isPrivate && _closing is null)
                _running ??= Task.Run(RunAsync);
        }
    }

    /// <inheritdoc/>
    public void AskNow()
    {
        lock (_gate)
            _again.TrySetResult();
    }

    /// <inheritdoc/>
    public void Restrict()
    {
        lock (_gate)
            _isPrivate = true;
        _stopping.Cancel();
    }

    /// <inheritdoc/>
    public IReadOnlyList<TrackerStatus> List()
    {
        lock (_gate)
            return _isPrivate || !dht.IsEnabled ? [] : [_status];
    }

    /// <inheritdoc/>
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
        if (_running is not null)
            await _running;
    }

    private async Task RunAsync()
    {
        var pause = FirstPause;
        var announced = 0;
        dht.Watch(NodeId.Of(swarm.Hash), peers => Found(peers, ref announced));
        try
        {
            while (true)
            {
                await dht.WhenEnabledAsync().WaitAsync(_stopping.Token);

                // A request from now on starts another search after this one.
                lock (_gate)
                    _again = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                var count = 0;
                var answers = await dht.SearchAsync(NodeId.Of(swarm.Hash), peers => Found(peers, ref count), _stopping.Token);

                // Random, so that torrents opened together are not announced together.
                var wait = swarm.IsAlone ? pause : Usual + TimeSpan.FromSeconds(Random.Shared.Next(600));
                pause = swarm.IsAlone ? TimeSpan.FromTicks(Math.Min(Usual.Ticks, 2 * pause.Ticks)) : FirstPause;
                Note(status => status with
                {
                    State = answers > 0 ? TrackerState.Working : TrackerState.Failed,
                    Message = answers > 0 ? null : dht.Trouble ?? "no node answers",
                    Peers = Volatile.Read(ref count),
                    Next = swarm.Context.Time.GetUtcNow() + wait,
                });
                await WaitAsync(wait);
            }
        }
        catch (OperationCanceledException)
        {
            // Closed, or private.
        }
        finally
        {
            dht.Unwatch(NodeId.Of(swarm.Hash));
        }
    }

    private void Found(IReadOnlyList<IPEndPoint> peers, ref int count)
    {
        Interlocked.Add(ref count, peers.Count);
        lock (_gate)
        {
            if (_isPrivate)
                return;
        }

        Note(status => status with { State = TrackerState.Working, Message = null, Peers = Math.Max(status.Peers, peers.Count) });
        swarm.AddPeers(peers, PeerSources.Dht);
    }

    private void Note(Func<TrackerStatus, TrackerStatus> change)
    {
        lock (_gate)
            _status = change(_status);
    }

    private async Task WaitAsync(TimeSpan pause)
    {
        Task again;
        lock (_gate)
            again = _again.Task;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        await Task.WhenAny(Task.Delay(pause, swarm.Context.Time, either.Token), again);
        _stopping.Token.ThrowIfCancellationRequested();
        await either.CancelAsync();
    }
}
