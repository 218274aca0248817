using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Hedges a late article on another connection, when a reader or an import waits for it. Asks another provider when the second connection
/// is silent too, or none is free: all connections of a provider may have fallen silent. While all attempts for a reader are silent, it
/// keeps watching. Under the dispatcher's lock.
/// </summary>
/// <param name="state">The dispatcher's.</param>
/// <param name="thresholds">Decides what is late.</param>
/// <param name="router">Routes second attempts.</param>
/// <param name="silent">Opens a new connection where all are silent.</param>
/// <param name="timer">Runs while there is something to watch; calls <see cref="HedgeLate"/>.</param>
internal sealed class LateWatch(DispatchState state, SilenceThresholds thresholds, Router router, SilentConnections silent, ITimer timer)
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// Time after which an article is late, counted from when it is next on its connection, even if bytes trickle; or three times the usual
    /// time on the line, if that is longer. An article of a provider known to be slower than another, or while another was never tried, is
    /// late after <see cref="SilenceThresholds.SilenceLimit"/>.
    /// </summary>
    private static readonly TimeSpan SlowLimit = TimeSpan.FromSeconds(1.5);

    /// <summary>
    /// Silence after which an article for an import is late. Longer than for readers: a second copy takes bandwidth from them. An article
    /// that trickles is not late for an import, unless its provider is slow or another was never tried.
    /// </summary>
    private static readonly TimeSpan ImportSilenceLimit = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Most second copies for imports at a time: enough for a few connections that fell silent. If all of a provider did, asking again does
    /// not help.
    /// </summary>
    private const int MaxImportHedges = 16;

    /// <summary>
    /// Most attempts at one article at a time. Each after the first two is made because the connections of the earlier ones are silent and
    /// there is no other provider.
    /// </summary>
    private const int MostAttempts = 4;

    private readonly List<ArticleFetch> _watched = [];

    /// <summary>Watches a fetch for lateness from now on, if somebody waits for it.</summary>
    public void Watch(ArticleFetch fetch)
    {
        state.AssertLocked();
        if (fetch.Watched || fetch.Ended || fetch.Priority is not (FetchPriority.Waiting or FetchPriority.Import))
            return;
        fetch.Watched = true;
        _watched.Add(fetch);
        if (_watched.Count == 1 && !state.AnyTierShort)
            timer.Change(CheckInterval, CheckInterval);
    }

    /// <summary>Stops the timer when there is nothing to watch.</summary>
    public void StopIfIdle()
    {
        state.AssertLocked();
        if (_watched.Count == 0 && !state.AnyTierShort)
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// Called when one of two attempts ended without the article: watches the remaining one, and hedges it if it is late.
    /// </summary>
    public void WatchRemaining(ArticleFetch fetch)
    {
        state.AssertLocked();
        if (state.Connections.SelectMany(static connection => connection.Requests)
            .FirstOrDefault(request => request.Fetch == fetch) is not { } left)
            return;
        fetch.OnWire = left;
        fetch.LateRequest = null;
        fetch.Hedged = fetch.HedgedElsewhere = false;
        state.ForgetImportHedge(fetch);
        Watch(fetch);
    }

    /// <summary>Hedges late articles.</summary>
    public void HedgeLate(ref Work work)
    {
        state.AssertLocked();
        for (var i = _watched.Count - 1; i >= 0; i--)
        {
            var fetch = _watched[i];
            if (!fetch.Ended && !fetch.Hedged && fetch is { OnWire: { } request, Active: 1, Queued: null } && MayHedge(fetch)
                && IsLate(request, fetch.Priority))
            {
                Hedge(fetch, request, ref work);
            }
            else if (fetch is { Ended: false, Priority: FetchPriority.Waiting or FetchPriority.Import }
                && SilentFor(fetch) is not 0 and var providers)
            {
                // The attempt elsewhere may fall silent too.
                if (!fetch.HedgedElsewhere && router.RouteExcluding(fetch, providers, ref work))
                    fetch.HedgedElsewhere = true;
                else if (fetch.Priority == FetchPriority.Waiting && !HedgeOnLiveConnection(fetch, ref work))
                    silent.ReplaceSilentConnection(fetch, ref work);
            }

            if (fetch.Ended || (fetch.Hedged && !StaysWatched(fetch)))
            {
                fetch.Watched = false;
                _watched.RemoveAt(i);
            }
        }
    }

    /// <summary>
    /// Called when the hedge of a late article arrived first. If the late attempt's connection was silent throughout, hedges the other
    /// articles on it that readers will want: one after the other, each would cost a wait. A line that is merely slow delivers something on
    /// all connections.
    /// </summary>
    public void HedgeRest(DispatchConnection late, ref Work work)
    {
        state.AssertLocked();
        if (!thresholds.IsSilent(late, late.LastActivity, SilenceThresholds.SilenceLimit) && !thresholds.IsOutrun(late, late.LastActivity))
            return;

        // A copy: routing one may give the connection more.
        foreach (var request in late.Requests.ToArray())
        {
            if (request.Fetch is
                {
                    Ended: false, Hedged: false, Active: 1, Queued: null, Command: NntpCommand.Body,
                    Priority: <= FetchPriority.ReadAhead
                } fetch)
                Hedge(fetch, request, ref work);
        }
    }

    private void Hedge(ArticleFetch fetch, ArticleRequest late, ref Work work)
    {
        fetch.Hedged = true;
        fetch.LateRequest = late;
        fetch.HedgedForImport = fetch.Priority == FetchPriority.Import;
        state.ImportHedges += fetch.HedgedForImport ? 1 : 0;
        state.Metrics.Hedged();
        router.Route(fetch, avoid: late.Connection, ref work);
    }

    /// <summary>True when the second attempt is watched too: for a reader always, for an import until another provider is asked.</summary>
    private static bool StaysWatched(ArticleFetch fetch) =>
        fetch.Priority == FetchPriority.Waiting || fetch is { Priority: FetchPriority.Import, HedgedElsewhere: false };

    private bool MayHedge(ArticleFetch fetch) => fetch.Priority != FetchPriority.Import || state.ImportHedges < MaxImportHedges;

    private bool IsLate(ArticleRequest request, FetchPriority priority)
    {
        if (request.SentAt == 0)
            return false;
        var isImport = priority == FetchPriority.Import;
        if ((request.Connection!.Provider.Pace.IsSlow || state.TierOf(request)?.HasUntriedFor(request) == true)
            && thresholds.IsLongerThan(request, isImport ? ImportSilenceLimit : SilenceThresholds.SilenceLimit))
            return true;
        return isImport
            ? thresholds.IsSilent(request, ImportSilenceLimit)
            : thresholds.IsSilent(request, SilenceThresholds.SilenceLimit) || thresholds.IsOutrun(request)
                || thresholds.IsLongerThan(
                    request, SilenceThresholds.Longest(SlowLimit, thresholds.UsualTime(request) * SilenceThresholds.SlowFactor));
    }

    /// <summary>
    /// Bits of the providers that keep a fetch waiting: those asked, if the last two attempts are silent; while it is queued, those of its
    /// tier whose busy connections are all silent. 0: none.
    /// </summary>
    private ulong SilentFor(ArticleFetch fetch)
    {
        if (fetch.Queued is not { } queued)
        {
            return fetch is { Active: > 1, OnWire: { } latest, LateRequest: { } first } && thresholds.IsSilent(
                latest, SilenceThresholds.SilenceLimit)
                && thresholds.IsSilent(first, SilenceThresholds.SilenceLimit)
                ? fetch.Requested
                : 0;
        }

        if (state.Time.GetElapsedTime(queued.QueuedAt) <= SilenceThresholds.SilenceLimit)
            return 0;
        var limit = thresholds.SilenceOnTheLine();
        ulong busy = 0, alive = 0;
        foreach (var connection in state.TierOf(queued)!.Connections)
        {
            if (connection.InFlight == 0)
                continue;
            busy |= connection.Provider.Bit;
            alive |= thresholds.IsSilent(connection, connection.LastActivity, limit) ? 0 : connection.Provider.Bit;
        }

        return busy & ~alive;
    }

    /// <summary>
    /// Makes one more attempt on a live connection of the same providers, after the connections that carry the fetch fell silent and no
    /// other provider is left. Not if all are silent: then the line is at fault, and one more attempt would only deliver one more copy.
    /// </summary>
    private bool HedgeOnLiveConnection(ArticleFetch fetch, ref Work work)
    {
        if (fetch is not { Queued: null, Active: < MostAttempts, OnWire: { } latest })
            return false;
        var limit = thresholds.SilenceOnTheLine();
        var isAnyAlive = state.Connections.Any(
            connection => (fetch.Excluded & connection.Provider.Bit) == 0 && connection.HasRoomFor(NntpCommand.Body)
            && (connection.InFlight == 0 || !thresholds.IsSilent(connection, connection.LastActivity, limit)));
        if (!isAnyAlive)
            return false;
        fetch.LateRequest = latest;
        state.Metrics.Hedged();
        router.Route(fetch, avoid: latest.Connection, ref work);
        return true;
    }
}
