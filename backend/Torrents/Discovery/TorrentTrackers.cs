using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// The trackers of one torrent, asked side by side: one that does not answer holds up no other. Those of a private torrent are asked one after the other, as BEP 27 wants peers of one tracker only.
/// </summary>
internal sealed class TorrentTrackers : IPeerFinder
{
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromSeconds(2);
    private readonly TimeProvider _time;
    private readonly List<TrackerLoop> _loops;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TrackerStatus[] _unsupported;
    private Task? _running;

    /// <param name="client">Asks them.</param>
    /// <param name="swarm">Gets the peers.</param>
    /// <param name="tiers">Addresses by tier (BEP 12).</param>
    /// <param name="isPrivate">The torrent is known to be private.</param>
    public TorrentTrackers(TrackerClient client, Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers, bool isPrivate)
    {
        _time = swarm.Context.Time;

        // UDP trackers (BEP 15) come with the other ways to find peers.
        var all = tiers.SelectMany(static tier => tier).Distinct().ToLookup(static uri => uri.Scheme is "http" or "https");
        var trackers = all[true].ToList();
        _unsupported = [.. all[false].Select(static uri => TrackerStatus.Of(uri) with { State = TrackerState.Failed, Message = $"Trackers by {uri.Scheme} are not supported yet." })];
        _loops = [.. (isPrivate && trackers.Count > 0 ? [trackers] : trackers.Select(static uri => new List<Uri> { uri })).Select(list => new TrackerLoop(client, swarm, list))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<TrackerStatus> List() => [.. _loops.SelectMany(static loop => loop.Statuses), .. _unsupported];

    /// <inheritdoc/>
    public string? Trouble
    {
        get
        {
            string? trouble = null;
            foreach (var loop in _loops)
            {
                foreach (var status in loop.Statuses)
                {
                    if (status.State != TrackerState.Failed)
                        return null;
                    trouble ??= $"The tracker {status.Url} refused: {status.Message}";
                }
            }

            return trouble;
        }
    }

    /// <inheritdoc/>
    public void Start() => _running ??= Task.WhenAll(_loops.Select(loop => loop.RunAsync(_stopping.Token)));

    /// <inheritdoc/>
    public void Restrict()
    {
        // They are trackers.
    }

    /// <summary>Says goodbye to the trackers that were told of us, all at once and for two seconds at most.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        if (_running is not null)
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
