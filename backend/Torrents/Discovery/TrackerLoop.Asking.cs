using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <content>Asks several trackers and uses one of them.</content>
internal sealed partial class TrackerLoop
{
    /// <summary>
    /// How long a tracker may take to answer before the next one is asked too: so short that a viewer does not notice the delay, but longer
    /// than a healthy tracker takes.
    /// </summary>
    internal static readonly TimeSpan HeadStart = TimeSpan.FromSeconds(3);

    /// <summary>Announces whose answer has not been handled yet. Used only by the loop.</summary>
    private readonly List<PendingAnnounce> _pending = [];

    /// <summary>"Stopped" announces in progress.</summary>
    private Task _stoppedAnnounces = Task.CompletedTask;

    /// <summary>
    /// Announces in the order of BEP 12. The next tracker is asked when those before it have failed, or in addition to them after
    /// <see cref="HeadStart"/>. The first answer counts; <see cref="HandleLate"/> handles later ones.
    /// </summary>
    /// <returns>The answer that counts; null if every tracker failed.</returns>
    private async Task<TrackerAnswer?> AnnounceAsync(CancellationToken stopping)
    {
        Uri[] trackers;
        bool onDemand;
        lock (_gate)
        {
            trackers = [.. _tiers.SelectMany(static tier => tier)];
            onDemand = _reannounce.Task.IsCompleted;
            if (onDemand)
                _reannounce = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        trackers = Array.FindAll(trackers, tracker => RefusedFor(tracker, onDemand) == TimeSpan.Zero);

        for (var i = 0; i < trackers.Length; i++)
        {
            if (!_pending.Exists(asked => asked.Tracker == trackers[i]))
                _pending.Add(StartAnnounce(trackers[i], tries: trackers.Length == 1 ? 2 : 1, onDemand, stopping));
            using var over = CancellationTokenSource.CreateLinkedTokenSource(stopping);

            // The tracker in use may take as long as it needs: no other is asked because it is slow.
            var headStart = i < trackers.Length - 1 && trackers[i] != _current
                ? Task.Delay(HeadStart, _swarm.Context.Time, over.Token) : null;
            while (_pending.Count > 0 && headStart is not { IsCompleted: true })
            {
                IEnumerable<Task> answers = _pending.Select(static asked => asked.Answer);
                await Task.WhenAny(headStart is null ? answers : answers.Append(headStart));
                stopping.ThrowIfCancellationRequested();
                if (await HandleAnswersAsync((tracker, _) => IsBefore(tracker, other: null)) is not { } accepted)
                    continue;
                await over.CancelAsync();
                return accepted.Answer;
            }

            await over.CancelAsync();
        }

        return null;
    }

    /// <summary>
    /// Handles an answer that arrived after another tracker's. If its tracker comes first in the order of BEP 12, that tracker is used from
    /// now on; otherwise it is sent "stopped".
    /// </summary>
    /// <returns>The answer that counts from now on, and when it was requested; null: the previous one still counts.</returns>
    private Task<(TrackerAnswer Answer, long Asked)?> HandleLate() => HandleAnswersAsync(IsBefore);

    /// <summary>Handles the answers that have arrived.</summary>
    /// <param name="isBetter">True if the first tracker, which answered, replaces the second, which is in use.</param>
    private async Task<(TrackerAnswer Answer, long Asked)?> HandleAnswersAsync(Func<Uri, Uri?, bool> isBetter)
    {
        (TrackerAnswer Answer, long Asked)? accepted = null;
        foreach (var asked in _pending.Where(static asked => asked.Answer.IsCompleted).ToList())
        {
            _pending.Remove(asked);
            var (tracker, answer) = (asked.Tracker, await asked.Answer);
            Note(tracker, answer);
            if (answer.Failure is not null)
            {
                NoteRefusal(tracker, answer);
                continue;
            }

            _refusals.Remove(tracker);
            if (!answer.ByAlias)
            {
                if (answer.TrackerId is { } id)
                    _ids[tracker] = id;
                _started.Add(tracker);
                if (asked.Event == TrackerEvent.Completed)
                    _completed.Add(tracker);
            }

            if (!(accepted is null ? isBetter : IsBefore)(tracker, _current))
            {
                StopTracker(tracker);
                continue;
            }

            var former = _current;
            if (Prefer(tracker, answer.Peers))
            {
                _swarm.KeepOnly(answer.Peers, PeerSources.None);
                if (_statuses[former!].State == TrackerState.Working)
                    StopTracker(former!);
            }

            if (!answer.ByAlias)
            {
                _swarm.AddPeers(answer.Peers, PeerSources.Tracker);
                _ = ScrapeAsync(tracker, _swarm.Hash, answer.Counts, byAlias: false, _stopping.Token);
            }

            accepted = (answer, asked.Since);
        }

        return accepted;
    }

    private PendingAnnounce StartAnnounce(Uri tracker, int tries, bool onDemand, CancellationToken stopping)
    {
        // BEP 3: "started" comes first, "completed" once, and only if pieces were missing at the start.
        var why = !_started.Contains(tracker)
            ? TrackerEvent.Started : IsCompletionDue(tracker) ? TrackerEvent.Completed : TrackerEvent.None;
        var since = _swarm.Context.Time.GetTimestamp();
        var answer = SendAnnounceAsync(tracker, Request(tracker, why, tries), stopping);
        return new PendingAnnounce(tracker, why, since, EitherAsync(answer, StartAliasAnnounce(tracker, tries, onDemand, stopping)));
    }

    /// <summary>
    /// Asks a tracker. Tracker addresses are untrusted, so any exception counts as the tracker's failure: it must end neither the loop nor
    /// the closing of the torrent.
    /// </summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    private async Task<TrackerAnswer> SendAnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        try
        {
            return await _client.AnnounceAsync(tracker, request, cancellationToken);
        }
        catch (Exception error) when (error is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            return TrackerAnswer.Failed(error.Message);
        }
    }

