using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// The article that a reader or an import waits for is asked for a second time, on another connection, when it is late; and what a reader waits for of
/// another provider when nothing comes there either, or no place is found: all connections of a provider may have fallen silent. As long as all attempts are silent it is watched on.
/// </summary>
internal sealed partial class Dispatcher
{
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(50);

    /// <summary>Nothing came on the connection for so long, or for three round trips or half the time that an article takes on the line, if those are longer.</summary>
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// An article takes so long from being the next of its connection, even if bytes trickle; or three times as long as others on the line, if that is longer. One of a provider that is
    /// known to be slow beside another, or beside which another was never tried, is late after <see cref="SilenceLimit"/>.
    /// </summary>
    private static readonly TimeSpan SlowLimit = TimeSpan.FromSeconds(1.5);

    /// <summary>Connections share a line unevenly: some get half of what others get.</summary>
    private const int SlowFactor = 3;

    /// <summary>An import has more time: a second copy takes the line from readers. Trickling bytes are waited for, the connection sees to them.</summary>
    private static readonly TimeSpan ImportSilenceLimit = TimeSpan.FromSeconds(1);

    /// <summary>Second copies for imports at one time: those of a few connections that fell silent. When all of a provider did, asking again is no help.</summary>
    private const int MaxImportHedges = 16;

    /// <summary>Attempts at one article at a time. Each but the first two is made because nothing comes on the connections of those before, and there is no other provider.</summary>
    private const int MostAttempts = 4;

    private int _importHedges;

    private void WatchLocked(ArticleFetch fetch)
    {
        if (fetch.Watched || fetch.Ended || fetch.Priority is not (FetchPriority.Waiting or FetchPriority.Import))
            return;
        fetch.Watched = true;
        _watched.Add(fetch);
        if (_watched.Count == 1 && !_anyLacks)
            _watch.Change(WatchEvery, WatchEvery);
    }

    /// <summary>One of two attempts ended without the article: if the one that is left is late, another is made.</summary>
    private void WatchAgainLocked(ArticleFetch fetch)
    {
        if (_tiers.SelectMany(static tier => tier.Connections).SelectMany(static connection => connection.Carried).FirstOrDefault(request => request.Fetch == fetch) is not { } left)
            return;
        fetch.OnWire = left;
        fetch.Late = null;
        fetch.Hedged = fetch.HedgedElsewhere = false;
        _importHedges -= fetch.HedgedForImport ? 1 : 0;
        fetch.HedgedForImport = false;
        WatchLocked(fetch);
    }

