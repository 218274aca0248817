using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Which of several providers of equal priority is given an article: of those with a connection that has least to do, a reliable one, by weight.</summary>
internal sealed partial class Tier
{
    /// <summary>For each provider its connection that has least to do; scratch of <see cref="ShareFor"/>.</summary>
    private readonly NntpConnection?[] _least = new NntpConnection?[providers.Length];

    /// <summary>
    /// Smooth weighted round robin: each candidate gains its weight, the one with most is chosen and loses what all gained. Bounded by the sum of all weights, so that a provider which was away
    /// is not owed anything.
    /// </summary>
    private readonly int[] _credit = new int[providers.Length];

    private NntpConnection? ShareFor(ArticleRequest request)
    {
        Array.Clear(_least);
        NntpConnection? slow = null;
        var idle = 0;

        // From the back: the connections that were opened last come first, so that which are spare can be told.
        for (var i = Connections.Count - 1; i >= 0 && idle < Providers.Length; i--)
        {
            var connection = Connections[i];
            if (connection.Provider.Pace.IsSlow)
            {
                slow = IsBetter(connection, slow, request) ? connection : slow;
                continue;
            }

            ref var least = ref _least[Array.IndexOf(Providers, connection.Provider)];
            if (least is { InFlight: 0 } || !IsBetter(connection, least, request))
                continue;
            least = connection;
            idle += connection.InFlight == 0 ? 1 : 0;
        }

        return Choose() ?? (slow is null || HasFasterFor(request) ? null : slow);
    }

    /// <summary>Weights decide among connections with equally little to do alone, so that nothing waits because of them.</summary>
    private NntpConnection? Choose()
    {
        var (fewest, hasReliable) = (int.MaxValue, false);
        foreach (var connection in _least)
        {
            if (connection is null || connection.InFlight > fewest)
                continue;
            hasReliable = (hasReliable && connection.InFlight == fewest) || !connection.Provider.IsUnreliable;
            fewest = connection.InFlight;
        }

        var (chosen, all) = (-1, 0);
        for (var i = 0; i < _least.Length; i++)
        {
            if (_least[i] is not { } connection || connection.InFlight > fewest || (hasReliable && connection.Provider.IsUnreliable))
                continue;
            var weight = connection.Provider.Options.Weight;
            _credit[i] += weight;
            all += weight;
            chosen = chosen < 0 || _credit[i] >= _credit[chosen] ? i : chosen;
        }

        if (chosen < 0)
            return null;
        _credit[chosen] -= all;
        return _least[chosen];
    }
}
