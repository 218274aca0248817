using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Helps readers that wait for a free connection, or for a provider that is slow compared with others of its priority. Hedges at the faster
/// ones, dials paused providers, and replaces connections that deliver articles no longer needed. Call under the dispatcher's lock.
/// </summary>
internal sealed class SlowProviders(DispatchState state, Lateness lateness, Assigner assigner, Router router)
{
    /// <summary>Finds the slow providers.</summary>
    public void Evaluate()
    {
        state.AssertLocked();
        foreach (var tier in state.Tiers)
            tier.EvaluatePaces(state.Line.ArticleBytes, state.Time);
    }

    /// <summary>Helps the readers of a tier.</summary>
    public void Help(Tier tier, ref Work work)
    {
        state.AssertLocked();
        HedgeOnFaster(tier, ref work);
        HelpInNeed(tier, ref work);
    }

    /// <summary>
    /// Dials paused providers while readers wait for a free connection, and gives a slow provider a trial if one is due. Replaces a
    /// connection, which takes a few round trips, if it slowly delivers an article that has arrived from elsewhere or was requested before
    /// its provider became faster, or if a slow provider has no free connection for its trial.
    /// </summary>
    private void HelpInNeed(Tier tier, ref Work work)
    {
        var inNeed = assigner.IsInNeed(tier);
        if (inNeed)
        {
            foreach (var provider in state.Tiers.SelectMany(static other => other.IsFallback ? [] : other.Providers))
                provider.DialNow();
            assigner.Assign(tier, ref work);
            foreach (var provider in tier.Providers)
            {
                if (provider.Pace.NeedsConnectionForTrial && !tier.Connections.Exists(
                    connection => connection.Provider == provider && connection.InFlight == 0) && OldestHead(tier, provider) is { } oldest)
                {
                    provider.Pace.MakeRoom();
                    work.Close(oldest);
                }
            }
        }

        foreach (var connection in tier.Connections)
        {
            if (connection is { InFlight: > 0, HasServed: true, IsDraining: false }
                && connection.Requests[0] is { Command: NntpCommand.Body } head
                && (head.Fetch!.Ended || connection.HeadSince < connection.Provider.Pace.BetterSince)
                && (inNeed
                    || connection.Requests.Exists(static request => request.Fetch is { Ended: false, Priority: <= FetchPriority.Next }))
                && lateness.IsOverdue(head, LateLimit.Replace))
                work.Close(connection);
        }
    }

    /// <summary>The connection of a provider that has waited longest for its next article; null if none has waited long.</summary>
    private DispatchConnection? OldestHead(Tier tier, Provider provider)
    {
        DispatchConnection? oldest = null;
        foreach (var connection in tier.Connections)
        {
            if (connection.Provider == provider && connection is { InFlight: > 0, HasServed: true, IsDraining: false }
                && connection.Requests[0].Command == NntpCommand.Body
                && lateness.IsOverdue(connection.Requests[0], LateLimit.Replace)
                && (oldest is null || connection.HeadSince < oldest.HeadSince))
                oldest = connection;
        }

        return oldest;
    }

    /// <summary>
    /// Hedges, at faster providers, the articles that were requested from a provider before it proved slow. A reader reaches them one after
    /// the other, and each would cost a wait although bytes trickle and no connection is silent.
    /// </summary>
    private void HedgeOnFaster(Tier tier, ref Work work)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return;
        List<ArticleRequest>? late = null;
        foreach (var connection in tier.Connections)
        {
            if (!connection.Provider.Pace.IsSlow)
                continue;
            foreach (var request in connection.Requests)
            {
                if (request is
                    {
                        IsLeftToSlow: false,
                        Fetch: { Ended: false, Queued: null, Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead } fetch
                    }
                    && (faster & ~fetch.Excluded) != 0 && HasOnlySlow(fetch))
                    (late ??= []).Add(request);
            }
        }

        // Collected first: rerouting one may give these connections more requests.
        foreach (var request in late ?? [])
        {
            var fetch = request.Fetch!;
            if (fetch.Queued is not null || !HasOnlySlow(fetch))
                continue;
            router.RouteExcluding(fetch, request.Connection!.Provider.Bit, ref work);
        }
    }

    /// <summary>True if all its attempts on the wire are at slow providers.</summary>
    private static bool HasOnlySlow(ArticleFetch fetch) =>
        fetch.IsEachOnWire(static request => request.Connection!.Provider.Pace.IsSlow);
}
