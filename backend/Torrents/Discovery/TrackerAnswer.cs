using System.Net;

namespace NzbDav.Torrents.Discovery;

/// <summary>How far a request to a tracker succeeded.</summary>
internal enum TrackerReach
{
    /// <summary>The tracker has no address of that family, or there is no route to it.</summary>
    None,

    /// <summary>It did not answer, or its answer was unreadable.</summary>
    Tried,

    /// <summary>It answered.</summary>
    Answered,
}

/// <summary>A tracker's answer.</summary>
/// <param name="Failure">Why there are no peers; null on success.</param>
/// <param name="Peers">Addresses of peers.</param>
/// <param name="Interval">Time until the tracker should be asked again.</param>
/// <param name="Least">Shortest time until the tracker may be asked again.</param>
internal sealed record TrackerAnswer(string? Failure, IReadOnlyList<IPEndPoint> Peers, TimeSpan Interval, TimeSpan Least)
{
    /// <summary>Most addresses taken from one answer.</summary>
    public const int MostPeers = 2_000;

    /// <summary>
    /// Shortest interval. A tracker that states a shorter one makes a mistake and would be flooded. The value of libtorrent's
    /// <c>min_announce_interval</c>.
    /// </summary>
    public static readonly TimeSpan LeastInterval = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan MostInterval = TimeSpan.FromHours(6);
    private static readonly TimeSpan UsualInterval = TimeSpan.FromMinutes(30);

    /// <summary>Numbers of peers that the tracker knows; null if not stated.</summary>
    public TrackerCounts? Counts { get; init; }

    /// <summary>True if the torrent was announced by its alias: see <see cref="Scheduling.Swarm.Alias"/>.</summary>
    public bool ByAlias { get; init; }

    public TrackerReach Reach { get; init; } = TrackerReach.Tried;

    /// <summary>A message sent with the peers, such as a change of the tracker's rules; null = none.</summary>
    public string? Warning { get; init; }

    /// <summary>Id to send with the next announce to this tracker, escaped for a URL; null = none.</summary>
    public string? TrackerId { get; init; }

    /// <summary>
    /// For a failure: the pause that the tracker demands (BEP 31 <c>retry in</c>, HTTP <c>Retry-After</c>);
    /// <see cref="Timeout.InfiniteTimeSpan"/> = never ask again, null = none demanded.
    /// </summary>
    public TimeSpan? RetryIn { get; init; }

    /// <summary>For a failure: the interval sent with it; null = none.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The answer for a request that failed.</summary>
    public static TrackerAnswer Failed(string reason) => new(reason, [], UsualInterval, TimeSpan.Zero);

    /// <summary>The answer for a request that the tracker refused.</summary>
    public static TrackerAnswer Refused(string reason) => Failed(reason) with { Reach = TrackerReach.Answered };

    /// <summary>
    /// The answer of a tracker that is asked at an address of each family: the first success, otherwise the failure that got furthest. If
    /// one family succeeds, a refusal of the other is ignored: some trackers take the second announce for a duplicate.
    /// </summary>
    /// <param name="running">The requests, at least one. The list is emptied.</param>
    /// <param name="request">The request. For "stopped" all answers are awaited, because a request not yet sent when the program ends would
    /// never be sent.</param>
    public static async Task<TrackerAnswer> FirstAsync(List<Task<TrackerAnswer>> running, TrackerRequest request)
    {
        if (request.Event == TrackerEvent.Stopped)
            await Task.WhenAll(running);
        TrackerAnswer? failure = null;
        while (running.Count > 0)
        {
            var first = await Task.WhenAny(running);
            running.Remove(first);
            var answer = await first;
            if (answer.Failure is null)
            {
                foreach (var other in running)
                    _ = PassOnAsync(other, request.More);
                return answer;
            }

            if (failure is null || answer.Reach > failure.Reach)
                failure = answer;
        }

        return failure!;
    }

    private static async Task PassOnAsync(Task<TrackerAnswer> other, Action<IReadOnlyList<IPEndPoint>>? more)
    {
        try
        {
            if (await other is { Failure: null } answer)
                more?.Invoke(answer.Peers);
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
    }

    /// <summary>A successful answer, with its intervals clamped.</summary>
    /// <param name="peers">Addresses.</param>
    /// <param name="interval">Seconds; null = not sent.</param>
    /// <param name="least">Seconds; null = not sent.</param>
    public static TrackerAnswer Of(IReadOnlyList<IPEndPoint> peers, long? interval, long? least) => new(
        Failure: null,
        peers,
        Suggested(interval) ?? UsualInterval,
        TimeSpan.FromSeconds(Math.Clamp(least ?? 0, 0, (long)MostInterval.TotalSeconds)))
    {
        Reach = TrackerReach.Answered,
    };

    /// <summary>Clamps an interval; null if none was sent.</summary>
    /// <param name="seconds">As sent; null = not sent.</param>
    public static TimeSpan? Suggested(long? seconds) => seconds is { } stated
        ? TimeSpan.FromSeconds(Math.Clamp(stated, (long)LeastInterval.TotalSeconds, (long)MostInterval.TotalSeconds)) : null;

    /// <summary>Clamps a pause that a tracker demands to a day.</summary>
    public static TimeSpan Pause(TimeSpan interval) => TimeSpan.FromTicks(Math.Clamp(interval.Ticks, 0, TimeSpan.TicksPerDay));
}
