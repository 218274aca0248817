using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Gives queued requests to connections that have room. When some connections of a tier are silent or lost, connections of later tiers
/// help. The tier keeps what its other connections can carry, so that a backup does no more than what is lacking. Under the dispatcher's
/// lock.
/// </summary>
internal sealed class Assigner(DispatchState state)
{
    /// <summary>Gives queued requests to the least busy connections.</summary>
    public void Assign(Tier tier, ref Work work)
    {
        state.AssertLocked();
        while (tier.Queue.Peek() is { } request)
        {
            var best = tier.LeastBusyFor(request);
            if (TryHelp(tier, request, best, ref work))
                continue;
            if (best is null)
            {
                // The most urgent request finds no connection. Those behind it may, if it can use only one of several providers.
                FillAll(tier, ref work);
                if (tier.Queue.Count > 0)
                    tier.Demand(tier.Queue.Count);
                CallHelp(tier, ref work);
                return;
            }

            tier.Queue.Remove(request);
            Assign(best, request, ref work);
        }
    }

    /// <summary>Gives a request that is in no queue to a connection.</summary>
    public void Assign(Carrier connection, ArticleRequest request, ref Work work)
    {
        state.AssertLocked();
        if (connection.InFlight == 0)
            state.Busy++;
        connection.Carried.Add(request);
        connection.StatsInFlight += request.Command == NntpCommand.Stat ? 1 : 0;
        request.Connection = connection;
        request.UsualTime = state.Line.ArticleTime(state.Busy);
        if (request.Command == NntpCommand.Body)
            connection.Provider.Pace.Asked();
        if (request.Fetch is { } fetch)
        {
            fetch.Queued = null;
            fetch.Active++;
            fetch.Asked |= connection.Provider.Bit;
            fetch.OnWire = request;
            fetch.MarkSent();
        }

        work.Submit(connection, request);
    }

    /// <summary>Removes a request from the connection that carried it.</summary>
    public void Release(Carrier connection, ArticleRequest request)
    {
        state.AssertLocked();
        connection.Carried.Remove(request);
        if (connection.InFlight == 0)
            state.Busy--;
        connection.StatsInFlight -= request.Command == NntpCommand.Stat ? 1 : 0;
        if (request.IsHelped && state.TierOf(request) is { } helped)
            helped.CarriedElsewhere--;
        request.IsHelped = false;
    }

    /// <summary>
    /// Gives more requests to a connection that has room; one that leaves, or whose provider was removed, gets a QUIT once it is idle.
    /// </summary>
    public void Fill(Carrier connection, ref Work work)
    {
        state.AssertLocked();
        connection.IsSuspect = false;
        if (!connection.IsLeaving && state.TierOf(connection.Provider) is { } tier)
        {
            Fill(tier, connection, ref work);
            HelpEarlier(tier, connection, ref work);
        }
        else
        {
            QuitIfIdle(connection, ref work);
        }
    }

    /// <summary>
    /// Sends QUIT if the connection is idle. It gets no requests after that: they would never be answered (RFC 3977 §5.4).
    /// </summary>
    public void QuitIfIdle(Carrier connection, ref Work work)
    {
        if (connection.InFlight > 0 || connection.HasQuit)
            return;
        connection.IsLeaving = connection.HasQuit = true;
        Assign(connection, new ArticleRequest(NntpCommand.Quit, fetch: null), ref work);
    }

    /// <summary>True when a reader has waited for a connection for a while: the fast ones cannot carry everything requested.</summary>
    public bool IsInNeed(Tier tier) =>
        tier.Queue.PeekReader() is { } first && state.Time.GetElapsedTime(first.QueuedAt) > Patience.SilenceLimit;

    private void Fill(Tier tier, Carrier connection, ref Work work)
    {
        while (Take(tier, connection) is { } request)
            Assign(connection, request, ref work);
    }

    /// <summary>Gives requests to all connections that have room.</summary>
    private void FillAll(Tier tier, ref Work work)
    {
        var refused = 0UL;
        foreach (var connection in tier.Connections)
        {
            if ((refused & connection.Provider.Bit) != 0)
                continue;
            var carried = connection.InFlight;
            Fill(tier, connection, ref work);

            // A request that an idle connection of a slow provider does not get, its other connections do not get either.
            if (connection.Provider.Pace.IsSlow && carried == 0 && connection.InFlight == 0)
                refused |= connection.Provider.Bit;
        }
    }

    private ArticleRequest? Take(Tier tier, Carrier connection)
    {
        if (connection.HasRoomFor(NntpCommand.Body))
            return connection.Provider.Pace.IsSlow ? TakeForSlow(tier, connection) : tier.Queue.TakeFor(connection);

        // No room for articles. A STAT may fit if nothing more urgent waits; the requests behind it are not worth a scan.
        if (tier.Queue.Peek() is not { } first || !connection.HasRoomFor(first.Command) || !connection.MayCarry(first))
            return null;
        tier.Queue.Remove(first);
        return first;
    }

