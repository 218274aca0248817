using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// The trackers of one torrent, asked side by side: one that does not answer holds up no other. Those of a private torrent are asked one after the other, as BEP 27 wants peers of one tracker only.
/// </summary>
internal sealed class TorrentTrackers : IAsyncDisposable
{
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromSeconds(2);
    private readonly TimeProvider _time;
    private readonly List<TrackerLoop> _loops;
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;

    /// <param name="client">Asks them.</param>
    /// <param name="swarm">Gets the peers.</param>
    /// <param name="tiers">Addresses by tier (BEP 12).</param>
    /// <param name="isPrivate">The torrent is known to be private.</param>
    public TorrentTrackers(TrackerClient client, Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers, bool isPrivate)
    {
        _time = swarm.Context.Time;

        // UDP trackers (BEP 15) come with the other ways to find peers.
        var trackers = tiers.SelectMany(static tier => tier).Where(static uri => uri.Scheme is "http" or "https").Distinct().ToList();
        _loops = [.. (isPrivate && trackers.Count > 0 ? [trackers] : trackers.Select(static uri => new List<Uri> { uri })).Select(list => new TrackerLoop(client, swarm, list))];
    }

    /// <summary>Begins.</summary>
    public void Start() => _running = Task.WhenAll(_loops.Select(loop => loop.RunAsync(_stopping.Token)));

    /// <summary>Says goodbye to the trackers that were told of us, all at once and for two seconds at most.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running;
        using var patience = new CancellationTokenSource(GoodbyePatience, _time);
        try
        {
            await Task.WhenAll(_loops.Select(loop => loop.StopAsync(patience.Token)));
        }
        catch (OperationCanceledException)
        {
            // Some did not want to know.
        }

        _stopping.Dispose();
    }
}
