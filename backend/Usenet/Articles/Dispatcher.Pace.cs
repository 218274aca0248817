using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// A provider that is slow beside others of its priority: what a reader needs soon is left to the others, though their connections are full; it gets of what stands behind that as much as
/// it brings before the others would.
/// </summary>
internal sealed partial class Dispatcher
{
    /// <summary>To open a connection takes several round trips and a place among those that the account allows: what takes less is waited for.</summary>
    private static readonly TimeSpan CloggedLimit = TimeSpan.FromSeconds(1);

    /// <summary>Gives all connections that have room what they may carry.</summary>
    private void FillAllLocked(Tier tier, ref Work work)
    {
        var refused = 0UL;
        foreach (var connection in tier.Connections)
        {
            if ((refused & connection.Provider.Bit) != 0)
                continue;
            var carried = connection.InFlight;
            FillLocked(tier, connection, ref work);

            // What an idle connection of a slow provider is not given, its others are not given either.
            if (connection.Provider.Pace.IsSlow && carried == 0 && connection.InFlight == 0)
                refused |= connection.Provider.Bit;
        }
    }

    private ArticleRequest? TakeForSlowLocked(Tier tier, NntpConnection connection)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return tier.Queue.TakeFor(connection);
        var pace = connection.Provider.Pace;
        if (connection.InFlight == 0 && pace.WantsTrial(IsInNeed(tier)) && tier.Queue.TakeFor(connection, FetchPriority.ReadAhead) is { } trial)
        {
            trial.IsLeftToSlow = true;
            return trial;
        }

        if (tier.Queue.TakeBehind(connection, tier.AheadOf(connection, _line.ArticleBytes), faster) is not { } behind)
            return null;
        behind.IsLeftToSlow = true;
        return behind;
    }

    /// <summary>True when a reader has waited for a place for a while: those that are not slow cannot carry all that is wanted.</summary>
    private bool IsInNeed(Tier tier) => tier.Queue.Peek() is { Priority: <= FetchPriority.Next } first && _time.GetElapsedTime(first.QueuedAt) > SilenceLimit;

    /// <summary>
    /// Readers wait for a place: providers in a break are tried, a slow one may be due for a trial. A connection that brings, slowly, what has come from elsewhere meanwhile, or what was asked for before
    /// its provider became better, is opened anew, which takes a few round trips; so is one of a slow provider that has none free for a trial.
    /// </summary>
    private void HelpInNeedLocked(Tier tier, ref Work work)
    {
        var inNeed = IsInNeed(tier);
        if (inNeed)
        {
            foreach (var provider in _tiers.SelectMany(static other => other.IsReserve ? [] : other.Providers))
                provider.TryNow();
            AssignLocked(tier, ref work);
            foreach (var provider in tier.Providers)
            {
                if (provider.Pace.WantsRoom && !tier.Connections.Exists(connection => connection.Provider == provider && connection.InFlight == 0) && OldestHead(tier, provider) is { } oldest)
                {
                    provider.Pace.MakeRoom();
                    work.Close(oldest);
                }
            }
        }

        foreach (var connection in tier.Connections)
        {
            if (connection is { InFlight: > 0, HasServed: true, IsLeaving: false } && connection.Carried[0] is { Command: NntpCommand.Body } head
                && (head.Fetch!.Ended || connection.HeadSince < connection.Provider.Pace.BetterSince)
                && (inNeed || connection.Carried.Exists(static request => request.Fetch is { Ended: false, Priority: <= FetchPriority.Next }))
                && IsLongerThan(head, Longest(CloggedLimit, UsualTime(head) * SlowFactor)))
                work.Close(connection);
        }
    }

    /// <summary>Of a provider's connections, the one that has waited longest for the article that comes next; null when none has for long.</summary>
    private NntpConnection? OldestHead(Tier tier, Provider provider)
    {
        NntpConnection? oldest = null;
        foreach (var connection in tier.Connections)
        {
            if (connection.Provider == provider && connection is { InFlight: > 0, HasServed: true, IsLeaving: false } && connection.Carried[0].Command == NntpCommand.Body
                && IsLongerThan(connection.Carried[0], CloggedLimit) && (oldest is null || connection.HeadSince < oldest.HeadSince))
                oldest = connection;
        }

        return oldest;
    }

    /// <summary>
    /// What readers will want of a slow provider, and was asked of it before that was known, is asked of the faster ones too. A reader comes to these one after the other: each would cost a wait, though
    /// bytes trickle and nobody is silent.
    /// </summary>
    private void AskFasterLocked(Tier tier, ref Work work)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return;
        List<ArticleRequest>? late = null;
        foreach (var connection in tier.Connections)
        {
            if (!connection.Provider.Pace.IsSlow)
                continue;
            foreach (var request in connection.Carried)
            {
                if (request is { IsLeftToSlow: false, Fetch: { Ended: false, Queued: null, Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead } fetch }
                    && (faster & ~fetch.Excluded) != 0 && HasOnlySlow(fetch))
                    (late ??= []).Add(request);
            }
        }

        // Giving one away may fill these connections anew.
        foreach (var request in late ?? [])
        {
            var fetch = request.Fetch!;
            if (fetch.Queued is not null || !HasOnlySlow(fetch))
                continue;
            fetch.Hedged = true;
            fetch.Late = request;
            RouteElsewhereLocked(fetch, request.Connection!.Provider.Bit, ref work);
        }
    }

    /// <summary>True when all that is on the wire for it comes from slow providers.</summary>
    private static bool HasOnlySlow(ArticleFetch fetch) =>
        fetch.OnWire is null or { Connection.Provider.Pace.IsSlow: true } && (fetch.Active == 1 || fetch.Late is { Connection.Provider.Pace.IsSlow: true });
}
