using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Decides where a request goes next: to the first tier that can serve it, to the same provider again if its copy was damaged, to the next
/// copy that the .nzb lists, or to its end if no provider is left. Call under the dispatcher's lock.
/// </summary>
internal sealed class Router(DispatchState state, Assigner assigner)
{
    /// <summary>Connections lost during one article before its provider is skipped.</summary>
    private const int MaxLosses = 4;

    private static readonly TimeSpan LossBurst = TimeSpan.FromMilliseconds(500);

    /// <summary>True if the retention of at least one provider is configured.</summary>
    private bool _keepsAges;

    /// <summary>Adapts to a changed set of providers.</summary>
    public void Changed()
    {
        state.AssertLocked();
        _keepsAges = Array.Exists(
            state.Tiers, static tier => Array.Exists(tier.Providers, static provider => provider.Options.RetentionDays > 0));
        state.Missing.Clear();
    }

    /// <summary>Starts a fetch.</summary>
    public void Begin(ArticleFetch fetch, ref Work work)
    {
        fetch.AskedLast = FindLikelyMissing(fetch);
        Route(fetch, avoid: null, ref work);
    }

    /// <summary>
    /// Queues the next attempt of a fetch. Ends it if no provider is left that could help, or the article was read from disk.
    /// </summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="avoid">The connection that the attempt must avoid; null: none.</param>
    /// <param name="work">Receives work to do outside the lock.</param>
    /// <param name="assign">False: the caller assigns requests to connections.</param>
    /// <returns>False if nothing was queued: the fetch ended, or another attempt is on the wire and no provider is left.</returns>
    public bool Route(ArticleFetch fetch, DispatchConnection? avoid, ref Work work, bool assign = true)
    {
        state.AssertLocked();
        if (fetch.Command == NntpCommand.Body && fetch.Flight.IsEnded)
        {
            // The article was on disk after all.
            state.End(fetch);
            return false;
        }

        if (state.IsDisposed)
        {
            state.End(fetch);
            work.Fail(fetch, Verdicts.ShuttingDown);
            return false;
        }

        if (fetch.IsStatProbed)
            fetch.AskedLast |= state.Missing.Of(fetch.Id) & ~fetch.Tried;
        var tier = TierFor(fetch);
        if (tier is null && fetch is { Damaged: not 0, DamagedRetried: false })
        {
            // Damaged in transit, or on one of a provider's many servers: the same provider often has a good copy the second time.
            fetch.DamagedRetried = true;
            fetch.Tried &= ~fetch.Damaged;
            tier = TierFor(fetch);
            fetch.Tried |= tier is null ? fetch.Damaged : 0;
        }

        if (tier is null && fetch.OnWire is not null)
            return false;
        tier ??= TierAskedLast(fetch);
        while (tier is null && fetch.TryNextCopy())
        {
            fetch.AskedLast = FindLikelyMissing(fetch);
            tier = TierFor(fetch) ?? TierAskedLast(fetch);
        }

        if (tier is null && DialPausedProviders(fetch))
            tier = TierFor(fetch);
        if (tier is null)
        {
            var verdict = Verdicts.Of(fetch, state.Tiers, state.RefusedLoginTimeout);
            state.End(fetch, keepMismatched: verdict.Fault is null);
            work.Fail(fetch, verdict);
            return false;
        }

        Enqueue(tier, new ArticleRequest(fetch.Command, fetch)
        {
            Priority = fetch.Priority,
            Avoid = avoid,
            TierIndex = Array.IndexOf(state.Tiers, tier),
            QueuedAt = state.Time.GetTimestamp()
        });
        if (assign)
            assigner.Assign(tier, ref work);
        return true;
    }

    /// <summary>Queues one more attempt that avoids some providers; false if no other could help.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="excluded">Bits of the providers to avoid.</param>
    /// <param name="work">Receives work to do outside the lock.</param>
    public bool RouteExcluding(ArticleFetch fetch, ulong excluded, ref Work work)
    {
        state.AssertLocked();
        if (TierFor(fetch, excluded) is not { } tier)
            return false;
        if (fetch.Queued is { } queued)
            state.TierOf(queued)!.Queue.Remove(queued);
        state.Metrics.Hedged();
        Enqueue(tier, new ArticleRequest(fetch.Command, fetch)
        {
            Priority = fetch.Priority,
            AvoidProviders = excluded,
            TierIndex = Array.IndexOf(state.Tiers, tier),
            QueuedAt = state.Time.GetTimestamp()
        });
        assigner.Assign(tier, ref work);
        return true;
    }

    /// <summary>
    /// Removes an attempt from a queue where it would wait in vain, and routes the fetch unless another attempt is on the wire.
    /// </summary>
    public void Reroute(ArticleFetch fetch, ArticleRequest queued, ref Work work)
    {
        state.TierOf(queued)!.Queue.Remove(queued);
        fetch.Queued = null;
        if (fetch.OnWire is null)
            Route(fetch, avoid: null, ref work);
    }

