using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Connections on which nothing comes: nothing is put behind what is late there, what readers will want of it is asked for again, and connections of later
/// tiers carry what they would have carried. A tier keeps what its other connections can carry, so that a backup does no more than is lacking.
/// </summary>
internal sealed partial class Dispatcher
{
    /// <summary>Every connection that may carry an article has been silent for so long: one of them is opened anew.</summary>
    private static readonly TimeSpan AllSilentLimit = TimeSpan.FromSeconds(1);

    /// <summary>So many are opened anew, and no more until an article comes: if new ones are silent too, it is the line.</summary>
    private const int MostOpenedAnew = 2;

    private int _openedAnew;
    private long _openedAnewAt;

    /// <summary>True while a tier lacks connections: then they are looked at whether or not somebody waits.</summary>
    private bool _anyLacks;

    /// <summary>Finds the connections that are silent, and how many each tier lacks.</summary>
    private void JudgeLocked()
    {
        _anyLacks = false;
        var limit = Longest(SilenceLimit, _line.ArticleTime(_busy) / 2);
        for (var i = 0; i < _tiers.Length; i++)
        {
            var tier = _tiers[i];
            var silent = 0;
            foreach (var connection in tier.Connections)
            {
                connection.IsSuspect = connection.InFlight > 0 && IsSilent(connection, connection.LastActivity, limit);
                silent += connection.IsSuspect ? 1 : 0;
            }

            var isBacked = IsBacked(i);
            if (silent == tier.Connections.Count && !isBacked)
            {
                foreach (var connection in tier.Connections)
                    connection.IsSuspect = false;
                silent = 0;
            }

            tier.Lacking = isBacked ? silent + tier.Providers.Sum(static provider => provider.HeldByGhosts) : 0;
            _anyLacks |= tier.Lacking > 0;
        }
    }

    /// <summary>True when a tier after this one works.</summary>
    private bool IsBacked(int index)
    {
        for (var i = index + 1; i < _tiers.Length; i++)
        {
            if (_tiers[i] is { IsWorking: true, IsReserve: false })
                return true;
        }

        return false;
    }

    /// <summary>
    /// The second copy of a late article came first, and on the connection of the late one nothing came at all: what readers will want of it is asked for elsewhere
    /// now. One after the other, each would cost a wait. A line that is merely slow brings something on all connections.
    /// </summary>
    private void AskAgainLocked(NntpConnection silent, ref Work work)
    {
        if (!IsSilent(silent, silent.LastActivity, SilenceLimit))
            return;
        foreach (var request in silent.Carried)
        {
            if (request.Fetch is { Ended: false, Hedged: false, Active: 1, Queued: null, Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead } fetch)
                HedgeLocked(fetch, request, ref work);
        }
    }

    /// <summary>
    /// A reader waits, and every connection that may carry its article is silent. Second copies stand behind other articles that do not come, each behind the other's, and none would move before the
    /// connections are given up. The one that has been silent longest is opened anew; what it carried is asked for again, and the rest follows.
    /// </summary>
    private void OpenAnewLocked(ArticleFetch fetch, ref Work work)
    {
        if (_openedAnew >= MostOpenedAnew || (_openedAnew > 0 && _time.GetElapsedTime(_openedAnewAt) < AllSilentLimit))
            return;
        NntpConnection? longest = null;
        foreach (var connection in _tiers.SelectMany(static tier => tier.Connections))
        {
            if ((fetch.Excluded & connection.Provider.Bit) != 0 || connection.IsClosed || connection.IsLeaving)
                continue;
            if (connection.InFlight == 0 || connection.Carried[0] is not { SentAt: > 0 } head
                || !IsSilent(connection, SilentSince(connection, head), Longest(AllSilentLimit, UsualTime(head) * SlowFactor)))
                return;
            if (longest is null || SilentSince(connection, head) < SilentSince(longest, longest.Carried[0]))
                longest = connection;
        }

        if (longest is not { HasServed: true })
            return;
        _openedAnew++;
        _openedAnewAt = _time.GetTimestamp();
        work.Close(longest);

        static long SilentSince(NntpConnection connection, ArticleRequest head) => Math.Max(connection.LastActivity, head.SentAt);
    }

    /// <summary>
    /// Gives a request to a connection of a later tier that has less to do than the best of its own, as long as later tiers carry less than the connections would that
    /// its tier lacks. The few that are left would take too long over all of it.
    /// </summary>
    private bool TryHelpLocked(Tier tier, ArticleRequest request, NntpConnection? best, ref Work work)
    {
        if (tier.Lacking == 0 || best is { InFlight: 0 })
            return false;
        for (var i = Array.IndexOf(_tiers, tier) + 1; i < _tiers.Length; i++)
        {
            if (_tiers[i].IsReserve || _tiers[i].LeastBusyFor(request) is not { } helper || helper.InFlight >= best?.InFlight || !MayCarryFor(tier, helper))
                continue;
            tier.Queue.Remove(request);
            CarryLocked(tier, helper, request, ref work);
            return true;
        }

        return false;
    }

    /// <summary>What waits in a tier that lacks connections goes to connections of later tiers, if these can be had.</summary>
    private void CallHelpLocked(Tier tier, ref Work work)
    {
        for (var i = Array.IndexOf(_tiers, tier) + 1; tier.Lacking > 0 && tier.Queue.Count > 0 && i < _tiers.Length && !_tiers[i].IsReserve; i++)
        {
            foreach (var connection in _tiers[i].Connections)
                HelpLocked(tier, connection, ref work);
            if (tier.Queue.Count > 0 && tier.CarriedElsewhere < tier.Lacking)
                _tiers[i].Demand(tier.Lacking - tier.CarriedElsewhere);
        }
    }

    /// <summary>A connection of this tier has room: it may be of use to an earlier one.</summary>
    private void HelpEarlierLocked(Tier helper, NntpConnection connection, ref Work work)
    {
        for (var i = 0; _anyLacks && !helper.IsReserve && i < _tiers.Length && _tiers[i] != helper; i++)
            HelpLocked(_tiers[i], connection, ref work);
    }

    private void HelpLocked(Tier tier, NntpConnection connection, ref Work work)
    {
        while (MayCarryFor(tier, connection) && tier.Queue.TakeFor(connection) is { } request)
            CarryLocked(tier, connection, request, ref work);
    }

    private static bool MayCarryFor(Tier tier, NntpConnection connection) =>
        tier.CarriedElsewhere < tier.Lacking * connection.Depth && connection.HasRoomFor(NntpCommand.Body);

    private void CarryLocked(Tier tier, NntpConnection connection, ArticleRequest request, ref Work work)
    {
        request.Helped = tier;
        tier.CarriedElsewhere++;
        AssignLocked(connection, request, ref work);
    }
}
