using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Leases;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Opens a connection when the breaker lets it, or waits for the breaker; records failures and the cap that they show. Called by lanes,
/// outside the pool's lock.
/// </summary>
internal sealed class ConnectionAttempt(
    PoolState state, PoolAvailability standing, DemandedDial demandedDial, ProviderBreaker breaker, BackOff backOff, GreetingProbe probe,
    PoolLease lease, ProviderTimeline? timeline,
    PoolLog log)
{
    /// <summary>Attempts once; during a break waits for its end, and attempts only if the pause was ended early.</summary>
    /// <param name="place">The place in the account's share that the connection takes. It is given back during a break, which may last for
    /// minutes.</param>
    /// <returns>The connection and how long it took to open; null when there is none.</returns>
    public async Task<(NntpConnectResult Opened, TimeSpan Took)?> TryAsync(LeasedSlot place)
    {
        try
        {
            return await TryOnceAsync(place);
        }
        catch (OperationCanceledException) when (!state.Stopping.IsCancellationRequested)
        {
            // The share ended.
            lock (state.Gate)
                demandedDial.End();
            return null;
        }
    }

    private async Task<(NntpConnectResult Opened, TimeSpan Took)?> TryOnceAsync(LeasedSlot place)
    {
        var began = state.Time.GetTimestamp();
        var (result, wait) = await breaker.TryAsync(OpenAsync, state.Stopping);
        var early = false;
        if (result is null)
        {
            place.Return();
            early = await backOff.WaitAsync(wait) && place.TryAcquire();
        }

        bool isForReaders;
        lock (state.Gate)
            isForReaders = demandedDial.IsActive;
        if (early)
        {
            began = state.Time.GetTimestamp();
            result = await breaker.TryEarlyAsync(OpenAsync, state.Stopping);
        }

        if (result is null)
            return null;
        lock (state.Gate)
            probe.Attempted(inVain: early && !isForReaders && result.Failure != NntpConnectFailure.None);
        if (result.Failure == NntpConnectFailure.None)
            return (result, state.Time.GetElapsedTime(began));
        Failed(result);
        return null;
    }

    private async Task<NntpConnectResult> OpenAsync(CancellationToken cancellationToken)
    {
        var (isLate, hasEnded) = (false, false);
        await using var late = state.Time.CreateTimer(_ => Late(), state: null, standing.LateAfter, Timeout.InfiniteTimeSpan);
        try
        {
            return await lease.DialAsync(
                token => NntpHandshake.OpenAsync(state.Options, state.Dialler, OthersOpen, state.Time, token), cancellationToken);
        }
        finally
        {
            lock (state.Gate)
            {
                hasEnded = true;
                state.LateAttempts -= isLate ? 1 : 0;
                standing.OnMaybeBetter();
            }
        }

        void Late()
        {
            lock (state.Gate)
            {
                if (hasEnded)
                    return;
                isLate = true;
                state.LateAttempts++;
            }

            standing.ReportIfWorse();
        }
    }

    private bool OthersOpen()
    {
        lock (state.Gate)
            return state.Open.Count > 0;
    }

    private void Failed(NntpConnectResult result)
    {
        bool news = false, capped = false, ghosts = false;
        int limit, open;
        lock (state.Gate)
        {
            state.IsUnreached = true;
            if (state.IsCapRefusal(result))
            {
                state.IsDoubted = false;
                var before = state.Cap.Known;
                state.Cap.Refused(state.Open.Count);
                capped = state.Cap.Known < before;
                ghosts = state.Cap.HasGhosts;
            }

            if (state.Open.Count == 0 || result.Failure != NntpConnectFailure.TooManyConnections)
            {
                news = state.Failure?.Reason != result.Reason;
                standing.Failed(result);
            }

            limit = state.Cap.Known;
            open = state.Open.Count;
            state.Signal();
        }

        timeline?.Failed(state.Account.Number, result, open, capped ? limit : null);
        if (capped)
            log.Cap(limit, result);
        if (ghosts)
            log.Ghosts(open);
        if (news)
            log.Failing(result);
        standing.ReportIfWorse();
    }
}
