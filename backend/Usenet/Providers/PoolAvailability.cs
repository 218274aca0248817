using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Whether the provider may be given requests. Notifies the dispatcher when that becomes worse. Under the pool's lock, except
/// <see cref="ReportIfWorse"/>.
/// </summary>
internal sealed class PoolAvailability(PoolState state, DemandedDial demandedDial)
{
    /// <summary>
    /// How long requests wait for a provider that worked a moment ago if no other works: a restart or a lost route need not end a stream.
    /// Neither need a refused login, which may come from a server that cannot reach its list of accounts, or still counts lost connections.
    /// </summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(8);

    /// <summary>
    /// Least time after which an attempt counts as late. A server that works accepts, greets and logs in within it, even from another
    /// continent: five round trips of 150 ms.
    /// </summary>
    private static readonly TimeSpan AttemptLimit = TimeSpan.FromSeconds(1);

    /// <summary>The standing that the dispatcher knows.</summary>
    private ProviderAvailability _reported;

    /// <summary>The standing now.</summary>
    public ProviderAvailability Now
    {
        get
        {
            state.AssertLocked();
            if (state.Open.Count > 0)
                return ProviderAvailability.Working;

            // Nothing has failed yet. A host that drops packets, or accepts and never greets, shows that only at the handshake's time
            // limit.
            if (state.Failure is null)
                return state.IsSilent || state.LateAttempts > 0 ? ProviderAvailability.Interrupted : ProviderAvailability.Working;
            if (demandedDial.IsAwaited)
                return ProviderAvailability.Interrupted;
            var passing = state.Failure.Failure is NntpConnectFailure.Refused or NntpConnectFailure.TimedOut
                or NntpConnectFailure.BadGreeting or NntpConnectFailure.TooManyConnections
                or NntpConnectFailure.Proxy or NntpConnectFailure.LoginRefused;
            var workedLately = state.Inherited > 0 || (state.LastGoodAt != 0 && state.Time.GetElapsedTime(state.LastGoodAt) < Grace);
            return passing && workedLately ? ProviderAvailability.Interrupted : ProviderAvailability.Down;
        }
    }

    /// <summary>
    /// Time after which an attempt to connect counts as late. Then requests go to later tiers while no connection is open; the attempt goes
    /// on, and its success ends the detour.
    /// </summary>
    public TimeSpan LateAfter => 2 * state.Account.RoundTrip is var twice && twice > AttemptLimit ? twice : AttemptLimit;

    /// <summary>Called when a connection was opened.</summary>
    public void Opened()
    {
        state.AssertLocked();
        demandedDial.End();
        _reported = ProviderAvailability.Working;
    }

    /// <summary>Called when a connection ended that was not short-lived (<see cref="ConnectionTrial.IsShortLived"/>).</summary>
    public void OnGoodEnd()
    {
        state.AssertLocked();
        state.LastGoodAt = state.Time.GetTimestamp();
    }

    /// <summary>Called when an attempt failed, or a connection served nothing.</summary>
    public void Failed(NntpConnectResult result)
    {
        demandedDial.End();
        state.Failed(result);
        OnMaybeBetter();
    }

    /// <summary>
    /// Called when the standing may have become better: requests may be sent again from here on, so the next change for the worse is
    /// reported.
    /// </summary>
    public void OnMaybeBetter()
    {
        if (Now is var now && now < _reported)
            _reported = now;
    }

    /// <summary>Readers wait for an attempt from now on: its failure is reported.</summary>
    public void OnAwaited() => _reported = Now;

    /// <summary>
    /// Notifies the dispatcher if the standing became worse: requests queued before would wait in vain. Called outside the pool's lock.
    /// </summary>
    public void ReportIfWorse()
    {
        lock (state.Gate)
        {
            var before = _reported;
            _reported = Now;
            if (_reported <= before)
                return;
        }

        state.Account.StandingWorsened();
    }
}

/// <summary>What requests may expect of a provider, best first.</summary>
internal enum ProviderAvailability
{
    /// <summary>A connection is open, or the first attempt has neither failed nor become late.</summary>
    Working,

    /// <summary>
    /// Lost a moment ago, by something that may pass, or an attempt to connect is late: requests wait for it if nobody else works.
    /// </summary>
    Interrupted,

    /// <summary>It must not be given requests.</summary>
    Down,
}