    /// <summary>
    /// Leaves requests that a reader needs soon to faster providers, even if their connections are full. Of the requests behind those, a
    /// slow provider gets as many as it can deliver before the others would.
    /// </summary>
    private ArticleRequest? TakeForSlow(Tier tier, Carrier connection)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return tier.Queue.TakeFor(connection);
        var pace = connection.Provider.Pace;
        if (connection.InFlight == 0 && pace.WantsTrial(IsInNeed(tier))
            && tier.Queue.TakeFor(connection, FetchPriority.ReadAhead) is { } trial)
        {
            trial.IsLeftToSlow = true;
            return trial;
        }

        if (tier.Queue.TakeBehind(connection, tier.AheadOf(connection, state.Line.ArticleBytes), faster) is not { } behind)
            return null;
        behind.IsLeftToSlow = true;
        return behind;
    }

    /// <summary>
    /// Gives a request to a connection of a later tier that is less busy than the best of its own tier, as long as later tiers carry less
    /// than the tier's missing connections would. Its few remaining connections would take too long for all requests.
    /// </summary>
    private bool TryHelp(Tier tier, ArticleRequest request, Carrier? best, ref Work work)
    {
        if (tier.Lacking == 0 || best is { InFlight: 0 })
            return false;
        for (var i = Array.IndexOf(state.Tiers, tier) + 1; i < state.Tiers.Length; i++)
        {
            if (state.Tiers[i].IsReserve || state.Tiers[i].LeastBusyFor(request) is not { } helper || helper.InFlight >= best?.InFlight
                || !MayCarryFor(tier, helper))
                continue;
            tier.Queue.Remove(request);
            Carry(tier, helper, request, ref work);
            return true;
        }

        return false;
    }

    /// <summary>Gives requests of a tier that lacks connections to connections of later tiers, where these can be opened.</summary>
    private void CallHelp(Tier tier, ref Work work)
    {
        for (var i = Array.IndexOf(state.Tiers, tier) + 1; tier.Lacking > 0 && tier.Queue.Count > 0 && i < state.Tiers.Length
            && !state.Tiers[i].IsReserve; i++)
        {
            foreach (var connection in state.Tiers[i].Connections)
                Help(tier, connection, ref work);
            if (tier.Queue.Count > 0 && tier.CarriedElsewhere < tier.Lacking)
                state.Tiers[i].Demand(tier.Lacking - tier.CarriedElsewhere);
        }
    }

    /// <summary>Offers a connection with room to an earlier tier.</summary>
    private void HelpEarlier(Tier helper, Carrier connection, ref Work work)
    {
        for (var i = 0; state.AnyLacks && !helper.IsReserve && i < state.Tiers.Length && state.Tiers[i] != helper; i++)
            Help(state.Tiers[i], connection, ref work);
    }

    private void Help(Tier tier, Carrier connection, ref Work work)
    {
        while (MayCarryFor(tier, connection) && tier.Queue.TakeFor(connection) is { } request)
            Carry(tier, connection, request, ref work);
    }

    private static bool MayCarryFor(Tier tier, Carrier connection) =>
        tier.CarriedElsewhere < tier.Lacking * connection.Wire.Depth && connection.HasRoomFor(NntpCommand.Body);

    private void Carry(Tier tier, Carrier connection, ArticleRequest request, ref Work work)
    {
        request.IsHelped = true;
        tier.CarriedElsewhere++;
        Assign(connection, request, ref work);
    }
}

/// <summary>Work decided under the dispatcher's lock, to be done outside it.</summary>
internal struct Work
{
    private List<(Carrier, ArticleRequest)>? _submissions;
    private List<(ArticleFetch, (SegmentOutcome, string))>? _failures;
    private List<Carrier>? _closings;

    public readonly List<(Carrier Connection, ArticleRequest Request)> Submissions => _submissions ?? [];

    public readonly List<(ArticleFetch Fetch, (SegmentOutcome Outcome, string Reason) Verdict)> Failures => _failures ?? [];

    /// <summary>Connections to close.</summary>
    public readonly List<Carrier> Closings => _closings ?? [];

    public void Close(Carrier connection) => (_closings ??= []).Add(connection);

    public void Submit(Carrier connection, ArticleRequest request) => (_submissions ??= []).Add((connection, request));

    public void Fail(ArticleFetch fetch, (SegmentOutcome, string) verdict) => (_failures ??= []).Add((fetch, verdict));
}