    /// <summary>Reroutes all requests that wait in the queues of some tiers.</summary>
    /// <param name="tiers">Tiers whose queues are emptied. They may be out of service.</param>
    /// <param name="work">Receives work to do outside the lock.</param>
    public void RouteAll(IEnumerable<Tier> tiers, ref Work work)
    {
        state.AssertLocked();
        var waiting = new List<ArticleRequest>();
        foreach (var tier in tiers)
        {
            while (tier.Queue.Peek() is { } request)
            {
                tier.Queue.Remove(request);
                request.Fetch!.Queued = null;
                waiting.Add(request);
            }
        }

        foreach (var request in waiting)
            Route(request.Fetch!, request.Avoid, ref work, assign: false);
        foreach (var tier in state.Tiers)
            assigner.Assign(tier, ref work);
    }

    /// <summary>Counts a connection lost during a fetch. True if its provider is to be skipped from now on.</summary>
    public bool CountLoss(ArticleFetch fetch)
    {
        // A provider that drops all connections at once counts as one loss, however many of them carried the article.
        if (fetch.LastLossAt == 0 || state.Time.GetElapsedTime(fetch.LastLossAt) >= LossBurst)
        {
            fetch.Losses++;
            fetch.LastLossAt = Math.Max(1, state.Time.GetTimestamp());
        }

        return fetch.Losses >= MaxLosses;
    }

    /// <summary>Records that a provider does not have an article, and that the others on its backbone do not either.</summary>
    public void NoteMissing(ArticleFetch fetch, Provider provider)
    {
        state.AssertLocked();
        var bits = provider.Bit;
        foreach (var tier in state.Tiers)
        {
            foreach (var other in tier.Providers)
                bits |= other.Options.HasSameBackbone(provider.Options) ? other.Bit : 0;
        }

        fetch.Tried |= bits;
        state.Missing.Add(fetch.Id, bits);
    }

    /// <summary>
    /// Used when a reader waits for an article that one provider does not have. While the next provider is asked for the article, the later
    /// ones are asked by STAT in parallel, and those that answer no are skipped. Asks one provider per backbone. Does nothing with fewer
    /// than two to ask, because that gains nothing.
    /// </summary>
    public void ProbeByStat(ArticleFetch fetch, ref Work work)
    {
        if (fetch is { Ended: true } or { IsStatProbed: true }
            or not { Command: NntpCommand.Body, Priority: FetchPriority.Waiting or FetchPriority.Next })
            return;
        var asked = new List<Provider>();
        var next = fetch.OnWire?.Connection?.Provider;
        foreach (var provider in state.Tiers.SelectMany(static tier => tier.Providers))
        {
            if ((fetch.Excluded & provider.Bit) == 0 && provider.Availability == ProviderAvailability.Working && provider != next
                && next?.Options.HasSameBackbone(provider.Options) != true
                && !asked.Exists(other => other.Options.HasSameBackbone(provider.Options)))
                asked.Add(provider);
        }

        // While the next attempt is queued, the next provider is among these.
        if (asked.Count < (next is null ? 3 : 2))
            return;
        fetch.IsStatProbed = true;
        foreach (var provider in asked)
            Route(new ArticleFetch(new ArticleStat(fetch.Id, fetch.Priority, provider)), avoid: null, ref work);
    }

    /// <summary>
    /// The first tier that can serve a fetch now; otherwise one whose connections or provider may recover. Null: none is left.
    /// </summary>
    private Tier? TierFor(ArticleFetch fetch, ulong except = 0)
    {
        Tier? lost = null;
        foreach (var tier in state.Tiers)
        {
            switch (tier.AvailabilityFor(fetch, except))
            {
                case ProviderAvailability.Working:
                    return tier;
                case ProviderAvailability.Interrupted:
                    lost ??= tier;
                    break;
                default:
                    break;
            }
        }

        return lost;
    }

    /// <summary>
    /// Bits of the providers to ask last: they recently did not have the article, or it is older than their configured retention. Both may
    /// be wrong, so none is skipped.
    /// </summary>
    private ulong FindLikelyMissing(ArticleFetch fetch)
    {
        var bits = state.Missing.Of(fetch.Id);
        if (!_keepsAges || fetch.PostedDay == 0)
            return bits;
        var age = (state.Time.GetUtcNow() - DateTimeOffset.UnixEpoch).Days - fetch.PostedDay;
        foreach (var tier in state.Tiers)
        {
            foreach (var provider in tier.Providers)
                bits |= provider.Options.RetentionDays is > 0 and var kept && age > kept ? provider.Bit : 0;
        }

        return bits;
    }

    /// <summary>
    /// Includes the providers to ask last, because no other has the article. Another connection of a provider that refused may serve it;
    /// one that refuses on all connections soon counts as down.
    /// </summary>
    private Tier? TierAskedLast(ArticleFetch fetch)
    {
        if (fetch.AskedLast == 0)
            return null;
        fetch.AskedLast = 0;
        return TierFor(fetch);
    }

    /// <summary>
    /// Dials paused providers at once when a reader needs an article that no other has. False if there are none, or they were dialled a
    /// moment ago.
    /// </summary>
    private bool DialPausedProviders(ArticleFetch fetch)
    {
        if (fetch is not { Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead })
            return false;
        var tries = false;
        foreach (var provider in state.Tiers.SelectMany(static tier => tier.Providers))
            tries |= (fetch.Excluded & provider.Bit) == 0 && provider.DialNow();
        return tries;
    }

    private static void Enqueue(Tier tier, ArticleRequest request)
    {
        request.Fetch!.Queued = request;
        tier.Queue.Enqueue(request);
    }
}
