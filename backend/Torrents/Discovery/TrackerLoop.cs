using System.Collections.Concurrent;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// Keeps one of a few trackers informed: the first that answers, which moves to the front (BEP 12). When none does it is tried again after a growing pause, and
/// so is one whose peers are all out of reach.
/// </summary>
internal sealed class TrackerLoop
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(30);
    private readonly TrackerClient _client;
    private readonly Swarm _swarm;
    private readonly List<Uri> _trackers;
    private readonly HashSet<Uri> _started = [];
    private readonly HashSet<Uri> _completed = [];
    private readonly ConcurrentDictionary<Uri, TrackerStatus> _statuses = new();
    private TimeSpan _alone = FirstPause;

    /// <param name="client">Asks them.</param>
    /// <param name="swarm">Gets the peers.</param>
    /// <param name="trackers">At least one; in order of preference.</param>
    public TrackerLoop(TrackerClient client, Swarm swarm, IEnumerable<Uri> trackers)
    {
        _client = client;
        _swarm = swarm;
        _trackers = [.. trackers];
        foreach (var tracker in _trackers)
            _statuses[tracker] = TrackerStatus.Of(tracker);
    }

    /// <summary>How its trackers stand. Thread-safe.</summary>
    public IEnumerable<TrackerStatus> Statuses => _statuses.Values;

    /// <summary>Goes on until the token fires. Never throws.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        await Task.Yield();
        var pause = FirstPause;
        try
        {
            while (true)
            {
                if (await AnnounceAsync(stopping) is { } answer)
                {
                    pause = FirstPause;
                    await UntilNextAsync(answer, stopping);
                    continue;
                }

                NoteNext(_swarm.Context.Time.GetUtcNow() + pause);
                await Task.Delay(pause, _swarm.Context.Time, stopping);
                pause = Longer(pause);
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
    }

    /// <summary>Says goodbye to each tracker that was told of us. Only once <see cref="RunAsync"/> has ended.</summary>
    public Task StopAsync(CancellationToken patience) =>
        Task.WhenAll(_started.Select(tracker => _client.AnnounceAsync(tracker, Request(TrackerEvent.Stopped), patience)));

    /// <summary>Waits as long as the tracker wants; less when all pieces are here, and, but longer each time, while nobody of those that it named can be reached.</summary>
    private async Task UntilNextAsync(TrackerAnswer answer, CancellationToken stopping)
    {
        for (var left = answer.Interval; left > TimeSpan.Zero && !IsCompletionDue(_trackers[0]);)
        {
            var step = TimeSpan.FromTicks(Math.Min(left.Ticks, Math.Max(_alone.Ticks, answer.Least.Ticks)));
            var delay = Task.Delay(step, _swarm.Context.Time, stopping);
            await await Task.WhenAny(delay, _completed.Contains(_trackers[0]) ? delay : _swarm.Completed);
            stopping.ThrowIfCancellationRequested();
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

    private bool IsCompletionDue(Uri tracker) => _swarm.Completed.IsCompleted && !_completed.Contains(tracker);

    private async Task<TrackerAnswer?> AnnounceAsync(CancellationToken stopping)
    {
        for (var i = 0; i < _trackers.Count; i++)
        {
            // BEP 3: "started" comes first, "completed" once, and only if pieces were missing at the start.
            var tracker = _trackers[i];
            var why = !_started.Contains(tracker) ? TrackerEvent.Started : IsCompletionDue(tracker) ? TrackerEvent.Completed : TrackerEvent.None;
            var answer = await _client.AnnounceAsync(tracker, Request(why), stopping);
            Note(tracker, answer);
            if (answer.Failure is not null)
                continue;
            _started.Add(tracker);
            if (why == TrackerEvent.Completed)
                _completed.Add(tracker);
            _trackers.RemoveAt(i);
            _trackers.Insert(0, tracker);
            _swarm.AddPeers(answer.Peers, PeerSources.Tracker);
            return answer;
        }

        return null;
    }

    private void Note(Uri tracker, TrackerAnswer answer) => _statuses[tracker] = _statuses[tracker] with
    {
        State = answer.Failure is null ? TrackerState.Working : TrackerState.Failed,
        Message = answer.Failure,
        Peers = answer.Peers.Count,
        Next = answer.Failure is null ? _swarm.Context.Time.GetUtcNow() + answer.Interval : null,
    };

    /// <summary>None answered: all are asked again.</summary>
    private void NoteNext(DateTimeOffset next)
    {
        foreach (var tracker in _trackers)
            _statuses[tracker] = _statuses[tracker] with { Next = next };
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
