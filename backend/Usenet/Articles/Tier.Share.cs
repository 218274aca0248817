namespace NzbDav.Usenet.Articles;

/// <summary>Chooses between providers of equal priority: of those with a least busy connection, a reliable one, by weight.</summary>
internal sealed partial class Tier
{
    /// <summary>For each provider its least busy connection; scratch space of <see cref="ShareFor"/>.</summary>
    private readonly Carrier?[] _least = new Carrier?[providers.Length];

    /// <summary>
    /// Smooth weighted round robin: each candidate gains its weight; the one with the most is chosen and loses what all gained. Bounded by the sum of all weights, so that a provider that was
    /// away is not owed anything.
    /// </summary>
    private readonly int[] _credit = new int[providers.Length];

    private Carrier? ShareFor(ArticleRequest request)
    {
        Array.Clear(_least);
        Carrier? slow = null;
        var idle = 0;

        // From the back: connections opened last are used first, so that spare ones can be recognised.
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

    /// <summary>Weights decide only among equally busy connections, so that nothing waits because of them.</summary>
    private Carrier? Choose()
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
