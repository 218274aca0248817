using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Hedges a late article on another connection while a reader or an import waits for it. Asks another provider if all attempts are silent,
/// or if no connection of the asked ones is free, because all connections of a provider may fall silent together. Call under the
/// dispatcher's lock.
/// </summary>
/// <param name="state">The dispatcher's state.</param>
/// <param name="lateness">Decides what is late.</param>
/// <param name="router">Routes second attempts.</param>
/// <param name="silent">Opens a new connection if all are silent.</param>
/// <param name="timer">Runs while there is something to watch; calls <see cref="HedgeLate"/>.</param>
internal sealed class LateWatch(DispatchState state, Lateness lateness, Router router, SilentConnections silent, ITimer timer)
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// Most imports with a second attempt at a time: enough for a few connections that fell silent. If all of a provider's did, more
    /// attempts do not help.
    /// </summary>
    private const int MostImportHedges = 16;

    /// <summary>
    /// Most attempts on the wire for one article. Each after the first two is made because all earlier connections are silent.
    /// </summary>
    private const int MostAttempts = 4;

    /// <summary>The same limit for an import: more copies would take bandwidth from readers.</summary>
    private const int MostImportAttempts = 3;

    /// <summary>Fetches that a reader or an import waits for, until they end.</summary>
    private readonly HashSet<ArticleFetch> _watched = [];

    /// <summary>Starts to watch a fetch for lateness, if somebody waits for it.</summary>
    public void Watch(ArticleFetch fetch)
    {
        state.AssertLocked();
        if (fetch.Ended || fetch.Priority is not (FetchPriority.Waiting or FetchPriority.Import) || !_watched.Add(fetch))
            return;
        if (_watched.Count == 1 && !state.AnyTierShort)
            timer.Change(CheckInterval, CheckInterval);
    }

    /// <summary>Stops the timer if there is nothing to watch.</summary>
    public void StopIfIdle()
    {
        state.AssertLocked();
        if (_watched.Count == 0 && !state.AnyTierShort)
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Hedges late articles.</summary>
    public void HedgeLate(ref Work work)
    {
        state.AssertLocked();
        var hedgedImports = 0;
        foreach (var fetch in _watched)
            hedgedImports += IsHedgedImport(fetch) ? 1 : 0;
        foreach (var fetch in _watched)
        {
            if (fetch.Ended)
                continue;
            if (fetch is not { OnWire: { Earlier: null } only, Queued: null } || !lateness.IsLate(only))
                HedgeSilent(fetch, ref work);
            else if (fetch.Priority != FetchPriority.Import || hedgedImports < MostImportHedges)
            {
                Hedge(fetch, only, ref work);
                hedgedImports += IsHedgedImport(fetch) ? 1 : 0;
            }
        }

        _watched.RemoveWhere(static fetch => fetch.Ended);

        static bool IsHedgedImport(ArticleFetch fetch) => fetch is { Ended: false, Priority: FetchPriority.Import, OnWire: { } latest }
            && (latest.Earlier is not null || fetch.Queued is not null);
    }

    /// <summary>
    /// Call when an attempt on another connection delivered an article. If this connection was silent throughout, hedges the other articles
    /// on it that readers will want: one after the other, each would cost a wait. A line that is merely slow delivers something on all
    /// connections.
    /// </summary>
    public void HedgeRest(DispatchConnection late, ref Work work)
    {
        state.AssertLocked();
        if (!lateness.IsSilent(late, LateLimit.Reader) && !lateness.IsOutrun(late))
            return;

        // A copy: routing one request may give the connection more.
        foreach (var request in late.Requests.ToArray())
        {
            if (request.Fetch is
                {
                    Ended: false, OnWire.Earlier: null, Queued: null, Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead
                } fetch)
                Hedge(fetch, request, ref work);
        }
    }

    private bool Hedge(ArticleFetch fetch, ArticleRequest late, ref Work work)
    {
        if (!router.Route(fetch, avoid: late.Connection, ref work))
            return false;
        state.Metrics.Hedged();
        return true;
    }

    /// <summary>
    /// Asks another provider if those asked are silent. If none is left, uses another connection; if all are silent, opens a new one.
    /// </summary>
    private void HedgeSilent(ArticleFetch fetch, ref Work work)
    {
        var isWaiting = fetch.Priority == FetchPriority.Waiting;
        var providers = isWaiting || fetch.Priority == FetchPriority.Import ? SilentFor(fetch) : 0;
        if (providers == 0)
            return;
        var avoided = fetch.Queued?.AvoidProviders ?? 0;
        var mayHedge = fetch.CountOnWire() < (isWaiting ? MostAttempts : MostImportAttempts);
        if (mayHedge && (providers & ~avoided) != 0 && router.RouteExcluding(fetch, providers | avoided, ref work))
            return;
        if (isWaiting && !(mayHedge && HedgeOnLiveConnection(fetch, ref work)))
            silent.ReplaceSilentConnection(fetch, ref work);
    }

    /// <summary>
    /// Bits of the providers that keep a fetch waiting. With several attempts on the wire, all silent: the providers asked. While the fetch
    /// is queued: those of its tier whose busy connections are all silent. Otherwise 0.
    /// </summary>
    private ulong SilentFor(ArticleFetch fetch)
    {
        if (fetch.Queued is not { } queued)
            return fetch.OnWire is { Earlier: not null } && fetch.IsEachOnWire(request => lateness.IsSilent(request, LateLimit.Reader))
                ? fetch.Requested : 0;
        if (state.Time.GetElapsedTime(queued.QueuedAt) <= LateLimit.Reader.Least)
            return 0;
        ulong busy = 0, alive = 0;
        foreach (var connection in state.TierOf(queued)!.Connections)
        {
            if (connection.InFlight == 0)
                continue;
            busy |= connection.Provider.Bit;
            alive |= lateness.IsSilent(connection, LateLimit.Reader) ? 0 : connection.Provider.Bit;
        }

        return busy & ~alive;
    }

    /// <summary>
    /// Makes one more attempt on a live connection of the same providers, when the connections that carry the fetch are silent and no other
    /// provider is left. Does nothing if all connections are silent: then the line is at fault, and one more attempt would only deliver one
    /// more copy.
    /// </summary>
    private bool HedgeOnLiveConnection(ArticleFetch fetch, ref Work work)
    {
        var isAnyAlive = fetch.Queued is null && state.Connections.Any(
            connection => (fetch.Excluded & connection.Provider.Bit) == 0 && connection.HasRoomFor(NntpCommand.Body)
            && (connection.InFlight == 0 || !lateness.IsSilent(connection, LateLimit.Reader)));
        return isAnyAlive && Hedge(fetch, fetch.OnWire!, ref work);
    }
}
