using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Assigns queued requests to connections that have room. When connections of a tier are silent or lost, connections of later tiers help.
/// The tier keeps what its other connections can carry, so that a backup provider only fills the gap. Call under the dispatcher's lock.
/// </summary>
internal sealed class Assigner(DispatchState state)
{
    /// <summary>Assigns queued requests to the least busy connections.</summary>
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
                // No connection may carry the most urgent request. Requests behind it may find one if this request excludes some providers.
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

    /// <summary>Assigns a request that is in no queue to a connection.</summary>
    public void Assign(DispatchConnection connection, ArticleRequest request, ref Work work)
    {
        state.AssertLocked();
        if (connection.InFlight == 0)
            state.Busy++;
        connection.Requests.Add(request);
        connection.StatsInFlight += request.Command == NntpCommand.Stat ? 1 : 0;
        request.Connection = connection;
        request.UsualTime = state.Line.ArticleTime(state.Busy);
        if (request.Command == NntpCommand.Body)
            connection.Provider.Pace.OnRequested();
        request.Fetch?.Sent(request, connection.Provider);
        work.Submit(connection, request);
    }

    /// <summary>Removes a request from the connection that carried it.</summary>
    public void Release(DispatchConnection connection, ArticleRequest request)
    {
        state.AssertLocked();
        connection.Requests.Remove(request);
        if (connection.InFlight == 0)
            state.Busy--;
        connection.StatsInFlight -= request.Command == NntpCommand.Stat ? 1 : 0;
        if (request.IsOnLaterTier && state.TierOf(request) is { } helped)
            helped.ServedByLaterTiers--;
        request.IsOnLaterTier = false;
    }

    /// <summary>
    /// Assigns more requests to a connection with room. One that drains, or whose provider was removed, gets a QUIT once it is idle.
    /// </summary>
    public void Fill(DispatchConnection connection, ref Work work)
    {
        state.AssertLocked();
        connection.IsSuspect = false;
        if (!connection.IsDraining && state.TierOf(connection.Provider) is { } tier)
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
    public void QuitIfIdle(DispatchConnection connection, ref Work work)
    {
        if (connection.InFlight > 0 || connection.HasQuit)
            return;
        connection.IsDraining = connection.HasQuit = true;
        Assign(connection, new ArticleRequest(NntpCommand.Quit, fetch: null), ref work);
    }

    /// <summary>True if a reader's request has waited for a while: the fast connections cannot carry everything requested.</summary>
    public bool IsInNeed(Tier tier) =>
        tier.Queue.PeekReader() is { } first && state.Time.GetElapsedTime(first.QueuedAt) > LateLimit.Reader.Least;

    private void Fill(Tier tier, DispatchConnection connection, ref Work work)
    {
        while (Dequeue(tier, connection) is { } request)
            Assign(connection, request, ref work);
    }

    /// <summary>Assigns requests to all connections with room.</summary>
    private void FillAll(Tier tier, ref Work work)
    {
        var refused = 0UL;
        foreach (var connection in tier.Connections)
        {
            if ((refused & connection.Provider.Bit) != 0)
                continue;
            var carried = connection.InFlight;
            Fill(tier, connection, ref work);

            // If an idle connection of a slow provider gets no request, its other connections get none either.
            if (connection.Provider.Pace.IsSlow && carried == 0 && connection.InFlight == 0)
                refused |= connection.Provider.Bit;
        }
    }

    private ArticleRequest? Dequeue(Tier tier, DispatchConnection connection)
    {
        if (connection.HasRoomFor(NntpCommand.Body))
            return connection.Provider.Pace.IsSlow ? DequeueForSlow(tier, connection) : tier.Queue.DequeueFor(connection);

        // No room for articles. A STAT may fit if nothing more urgent waits; scanning further is not worth it.
        if (tier.Queue.Peek() is not { } first || !connection.HasRoomFor(first.Command) || !connection.MayServe(first))
            return null;
        tier.Queue.Remove(first);
        return first;
    }

    /// <summary>
    /// Leaves requests that a reader needs soon to faster providers, even if their connections are full. A slow provider gets only as many
    /// of the later requests as it can deliver before the others would.
    /// </summary>
    private ArticleRequest? DequeueForSlow(Tier tier, DispatchConnection connection)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return tier.Queue.DequeueFor(connection);
        var pace = connection.Provider.Pace;
        if (connection.InFlight == 0 && pace.IsTrialDue(IsInNeed(tier))
            && tier.Queue.DequeueFor(connection, FetchPriority.ReadAhead) is { } trial)
        {
            trial.IsLeftToSlow = true;
            return trial;
        }

        if (tier.Queue.DequeueForSlow(connection, tier.AheadOf(connection, state.Line.ArticleBytes), faster) is not { } behind)
            return null;
        behind.IsLeftToSlow = true;
        return behind;
    }

