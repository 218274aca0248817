using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// Keeps the trackers of one torrent informed. Within a tier the first that answers moves to its front; a tier is asked only when the one before failed
/// (BEP 12). Failures are tried again after a growing pause, and so is a tracker whose peers are all out of reach.
/// </summary>
internal sealed class TrackerLoop : IAsyncDisposable
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(30);
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromSeconds(2);
    private readonly TrackerClient _client;
    private readonly Swarm _swarm;
    private readonly List<List<Uri>> _tiers;
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;
    private Uri? _current;
    private TimeSpan _alone = FirstPause;

    /// <param name="client">Asks them.</param>
    /// <param name="swarm">Gets the peers.</param>
    /// <param name="tiers">Addresses by tier.</param>
    public TrackerLoop(TrackerClient client, Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        _client = client;
        _swarm = swarm;

        // UDP trackers (BEP 15) come with the other ways to find peers.
        _tiers = [.. tiers.Select(static tier => tier.Where(static uri => uri.Scheme is "http" or "https").ToList()).Where(static tier => tier.Count > 0)];
    }

    /// <summary>Begins.</summary>
    public void Start()
    {
        if (_tiers.Count > 0)
            _running = RunAsync();
    }

    /// <summary>Says goodbye to the tracker that answered last.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running;
        if (_current is { } tracker)
        {
            using var patience = new CancellationTokenSource(GoodbyePatience, _swarm.Context.Time);
            try
            {
                await _client.AnnounceAsync(tracker, Request(TrackerEvent.Stopped), patience.Token);
            }
            catch (OperationCanceledException)
            {
                // It did not want to know.
            }
        }

        _stopping.Dispose();
    }

    private async Task RunAsync()
    {
        await Task.Yield();
        var pause = FirstPause;
        try
        {
            while (true)
            {
                var answer = await AnnounceAsync(_current is null ? TrackerEvent.Started : TrackerEvent.None);
                if (answer is not null)
                {
                    pause = FirstPause;
                    await UntilNextAsync(answer);
                    continue;
                }

                await Task.Delay(pause, _swarm.Context.Time, _stopping.Token);
                pause = Longer(pause);
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
    }

    /// <summary>Waits as long as the tracker wants; less, but longer each time, while nobody of those that it named can be reached.</summary>
    private async Task UntilNextAsync(TrackerAnswer answer)
    {
        for (var left = answer.Interval; left > TimeSpan.Zero;)
        {
            var step = TimeSpan.FromTicks(Math.Min(left.Ticks, Math.Max(_alone.Ticks, answer.Least.Ticks)));
            await Task.Delay(step, _swarm.Context.Time, _stopping.Token);
            left -= step;
            if (_swarm.IsAlone)
            {
                _alone = Longer(_alone);
                return;
            }

            _alone = FirstPause;
        }
    }

    private static TimeSpan Longer(TimeSpan pause) => TimeSpan.FromTicks(Math.Min(LongestPause.Ticks, pause.Ticks * 2));

    private async Task<TrackerAnswer?> AnnounceAsync(TrackerEvent why)
    {
        foreach (var tier in _tiers)
        {
            for (var i = 0; i < tier.Count; i++)
            {
                var tracker = tier[i];
                var answer = await _client.AnnounceAsync(tracker, Request(why), _stopping.Token);
                if (answer.Failure is not null)
                    continue;
                tier.RemoveAt(i);
                tier.Insert(0, tracker);
                _current = tracker;
                _swarm.AddPeers(answer.Peers);
                return answer;
            }
        }

        return null;
    }

    private TrackerRequest Request(TrackerEvent why)
    {
        var counters = _swarm.Counters;
        long left = 1;
        if (_swarm.Table is { } table)
            left = Math.Min(table.Info.Length, (long)(table.Info.PieceCount - table.Have.Count) * table.Info.PieceLength);
        return new TrackerRequest(_swarm.Hash, _swarm.Context.PeerId, _swarm.Context.Port, counters.Uploaded, counters.Payload, left, why);
    }
}