    private void HedgeLate()
    {
        var work = new Work();
        lock (_gate)
        {
            JudgeLocked();
            foreach (var tier in _tiers)
                tier.JudgePaces(_line.ArticleBytes, _time);
            for (var i = _watched.Count - 1; i >= 0; i--)
            {
                var fetch = _watched[i];
                if (!fetch.Ended && !fetch.Hedged && fetch is { OnWire: { } request, Active: 1, Queued: null } && MayHedge(fetch) && IsLate(request, fetch.Priority))
                {
                    HedgeLocked(fetch, request, ref work);
                }
                else if (fetch is { Ended: false, Priority: FetchPriority.Waiting } && SilentLocked(fetch) is not 0 and var silent)
                {
                    // The attempt elsewhere may fall silent too.
                    if (!fetch.HedgedElsewhere && RouteElsewhereLocked(fetch, silent, ref work))
                        fetch.HedgedElsewhere = true;
                    else if (!AskOnceMoreLocked(fetch, ref work))
                        OpenAnewLocked(fetch, ref work);
                }

                if (fetch.Ended || (fetch.Hedged && fetch.Priority != FetchPriority.Waiting))
                {
                    fetch.Watched = false;
                    _watched.RemoveAt(i);
                }
            }

            // After those that somebody waits for.
            foreach (var tier in _tiers)
            {
                AskFasterLocked(tier, ref work);
                HelpInNeedLocked(tier, ref work);
                if (tier.Lacking > 0)
                    AssignLocked(tier, ref work);
            }

            if (_watched.Count == 0 && !_anyLacks)
                _watch.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        Do(work);
    }

    private void HedgeLocked(ArticleFetch fetch, ArticleRequest late, ref Work work)
    {
        fetch.Hedged = true;
        fetch.Late = late;
        fetch.HedgedForImport = fetch.Priority == FetchPriority.Import;
        _importHedges += fetch.HedgedForImport ? 1 : 0;
        _metrics.Hedged();
        RouteLocked(fetch, avoid: late.Connection, ref work);
    }

    private bool MayHedge(ArticleFetch fetch) => fetch.Priority != FetchPriority.Import || _importHedges < MaxImportHedges;

    private bool IsLate(ArticleRequest request, FetchPriority priority)
    {
        if (request.SentAt == 0)
            return false;
        var isImport = priority == FetchPriority.Import;
        if ((request.Connection!.Provider.Pace.IsSlow || request.Tier?.HasUntriedFor(request) == true) && IsLongerThan(request, isImport ? ImportSilenceLimit : SilenceLimit))
            return true;
        return isImport ? IsSilent(request, ImportSilenceLimit) : IsSilent(request, SilenceLimit) || IsLongerThan(request, Longest(SlowLimit, UsualTime(request) * SlowFactor));
    }

    /// <summary>True when the article that comes on its connection takes too long: it, and whatever stands behind it, is to be had sooner elsewhere.</summary>
    private bool IsLongerThan(ArticleRequest request, TimeSpan limit) => _time.GetElapsedTime(request.Connection!.HeadSince) > limit + request.Connection.Provider.RoundTrip;

    private bool IsSilent(ArticleRequest request, TimeSpan limit) =>
        request.SentAt != 0 && IsSilent(request.Connection!, Math.Max(request.Connection!.LastActivity, request.SentAt), Longest(limit, UsualTime(request) / 2));

    private bool IsSilent(NntpConnection connection, long since, TimeSpan limit) => _time.GetElapsedTime(since) > Longest(limit, connection.Provider.RoundTrip * 3);

    private TimeSpan UsualTime(ArticleRequest request) => Longest(request.UsualTime, _line.ArticleTime(_busy));

    private static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;

    /// <summary>Bits of the providers that keep a fetch waiting: those where two attempts hear nothing, or the silent ones of the queue in which it stands.</summary>
    private ulong SilentLocked(ArticleFetch fetch)
    {
        if (fetch.Queued is not { } queued)
            return fetch is { Active: > 1, OnWire: { } latest, Late: { } first } && IsSilent(latest, SilenceLimit) && IsSilent(first, SilenceLimit) ? fetch.Asked : 0;
        if (_time.GetElapsedTime(queued.QueuedAt) <= SilenceLimit)
            return 0;
        var limit = Longest(SilenceLimit, _line.ArticleTime(_busy) / 2);
        ulong busy = 0, alive = 0;
        foreach (var connection in queued.Tier!.Connections)
        {
            if (connection.InFlight == 0)
                continue;
            busy |= connection.Provider.Bit;
            alive |= IsSilent(connection, connection.LastActivity, limit) ? 0 : connection.Provider.Bit;
        }

        return busy & ~alive;
    }

    /// <summary>
    /// Nothing comes on the connections where a fetch is asked for, and nobody else is left to ask: but others of the same providers may be alive. When all are silent it is the line, and one more
    /// attempt would only come as one more copy.
    /// </summary>
    private bool AskOnceMoreLocked(ArticleFetch fetch, ref Work work)
    {
        if (fetch is not { Queued: null, Active: < MostAttempts, OnWire: { } latest })
            return false;
        var limit = Longest(SilenceLimit, _line.ArticleTime(_busy) / 2);
        var isAnyAlive = _tiers.Any(tier => tier.Connections.Exists(connection => (fetch.Excluded & connection.Provider.Bit) == 0 && connection.HasRoomFor(NntpCommand.Body)
            && (connection.InFlight == 0 || !IsSilent(connection, connection.LastActivity, limit))));
        if (!isAnyAlive)
            return false;
        fetch.Late = latest;
        _metrics.Hedged();
        RouteLocked(fetch, avoid: latest.Connection, ref work);
        return true;
    }

    /// <summary>Queues one more attempt where none of these providers is asked; false when no other could help.</summary>
    private bool RouteElsewhereLocked(ArticleFetch fetch, ulong except, ref Work work)
    {
        if (TierFor(fetch, except) is not { } tier)
            return false;
        if (fetch.Queued is { } queued)
            queued.Tier!.Queue.Remove(queued);
        _metrics.Hedged();
        EnqueueLocked(new ArticleRequest(fetch.Command, fetch) { Priority = fetch.Priority, AvoidProviders = except, Tier = tier, QueuedAt = _time.GetTimestamp() });
        AssignLocked(tier, ref work);
        return true;
    }
}
