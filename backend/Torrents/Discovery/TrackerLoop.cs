using System.Collections.Concurrent;
using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// Announces to one of several trackers: the first that answers, tier by tier. That tracker then moves to the front of its tier (BEP 12). A
/// slow tracker delays the next by only three seconds. If none answers, or none of a tracker's peers can be reached, it tries again after a
/// growing pause. Disposal sends "stopped".
/// </summary>
internal sealed partial class TrackerLoop : IAsyncDisposable
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(30);

    /// <summary>
    /// Time limit for "stopped", including the turns of other torrents at the same host. The compose files give the program 15 seconds to
    /// end.
    /// </summary>
    private static readonly TimeSpan StoppedTimeout = TimeSpan.FromSeconds(8);

    /// <summary>
    /// Time limit for "stopped" to a public torrent's tracker that failed last time: it is probably dead, and public trackers do not credit
    /// transfers. Trackers of private torrents get the full time.
    /// </summary>
    internal static readonly TimeSpan BriefStoppedTimeout = TimeSpan.FromSeconds(1);

    /// <summary>Time between two scrapes of a tracker that does not send its counts with its peers.</summary>
    private static readonly TimeSpan ScrapeEvery = TimeSpan.FromMinutes(30);

    /// <summary>
    /// Number of consecutive failures from which on the interval sent with them is obeyed. Before that the torrent may not be registered
    /// yet: some uploaders publish a torrent before their tracker knows it, and users of private trackers want to be among the first.
    /// </summary>
    private const int QuickRetries = 3;

    private readonly ITrackerClient _client;
    private readonly Swarm _swarm;
    private readonly uint _key;
    private readonly Lock _gate = new();
    private readonly HashSet<Uri> _started = [];
    private readonly HashSet<Uri> _completed = [];
    private readonly ConcurrentDictionary<(Uri Tracker, bool ByAlias), long> _scraped = new();
    private readonly ConcurrentDictionary<Uri, TrackerStatus> _statuses = new();
    private readonly Dictionary<Uri, Refusals> _refusals = [];
    private readonly Dictionary<Uri, string> _ids = [];
    private readonly CancellationTokenSource _stopping = new();
    private List<List<Uri>> _tiers;
    private TaskCompletionSource _reannounce = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TimeSpan _alone = FirstPause;
    private bool _switches;
    private Task? _running;
    private Task? _closing;
    private Uri? _current;
    private IReadOnlyList<IPEndPoint> _peers = [];

    /// <param name="client">Sends the requests.</param>
    /// <param name="swarm">Receives the peers.</param>
    /// <param name="tiers">Trackers in order of preference; at least one.</param>
    /// <param name="key">See <see cref="TrackerRequest.Key"/>.</param>
    public TrackerLoop(ITrackerClient client, Swarm swarm, IEnumerable<IEnumerable<Uri>> tiers, uint key)
    {
        _client = client;
        _swarm = swarm;
        _key = key;
        _tiers = CopyTiers(tiers);
    }

    /// <summary>State of its trackers, in the order in which they are asked. Thread-safe.</summary>
    public IReadOnlyList<TrackerStatus> Statuses
    {
        get
        {
            lock (_gate)
                return [.. _tiers.SelectMany(static tier => tier).Select(tracker => _statuses[tracker])];
        }
    }

    /// <summary>Starts the loop. A second call has no effect.</summary>
    public void Start()
    {
        lock (_gate)
        {
            if (_closing is null)
                _running ??= Task.Run(RunAsync);
        }
    }

    /// <summary>Asks again now, or as soon as the tracker allows. Thread-safe.</summary>
    public void Reannounce()
    {
        lock (_gate)
            _reannounce.TrySetResult();
    }

    /// <summary>Sends "stopped" to each tracker that knows us, all at once. Takes eight seconds at most.</summary>
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
        await Task.WhenAll([
            _stoppedAnnounces, .. _started.Select(SendStoppedAsync), .. _aliases.Select(alias => StopAliasAsync(alias.Key, alias.Value))]);
        _stopping.Dispose();
    }

    private async Task RunAsync()
    {
        var pause = FirstPause;
        var stopping = _stopping.Token;
        try
        {
            while (true)
            {
                var asked = _swarm.Context.Time.GetTimestamp();
                if (await AnnounceAsync(stopping) is { } answer)
                {
                    pause = FirstPause;
                    await UntilNextAsync(answer, asked, stopping);
                    continue;
                }

                // The wait starts before its time is published: an observer may advance the clock as soon as it sees that time.
                var next = NextAfter(pause);
                var waiting = WaitAsync(next, untilCompleted: false, described: null, stopping);
                NoteNext(pause);
                await waiting;
                pause = Longer(pause);
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
    }

    /// <summary>
    /// Waits as long as the tracker demands. Ends earlier when all pieces are available, when <see cref="Reannounce"/> is called, and after
    /// a growing time while none of the reported peers can be reached. Except on request, a private torrent's tracker is asked at most
    /// every five minutes: such trackers count announces.
    /// </summary>
    private async Task UntilNextAsync(TrackerAnswer answer, long asked, CancellationToken stopping)
    {
        var tracker = _current!;
        for (var left = answer.Interval; left > TimeSpan.Zero && !IsCompletionDue(tracker);)
        {
            var least = _switches && answer.Least < TrackerAnswer.LeastInterval ? TrackerAnswer.LeastInterval : answer.Least;
            var step = TimeSpan.FromTicks(Math.Min(left.Ticks, Math.Max(_alone.Ticks, least.Ticks)));
            var began = _swarm.Context.Time.GetTimestamp();

            // In this order: an alias that becomes known after this line ends the wait.
            var described = _swarm.Described.IsCompleted ? null : _swarm.Described;
            if (IsAliasDue(tracker))
                _ = StartAliasAnnounce(tracker, tries: 2, onDemand: false, stopping);
            if (await WaitAsync(step, untilCompleted: AwaitsCompletion(tracker), described, stopping))
            {
                if (answer.Least - _swarm.Context.Time.GetElapsedTime(asked) is { Ticks: > 0 } early)
                    await Task.Delay(early, _swarm.Context.Time, stopping);
                return;
            }

            if (_pending.Exists(static late => late.Answer.IsCompleted))
            {
                left -= _swarm.Context.Time.GetElapsedTime(began);
                if (await HandleLate() is var (better, since))
                    (answer, asked, tracker, left) = (better, since, _current!, better.Interval);
                continue;
            }

            if (described is { IsCompleted: true })
            {
                left -= _swarm.Context.Time.GetElapsedTime(began);
                continue;
            }

            left -= step;
            if (_swarm.HasNoPeers)
            {
                _alone = Longer(_alone);
                return;
            }

            _alone = FirstPause;
        }
    }

    /// <summary>Waits for the pause, an answer or one of the events. True if the tracker must be asked again now.</summary>
    private async Task<bool> WaitAsync(TimeSpan pause, bool untilCompleted, Task? described, CancellationToken stopping)
    {
        Task again;
        lock (_gate)
            again = _reannounce.Task;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var delay = Task.Delay(pause, _swarm.Context.Time, either.Token);
        await Task.WhenAny([
            delay, again, untilCompleted ? _swarm.Completed : delay, described ?? delay,
            .. _pending.Select(static asked => asked.Answer)]);
        stopping.ThrowIfCancellationRequested();
        await either.CancelAsync();
        return again.IsCompleted;
    }

    private static TimeSpan Longer(TimeSpan pause) => TimeSpan.FromTicks(Math.Min(LongestPause.Ticks, pause.Ticks * 2));

    private bool IsCompletionDue(Uri tracker) => _swarm.Completed.IsCompleted && AwaitsCompletion(tracker);

    /// <summary>True if the tracker must still be sent "completed". A tracker that knows only the alias is sent it for the alias.</summary>
    private bool AwaitsCompletion(Uri tracker) => _started.Contains(tracker)
        ? !_completed.Contains(tracker) : _aliases.GetValueOrDefault(tracker) is { IsStarted: true, IsCompleted: false };

    /// <summary>Puts the tracker in use and at the front of its tier. True if the peers of the previous tracker must be dropped.</summary>
    private bool Prefer(Uri tracker, IReadOnlyList<IPEndPoint> peers)
    {
        lock (_gate)
        {
            var tier = _tiers.Find(tier => tier.Remove(tracker));
            tier?.Insert(0, tracker);
            var differs = _switches && _current is not null && _current != tracker;
            (_current, _peers) = (tracker, peers);
            return differs;
        }
    }

    private async Task ScrapeAsync(Uri tracker, InfoHash name, TrackerCounts? known, bool byAlias, CancellationToken stopping)
    {
        if (known is { Downloaded: not null }
            || (_scraped.TryGetValue((tracker, byAlias), out var last) && _swarm.Context.Time.GetElapsedTime(last) < ScrapeEvery))
        {
            return;
        }

        _scraped[(tracker, byAlias)] = _swarm.Context.Time.GetTimestamp();
        try
        {
            Count(tracker, byAlias, await _client.ScrapeAsync(tracker, name, stopping));
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The torrent is being closed, or the tracker cannot be asked: the announce reports why.
        }
    }

    private void Note(Uri tracker, TrackerAnswer answer)
    {
        Count(tracker, answer.ByAlias, answer.Counts);
        Note(tracker, status => status with
        {
            State = answer.Failure is null ? TrackerState.Working : TrackerState.Failed,
            Message = answer.Failure ?? answer.Warning,
            Peers = Math.Max(answer.Peers.Count, _aliases.GetValueOrDefault(tracker)?.Peers ?? 0),
            Next = answer.Failure is null ? _swarm.Context.Time.GetUtcNow() + answer.Interval : null,
        });
    }

    private void Note(Uri tracker, Func<TrackerStatus, TrackerStatus> change) =>
        _statuses.AddOrUpdate(tracker, static (added, _) => TrackerStatus.Of(added), static (_, status, change) => change(status), change);

    private TrackerRequest Request(Uri tracker, TrackerEvent trackerEvent, int tries)
    {
        var counters = _swarm.Counters;
        var redundant = counters.Duplicate + counters.Discarded;
        return new TrackerRequest(
            _swarm.Hash, _swarm.Context.PeerId, _swarm.Context.PublicPort, counters.Uploaded, counters.Payload + redundant,
            _swarm.ReadLeft(), trackerEvent)
        {
            Key = _key,
            InBothFamilies = _swarm.Table is { Info.IsPrivate: false },
            Corrupt = counters.Failed,
            Redundant = redundant,
            Tries = tries,
            TrackerId = _ids.GetValueOrDefault(tracker),
            More = trackerEvent == TrackerEvent.Stopped ? null : peers => _swarm.AddPeers(peers, PeerSources.Tracker),
        };
    }

    // When a tracker that failed is asked again.

    /// <summary>Records a failure. Used only by the loop, like all methods below.</summary>
    private void NoteRefusal(Uri tracker, TrackerAnswer answer) =>
        _refusals[tracker] = RefusalsAfter(_refusals.TryGetValue(tracker, out var previous) ? previous : null, answer);

    private Refusals RefusalsAfter(Refusals? previous, TrackerAnswer answer)
    {
        var count = (previous?.Count ?? 0) + 1;
        var wait = answer.RetryIn ?? (count >= QuickRetries ? answer.RetryAfter : null) ?? TimeSpan.Zero;
        return new Refusals(count, _swarm.Context.Time.GetTimestamp(), wait, answer.RetryIn is { Ticks: > 0 });
    }

    /// <summary>
    /// How long a tracker must not be asked. A pause that it demanded (BEP 31 and HTTP) always applies; its interval and "never" apply
    /// until an announce is requested.
    /// </summary>
    private TimeSpan RefusedFor(Uri tracker, bool onDemand) =>
        LeftOf(_refusals.TryGetValue(tracker, out var refusals) ? refusals : null, onDemand);

    private TimeSpan LeftOf(Refusals? last, bool onDemand)
    {
        if (last is not { } refusals || (onDemand && !refusals.IsDemanded))
            return TimeSpan.Zero;
        if (refusals.Wait == Timeout.InfiniteTimeSpan)
            return Timeout.InfiniteTimeSpan;
        var left = refusals.Wait - _swarm.Context.Time.GetElapsedTime(refusals.Since);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>Time to wait after every tracker failed: until the first may be asked again, but at least the pause.</summary>
    private TimeSpan NextAfter(TimeSpan pause)
    {
        TimeSpan? first = null;
        foreach (var tracker in Trackers())
        {
            var wait = RefusedFor(tracker, onDemand: false);
            if (wait != Timeout.InfiniteTimeSpan && (first is null || wait < first))
                first = wait;
        }

        return first is null ? Timeout.InfiniteTimeSpan : first > pause ? first.Value : pause;
    }

    /// <summary>Publishes, after every tracker failed, when each is asked again.</summary>
    private void NoteNext(TimeSpan pause)
    {
        var now = _swarm.Context.Time.GetUtcNow();
        foreach (var tracker in Trackers())
        {
            var wait = RefusedFor(tracker, onDemand: false);
            Note(tracker, status => status with { Next = wait == Timeout.InfiniteTimeSpan ? null : now + (wait > pause ? wait : pause) });
        }
    }

    private Uri[] Trackers()
    {
        lock (_gate)
            return [.. _tiers.SelectMany(static tier => tier)];
    }

    /// <param name="Count">Consecutive failures.</param>
    /// <param name="Since">Time of the last failure.</param>
    /// <param name="Wait">How long the tracker must not be asked; <see cref="Timeout.InfiniteTimeSpan"/> = never again.</param>
    /// <param name="IsDemanded">True if the tracker demanded the pause in its last answer, with a time.</param>
    private readonly record struct Refusals(int Count, long Since, TimeSpan Wait, bool IsDemanded);

    // The list of trackers.

    /// <summary>The tracker that is asked first.</summary>
    public Uri First
    {
        get
        {
            lock (_gate)
                return _tiers[0][0];
        }
    }

    /// <summary>
    /// Gives the loop all trackers of a private torrent. It keeps the one that answers, and drops the peers of any other (BEP 27).
    /// Thread-safe.
    /// </summary>
    public void SwitchTo(IEnumerable<IEnumerable<Uri>> tiers)
    {
        IReadOnlyList<IPEndPoint> peers;
        lock (_gate)
        {
            if (_switches)
                return;
            _switches = true;
            if (_current is { } current)
                tiers = tiers.Select(tier => tier.Contains(current) ? tier.OrderBy(tracker => tracker != current) : tier);
            _tiers = CopyTiers(tiers);
            peers = _peers;
        }

        _swarm.KeepOnly(peers, PeerSources.Incoming);
    }

    /// <summary>
    /// Replaces the trackers; the new list may be empty. The one in use stays first in its tier if it is still listed; otherwise the next
    /// is asked at once. Thread-safe.
    /// </summary>
    public void Exchange(IEnumerable<IEnumerable<Uri>> tiers)
    {
        lock (_gate)
        {
            var keeps = _current is { } current && tiers.Any(tier => tier.Contains(current));
            _tiers = CopyTiers(keeps ? tiers.Select(tier => tier.OrderBy(tracker => tracker != _current)) : tiers);
            if (!keeps)
                _reannounce.TrySetResult();
        }
    }

    private List<List<Uri>> CopyTiers(IEnumerable<IEnumerable<Uri>> tiers)
    {
        List<List<Uri>> copy = [.. tiers.Select(static tier => tier.ToList())];
        foreach (var tracker in copy.SelectMany(static tier => tier))
            _statuses.TryAdd(tracker, TrackerStatus.Of(tracker));
        return copy;
    }
}
