using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Providers of equal priority, with one queue and all their connections. Guarded by the dispatcher's lock.</summary>
internal sealed class Tier(Provider[] providers)
{
    /// <summary>Lower limit of a faster provider's time per article in <see cref="AheadOf"/>.</summary>
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>The least busy connection of each provider; scratch space of <see cref="FindBalanced"/>.</summary>
    private readonly DispatchConnection?[] _least = new DispatchConnection?[providers.Length];

    /// <summary>
    /// Smooth weighted round robin: each candidate gains its weight; the one with the most is chosen and loses what all gained. Bounded by
    /// the sum of all weights, so that a provider that was away is owed nothing.
    /// </summary>
    private readonly int[] _credit = new int[providers.Length];

    public Provider[] Providers { get; } = providers;

    public ArticleQueue Queue { get; } = new();

    public List<DispatchConnection> Connections { get; } = [];

    /// <summary>Connections that cannot be used now: silent ones, and lost ones that the server still counts.</summary>
    public int MissingConnections { get; set; }

    /// <summary>Number of its requests on connections of later tiers.</summary>
    public int ServedByLaterTiers { get; set; }

    /// <summary>
    /// True for block accounts and backup-only providers: they deliver what nobody else has, and do not help slow or silent ones.
    /// </summary>
    public bool IsFallback { get; } = providers[0].Options.FallbackRank > 0;

    /// <summary>True if at least one of its providers works.</summary>
    public bool IsWorking => Array.Exists(Providers, static provider => provider.Availability == ProviderAvailability.Working);

    /// <summary>The best availability among the providers that may still have the article.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="except">Bits of providers to ignore.</param>
    public ProviderAvailability AvailabilityFor(ArticleFetch fetch, ulong except = 0)
    {
        var excluded = fetch.Excluded | except;
        var best = ProviderAvailability.Down;
        foreach (var provider in Providers)
        {
            if ((excluded & provider.Bit) == 0 && provider.Availability is var standing && standing < best)
                best = standing;
        }

        return best;
    }

    /// <summary>
    /// The least busy connection with room that may carry the request; null if there is none. For an article, a connection of a slow
    /// provider only if no faster one may carry it: otherwise waiting for a faster one is quicker.
    /// </summary>
    public DispatchConnection? LeastBusyFor(ArticleRequest request)
    {
        var isArticle = request.Command == NntpCommand.Body;
        if (isArticle && Providers.Length > 1)
            return FindBalanced(request);
        DispatchConnection? best = null;

        // From the back: connections opened last are used first, so that spare ones stay idle and can be recognised.
        for (var i = Connections.Count - 1; i >= 0; i--)
        {
            var connection = Connections[i];
            if (!IsBetter(connection, best, request))
                continue;
            best = connection;
            if (best.InFlight == 0)
                break;
        }

        return best;
    }

    /// <summary>Asks its providers for more connections.</summary>
    public void Demand(int requests)
    {
        foreach (var provider in Providers)
            provider.Demand(requests);
    }

    private static bool IsBetter(DispatchConnection connection, DispatchConnection? best, ArticleRequest request) =>
        connection.HasRoomFor(request.Command) && (best is null || connection.InFlight < best.InFlight) && connection.MayServe(request);

    // Chooses between providers of equal priority: among those with the least busy connections, a reliable one, by weight.

