namespace NzbDav.Usenet.Articles;

/// <summary>
/// Handles silent connections. They get no more requests, which would wait behind the late one; connections of later tiers carry those
/// instead (<see cref="Assigner"/>). If all are silent, one is replaced by a new connection. Call under the dispatcher's lock.
/// </summary>
internal sealed class SilentConnections(DispatchState state, Lateness lateness)
{
    /// <summary>Most connections replaced until an article arrives: if new ones are silent too, the line is at fault.</summary>
    private const int MaxReplacements = 2;

    private int _replacements;
    private long _replacedAt;

    /// <summary>Records that an article arrived, so the line works.</summary>
    public void ArticleReceived() => _replacements = 0;

    /// <summary>Finds the silent connections, and how many connections each tier lacks.</summary>
    public void Evaluate()
    {
        state.AssertLocked();
        state.AnyTierShort = false;
        for (var i = 0; i < state.Tiers.Length; i++)
        {
            var tier = state.Tiers[i];
            var silent = 0;
            foreach (var connection in tier.Connections)
            {
                connection.IsSuspect = connection.InFlight > 0 && lateness.IsSilent(connection, LateLimit.Reader);
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
    /// Replaces a connection when a reader waits and every connection that may carry its article is silent. Hedges would wait behind other
    /// late articles, and none would move before the connections time out. Closes the connection that has been silent longest; its requests
    /// are sent again.
    /// </summary>
    public void ReplaceSilentConnection(ArticleFetch fetch, ref Work work)
    {
        state.AssertLocked();
        if (_replacements >= MaxReplacements || (_replacements > 0 && state.Time.GetElapsedTime(_replacedAt) < LateLimit.Replace.Least))
            return;
        DispatchConnection? longest = null;
        foreach (var connection in state.Connections)
        {
            if ((fetch.Excluded & connection.Provider.Bit) != 0 || connection.IsClosed || connection.IsDraining)
                continue;
            if (connection.InFlight == 0 || connection.Requests[0] is not { SentAt: > 0 } head
                || !lateness.IsSilent(head, LateLimit.Replace))
                return;
            if (longest is null || Lateness.SilentSince(head) < Lateness.SilentSince(longest.Requests[0]))
                longest = connection;
        }

        if (longest is not { HasServed: true })
            return;
        _replacements++;
        _replacedAt = state.Time.GetTimestamp();
        work.Close(longest);
    }

    /// <summary>True if a later tier works and may help.</summary>
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