    /// <summary>True if the first tracker comes before the second in the order of asking. The second may have been removed.</summary>
    private bool IsBefore(Uri tracker, Uri? other)
    {
        lock (_gate)
        {
            var order = _tiers.SelectMany(static tier => tier).ToList();
            var (place, others) = (order.IndexOf(tracker), other is null ? -1 : order.IndexOf(other));
            return place >= 0 && (others < 0 || place < others);
        }
    }

    /// <summary>Leaves a tracker that was replaced: sends "stopped". If it is asked again later, it is sent "started".</summary>
    private void StopTracker(Uri tracker)
    {
        if (_aliases.Remove(tracker, out var alias))
            _stoppedAnnounces = Task.WhenAll(_stoppedAnnounces, StopAliasAsync(tracker, alias));
        if (!_started.Remove(tracker))
            return;
        Note(tracker, static status => status with { State = TrackerState.Waiting, Peers = 0, Next = null });
        _stoppedAnnounces = Task.WhenAll(_stoppedAnnounces, SendStoppedAsync(tracker));
    }

    private Task SendStoppedAsync(Uri tracker) => SendStoppedAsync(tracker, Request(tracker, TrackerEvent.Stopped, tries: 1));

    private async Task SendStoppedAsync(Uri tracker, TrackerRequest request)
    {
        var isDead = _statuses.TryGetValue(tracker, out var status) && status.State == TrackerState.Failed;
        using var patience = new CancellationTokenSource(
            isDead && _swarm.Table is { Info.IsPrivate: false } ? BriefStoppedTimeout : StoppedTimeout, _swarm.Context.Time);
        try
        {
            await SendAnnounceAsync(tracker, request, patience.Token);
        }
        catch (OperationCanceledException)
        {
            // The tracker did not answer in time.
        }
    }

    /// <param name="Tracker">The tracker.</param>
    /// <param name="Event">The event that was announced.</param>
    /// <param name="Since">When the announce was sent.</param>
    /// <param name="Answer">The tracker's answer.</param>
    private sealed record PendingAnnounce(Uri Tracker, TrackerEvent Event, long Since, Task<TrackerAnswer> Answer);
}