    /// <summary>
    /// Assigns a request to a connection of a later tier that is less busy than the best of its own tier, as long as later tiers carry less
    /// than the tier's missing connections would. The tier's few remaining connections would take too long for all requests.
    /// </summary>
    private bool TryHelp(Tier tier, ArticleRequest request, DispatchConnection? best, ref Work work)
    {
        if (tier.MissingConnections == 0 || best is { InFlight: 0 })
            return false;
        for (var i = Array.IndexOf(state.Tiers, tier) + 1; i < state.Tiers.Length; i++)
        {
            if (state.Tiers[i].IsFallback || state.Tiers[i].LeastBusyFor(request) is not { } helper || helper.InFlight >= best?.InFlight
                || !MayHelp(tier, helper))
                continue;
            tier.Queue.Remove(request);
            AssignHelped(tier, helper, request, ref work);
            return true;
        }

        return false;
    }

    /// <summary>Assigns requests of a tier that lacks connections to connections of later tiers, and demands new ones there.</summary>
    private void CallHelp(Tier tier, ref Work work)
    {
        for (var i = Array.IndexOf(state.Tiers, tier) + 1; tier.MissingConnections > 0 && tier.Queue.Count > 0 && i < state.Tiers.Length
            && !state.Tiers[i].IsFallback; i++)
        {
            foreach (var connection in state.Tiers[i].Connections)
                Help(tier, connection, ref work);
            if (tier.Queue.Count > 0 && tier.ServedByLaterTiers < tier.MissingConnections)
                state.Tiers[i].Demand(tier.MissingConnections - tier.ServedByLaterTiers);
        }
    }

    /// <summary>Offers a connection with room to earlier tiers.</summary>
    private void HelpEarlier(Tier helper, DispatchConnection connection, ref Work work)
    {
        for (var i = 0; state.AnyTierShort && !helper.IsFallback && i < state.Tiers.Length && state.Tiers[i] != helper; i++)
            Help(state.Tiers[i], connection, ref work);
    }

    private void Help(Tier tier, DispatchConnection connection, ref Work work)
    {
        while (MayHelp(tier, connection) && tier.Queue.DequeueFor(connection) is { } request)
            AssignHelped(tier, connection, request, ref work);
    }

    private static bool MayHelp(Tier tier, DispatchConnection connection) =>
        tier.ServedByLaterTiers < tier.MissingConnections * connection.Wire.Depth && connection.HasRoomFor(NntpCommand.Body);

    private void AssignHelped(Tier tier, DispatchConnection connection, ArticleRequest request, ref Work work)
    {
        request.IsOnLaterTier = true;
        tier.ServedByLaterTiers++;
        Assign(connection, request, ref work);
    }
}

/// <summary>Work decided under the dispatcher's lock and done outside it.</summary>
internal struct Work
{
    private List<(DispatchConnection, ArticleRequest)>? _submissions;
    private List<(ArticleFetch, (ContentFault?, string))>? _failures;
    private List<DispatchConnection>? _closings;

    public readonly List<(DispatchConnection Connection, ArticleRequest Request)> Submissions => _submissions ?? [];

    public readonly List<(ArticleFetch Fetch, (ContentFault? Fault, string Reason) Verdict)> Failures => _failures ?? [];

    public readonly List<DispatchConnection> Closings => _closings ?? [];

    public void Close(DispatchConnection connection) => (_closings ??= []).Add(connection);

    public void Submit(DispatchConnection connection, ArticleRequest request) => (_submissions ??= []).Add((connection, request));

    public void Fail(ArticleFetch fetch, (ContentFault?, string) verdict) => (_failures ??= []).Add((fetch, verdict));
}