    private DispatchConnection? FindBalanced(ArticleRequest request)
    {
        Array.Clear(_least);
        DispatchConnection? slow = null;
        var idle = 0;

        // From the back: connections opened last are used first, so that spare ones stay idle and can be recognised.
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

    /// <summary>Chooses by weight, but only among equally busy connections, so that nothing waits because of weights.</summary>
    private DispatchConnection? Choose()
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

    // Providers of equal priority and unequal speed: a slow one gets only what it can deliver before the others would.

    /// <summary>Finds the providers that are slow compared with the fastest working one.</summary>
    /// <param name="articleBytes">Size of a usual article.</param>
    public void ComparePaces(double articleBytes)
    {
        if (Providers.Length < 2)
            return;
        var best = BestPace(articleBytes);
        foreach (var provider in Providers)
            provider.Pace.Compare(articleBytes, best);
    }

    /// <summary>
    /// Learns from articles that do not arrive. A provider is slow if at least half of its busy connections have waited as long as a slow
    /// provider would take, while another provider does better.
    /// </summary>
    /// <param name="articleBytes">Size of a usual article.</param>
    /// <param name="time">Clock.</param>
    public void EvaluatePaces(double articleBytes, TimeProvider time)
    {
        if (Providers.Length < 2 || articleBytes <= 0)
            return;
        foreach (var provider in Providers)
        {
            if (BestPace(articleBytes, provider) is not { Ticks: > 0 } best || WaitOf(provider, best, time) is not { Ticks: > 0 } wait)
                continue;
            if (!Array.Exists(Providers,
                other => other != provider && other.Pace is { IsKnown: true, IsSlow: false } && WaitOf(other, best, time) == TimeSpan.Zero))
                continue;
            provider.Pace.Waited(articleBytes, wait);
            ComparePaces(articleBytes);
        }
    }

    /// <summary>Bits of the providers that are not slow and have a usable connection.</summary>
    /// <param name="except">A connection to ignore.</param>
    public ulong Faster(DispatchConnection? except = null)
    {
        var bits = 0UL;
        foreach (var connection in Connections)
            bits |= connection != except && IsFast(connection) ? connection.Provider.Bit : 0;
        return bits;
    }

    /// <summary>
    /// How many further requests the connections of faster providers will have delivered by the time this connection delivers one more. A
    /// connection is expected to deliver its next request after (in flight + 1) × time per article + round trip.
    /// </summary>
    /// <param name="connection">A connection of a slow provider.</param>
    /// <param name="articleBytes">Size of a usual article.</param>
    public int AheadOf(DispatchConnection connection, double articleBytes)
    {
        var own = (connection.Provider.Pace.TimeFor(articleBytes) * (connection.InFlight + 1)) + connection.Provider.RoundTrip;
        var best = BestPace(articleBytes);
        var ahead = 0.0;
        foreach (var other in Connections)
        {
            if (!IsFast(other))
                continue;
            var pace = other.Provider.Pace.IsKnown ? other.Provider.Pace.TimeFor(articleBytes) : best;
            ahead += Math.Max(0, ((own - other.Provider.RoundTrip) / (pace > Shortest ? pace : Shortest)) - other.InFlight);
        }

        return (int)Math.Min(int.MaxValue, ahead);
    }

    /// <summary>
    /// True if a provider has never been tried, has no requests now, and could carry this one. The speed of the others can only be judged
    /// against it.
    /// </summary>
    public bool HasUntriedFor(ArticleRequest request) =>
        Providers.Length > 1 && !Array.TrueForAll(Providers, static provider => provider.Pace.IsKnown)
        && Connections.Exists(connection =>
            !connection.Provider.Pace.IsKnown && IsFast(connection) && IsIdle(connection.Provider) && connection.HasRoomFor(request.Command)
                && connection.MayServe(request));

    /// <summary>True if this provider has nothing on the wire.</summary>
    public bool IsIdle(Provider provider) =>
        Connections.TrueForAll(connection => connection.Provider != provider || connection.InFlight == 0);

    private static bool IsFast(DispatchConnection connection) =>
        !connection.Provider.Pace.IsSlow && connection is { IsSuspect: false, IsClosed: false, IsDraining: false };

    private bool HasFasterFor(ArticleRequest request) => (Faster(request.Avoid) & ~request.Excluded) != 0;

    /// <summary>Time per article of the fastest working provider with a known speed; zero if there is none.</summary>
    private TimeSpan BestPace(double articleBytes, Provider? except = null)
    {
        var best = TimeSpan.Zero;
        foreach (var provider in Providers)
        {
            if (provider != except && provider.Pace.IsKnown && provider.Availability == ProviderAvailability.Working
                && provider.Pace.TimeFor(articleBytes) is var pace && (best == TimeSpan.Zero || pace < best))
                best = pace;
        }

        return best;
    }

    /// <summary>
    /// The shortest wait among a provider's late connections, if at least half of its busy ones have waited as long as a provider that is
    /// slow compared with the best would take; otherwise zero.
    /// </summary>
    private TimeSpan WaitOf(Provider provider, TimeSpan best, TimeProvider time)
    {
        var limit = ProviderPace.SlowFrom(best);
        var least = TimeSpan.MaxValue;
        var (busy, late) = (0, 0);
        foreach (var connection in Connections)
        {
            if (connection.Provider != provider || connection.InFlight == connection.StatsInFlight || connection.HeadSince == 0
                || connection.HeadSince < provider.Pace.BetterSince)
                continue;
            busy++;
            var wait = time.GetElapsedTime(connection.HeadSince) - provider.RoundTrip;
            if (wait <= limit)
                continue;
            late++;
            least = wait < least ? wait : least;
        }

        // One late article means little for a provider that delivered others in time, but it is the only evidence about one that never did.
        var enough = provider.Pace is { IsKnown: true, IsSlow: false } ? Math.Min(2, provider.Options.MaxConnections) : 1;
        return late >= enough && late * 2 >= busy ? least : TimeSpan.Zero;
    }
}
