namespace NzbDav.Torrents.Connections;

/// <summary>
/// Chooses connections of a full torrent to close for newcomers. Useless ones are closed at once, a few a minute; those that both sides
/// only upload on are closed even if newcomers do not need all their places. If none is useless, one is closed every half minute. While
/// downloading, it is the slowest that serves no reader. While seeding, all peers that take data count as equal, so it is the one with the
/// lowest priority by BEP 40, and only for a newcomer with a higher one. Not thread-safe.
/// </summary>
internal sealed class Turnover
{
    /// <summary>
    /// Most connections of one torrent closed for newcomers per minute. Each costs both sides a handshake and a slow start.
    /// </summary>
    public const int MostPerMinute = 16;

    /// <summary>Most connections closed at once.</summary>
    private const int MostAtOnce = 8;

    /// <summary>Interval at which a torrent exchanges a useful connection.</summary>
    private static readonly long Pace = 30 * TimeSpan.TicksPerSecond;

    /// <summary>
    /// Least age, in ticks, of a connection to be closed: choke rounds take ten seconds, and the peer must have had a chance to send.
    /// </summary>
    private static readonly long Trial = 30 * TimeSpan.TicksPerSecond;

    private long? _lastExchange;
    private long _minute;
    private int _gone;

    /// <summary>Chooses connections to close, and counts them.</summary>
    /// <param name="standings">The connections that are not closing.</param>
    /// <param name="newcomers">The peers that want a place.</param>
    /// <param name="isSeeding">True if the torrent downloads nothing.</param>
    /// <param name="uselessOnly">True if the torrent has places left but the engine has none: only useless connections are closed.</param>
    /// <param name="now">Ticks.</param>
    /// <returns>Indexes of <paramref name="standings"/>.</returns>
    public IReadOnlyList<int> Choose(
        IReadOnlyList<ConnectionRating> standings, Newcomers newcomers, bool isSeeding, bool uselessOnly, long now)
    {
        // The first exchange waits too, until the current peers have had their time.
        _lastExchange ??= now;
        if (now - _minute >= TimeSpan.TicksPerMinute)
            (_minute, _gone) = (now, 0);
        var most = Math.Min(MostAtOnce, MostPerMinute - _gone);
        if (most <= 0 || newcomers.Count <= 0)
            return [];
        var chosen = Enumerable.Range(0, standings.Count).Where(i => IsUseless(standings[i], now))
            .OrderBy(i => standings[i].Use).ThenBy(i => standings[i].Priority).ThenBy(i => standings[i].Joined)
            .Where((i, rank) => rank < newcomers.Count || standings[i].Use == ConnectionUse.BothUpload).Take(most).ToList();
        if (chosen.Count == 0 && !uselessOnly && now - _lastExchange >= Pace
            && Exchange(standings, newcomers.Priority, isSeeding, now) is { } victim)
            chosen.Add(victim);
        if (chosen.Count > 0)
            _lastExchange = now;
        _gone += chosen.Count;
        return chosen;
    }

    private static bool IsUseless(in ConnectionRating standing, long now) =>
        standing.Use == ConnectionUse.BothUpload || (standing.Use < ConnectionUse.Wanted && standing.Joined <= now - Trial);

    private static int? Exchange(IReadOnlyList<ConnectionRating> standings, uint priority, bool isSeeding, long now)
    {
        int? victim = null;
        for (var i = 0; i < standings.Count; i++)
        {
            if (standings[i].Use == ConnectionUse.Wanted && standings[i].Joined <= now - Trial
                && (victim is not { } other || IsBefore(standings[i], standings[other], isSeeding)))
                victim = i;
        }

        return victim is { } chosen && (!isSeeding || standings[chosen].Priority < priority) ? chosen : null;
    }

    private static bool IsBefore(in ConnectionRating one, in ConnectionRating other, bool isSeeding)
    {
        if (!isSeeding && one.RecentPayload != other.RecentPayload)
            return one.RecentPayload < other.RecentPayload;
        return one.Priority != other.Priority ? one.Priority < other.Priority : one.Joined < other.Joined;
    }
}

/// <summary>The rating of one connection, for when a place is needed.</summary>
/// <param name="Use">Its usefulness.</param>
/// <param name="Priority">By BEP 40; 0 = not known.</param>
/// <param name="RecentPayload">Payload in both directions; the latest counts most.</param>
/// <param name="Joined">When it was made, in ticks.</param>
internal readonly record struct ConnectionRating(ConnectionUse Use, uint Priority, long RecentPayload, long Joined);

/// <summary>Usefulness of a connection. Lower values are closed first.</summary>
internal enum ConnectionUse
{
    /// <summary>Both sides only upload (BEP 21), which does not change by itself.</summary>
    BothUpload,

    /// <summary>Blocks were requested, and none has arrived for a long time.</summary>
    Snubbed,

    /// <summary>Neither side has anything that the other wants.</summary>
    Indifferent,

    /// <summary>At least one side wants something from the other.</summary>
    Wanted,

    /// <summary>It serves a reader: it is never closed for a newcomer.</summary>
    ServesReader,
}

/// <summary>Peers that want a place.</summary>
/// <param name="Count">Number of peers.</param>
/// <param name="Priority">Priority of the first, by BEP 40; 0 = unknown.</param>
internal readonly record struct Newcomers(int Count, uint Priority);
