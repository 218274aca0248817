namespace NzbDav.Usenet.Articles;

/// <summary>
/// Handles silent connections: they get no more requests, which would wait behind the late one, and connections of later tiers carry those
/// instead (<see cref="Assigner"/>). Where all are silent, one is replaced by a new connection. Under the dispatcher's lock.
/// </summary>
internal sealed class SilentConnections(DispatchState state, SilenceThresholds thresholds)
{
    /// <summary>
    /// When every connection that may carry an article has been silent for this long, or for three times the usual time of an article if
    /// that is longer, one of them is replaced. Also the shortest time between two replacements.
    /// </summary>
    private static readonly TimeSpan AllSilentLimit = TimeSpan.FromSeconds(1);

    /// <summary>Most connections replaced until an article arrives: if new ones are silent too, the line is at fault.</summary>
    private const int MaxReplacements = 2;

    private int _replacements;
    private long _replacedAt;

    /// <summary>Notes that an article arrived, so the line works.</summary>
    public void ArticleReceived() => _replacements = 0;

    /// <summary>Finds the connections that are silent, and how many each tier lacks.</summary>
    public void Evaluate()
    {
        state.AssertLocked();
        state.AnyTierShort = false;
        var limit = thresholds.SilenceOnTheLine();
        for (var i = 0; i < state.Tiers.Length; i++)
        {
            var tier = state.Tiers[i];
            var silent = 0;
            foreach (var connection in tier.Connections)
            {
                connection.IsSuspect = connection.InFlight > 0 && thresholds.IsSilent(connection, connection.LastActivity, limit);
                silent += connection.IsSuspect ? 1 : 0;
            }

            var isBacked = IsBacked(i);
            if (silent == tier.Connections.Count && !isBacked)
            {
                foreach (var connection in tier.Connections)
                    connection.IsSuspect = false;
                silent = 0;
            }

            tier.MissingConnections = isBacked ? silent + tier.Providers.Sum(static provider => provider.HeldByGhosts) : 0;
            state.AnyTierShort |= tier.MissingConnections > 0;
        }
    }

    /// <summary>
    /// Replaces a connection when a reader waits and every connection that may carry its article is silent. Hedges wait behind other late
    /// articles, each behind the other's, and none would move before the connections time out. The connection that has been silent longest
    /// is closed; its requests are sent again, and the rest follows.
    /// </summary>
    public void ReplaceSilentConnection(ArticleFetch fetch, ref Work work)
    {
        state.AssertLocked();
        if (_replacements >= MaxReplacements || (_replacements > 0 && state.Time.GetElapsedTime(_replacedAt) < AllSilentLimit))
            return;
        DispatchConnection? longest = null;
        foreach (var connection in state.Connections)
        {
            if ((fetch.Excluded & connection.Provider.Bit) != 0 || connection.IsClosed || connection.IsDraining)
                continue;
            if (connection.InFlight == 0 || connection.Requests[0] is not { SentAt: > 0 } head
                || !thresholds.IsSilent(connection, SilentSince(connection, head),
                    SilenceThresholds.Longest(AllSilentLimit, thresholds.UsualTime(head) * SilenceThresholds.SlowFactor)))
                return;
            if (longest is null || SilentSince(connection, head) < SilentSince(longest, longest.Requests[0]))
                longest = connection;
        }

        if (longest is not { HasServed: true })
            return;
        _replacements++;
        _replacedAt = state.Time.GetTimestamp();
        work.Close(longest);

        static long SilentSince(DispatchConnection connection, ArticleRequest head) => Math.Max(connection.LastActivity, head.SentAt);
    }

    /// <summary>True when a later tier works that may help.</summary>
    private bool IsBacked(int index)
    {
        for (var i = index + 1; i < state.Tiers.Length; i++)
        {
            if (state.Tiers[i] is { IsWorking: true, IsFallback: false })
                return true;
        }

        return false;
    }
}
