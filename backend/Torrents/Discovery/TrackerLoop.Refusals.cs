namespace NzbDav.Torrents.Discovery;

/// <content>When a tracker that failed is asked again.</content>
internal sealed partial class TrackerLoop
{
    /// <summary>
    /// Failures in a row after which the interval sent beside them counts. Before that a torrent may just not be registered yet:
    /// uploaders announce some before their tracker knows them, and users of private trackers want to be among the first.
    /// </summary>
    private const int QuickRetries = 3;

    /// <summary>Notes a failure. Used by the loop only, as all below.</summary>
    private void NoteRefusal(Uri tracker, TrackerAnswer answer) =>
        _refusals[tracker] = RefusalsAfter(_refusals.TryGetValue(tracker, out var former) ? former : null, answer);

    private Refusals RefusalsAfter(Refusals? former, TrackerAnswer answer)
    {
        var count = (former?.Count ?? 0) + 1;
        var wait = answer.RetryIn ?? (count >= QuickRetries ? answer.AskAgainIn : null) ?? TimeSpan.Zero;
        return new Refusals(count, _swarm.Context.Time.GetTimestamp(), wait, answer.RetryIn is { Ticks: > 0 });
    }

    /// <summary>
    /// How long a tracker is not to be asked: what it demanded (BEP 31 and HTTP) in any case, its interval and "never" until somebody
    /// asks for an announce.
    /// </summary>
    private TimeSpan RefusedFor(Uri tracker, bool onDemand) =>
        LeftOf(_refusals.TryGetValue(tracker, out var refusals) ? refusals : null, onDemand);

    private TimeSpan LeftOf(Refusals? told, bool onDemand)
    {
        if (told is not { } refusals || (onDemand && !refusals.IsDemanded))
            return TimeSpan.Zero;
        if (refusals.Wait == Timeout.InfiniteTimeSpan)
            return Timeout.InfiniteTimeSpan;
        var left = refusals.Wait - _swarm.Context.Time.GetElapsedTime(refusals.Since);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>How long to wait when every tracker failed: until the first may be asked again, and this long at least.</summary>
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

    /// <summary>Every tracker failed: notes when each is asked again.</summary>
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

    /// <param name="Count">Failures in a row.</param>
    /// <param name="Since">Time of the last one.</param>
    /// <param name="Wait">How long it is not to be asked; <see cref="Timeout.InfiniteTimeSpan"/> = never again.</param>
    /// <param name="IsDemanded">It said so for this very failure, and named a time.</param>
    private readonly record struct Refusals(int Count, long Since, TimeSpan Wait, bool IsDemanded);
}
