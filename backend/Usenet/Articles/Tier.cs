using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Providers of equal priority: one queue, all their connections. Guarded by the dispatcher's lock.</summary>
internal sealed partial class Tier(Provider[] providers)
{
    public Provider[] Providers { get; } = providers;

    public ArticleQueue Queue { get; } = new();

    public List<Carrier> Connections { get; } = [];

    /// <summary>Connections that are of no use now: they are silent, or were lost and the server still counts them.</summary>
    public int Lacking { get; set; }

    /// <summary>Its requests that connections of later tiers carry instead.</summary>
    public int CarriedElsewhere { get; set; }

    /// <summary>True for block accounts and backup-only providers: they deliver what nobody else has, and do not help slow or silent ones.</summary>
    public bool IsReserve { get; } = providers[0].Options.Reserve > 0;

    /// <summary>True while one of its providers works.</summary>
    public bool IsWorking => Array.Exists(Providers, static provider => provider.Standing == ProviderStanding.Working);

    /// <summary>The best standing of the providers that may still have the article.</summary>
    /// <param name="fetch">What is wanted.</param>
    /// <param name="except">Bits of providers that do not count.</param>
    public ProviderStanding StandingFor(ArticleFetch fetch, ulong except = 0)
    {
        var excluded = fetch.Excluded | except;
        var best = ProviderStanding.Down;
        foreach (var provider in Providers)
        {
            if ((excluded & provider.Bit) == 0 && provider.Standing is var standing && standing < best)
                best = standing;
        }

        return best;
    }

    /// <summary>
    /// The least busy connection with room that may carry the request; null when there is none. For an article, one of a slow provider only if no faster one may carry it: otherwise it would
    /// arrive later than by waiting for a place.
    /// </summary>
    public Carrier? LeastBusyFor(ArticleRequest request)
    {
        var isArticle = request.Command == NntpCommand.Body;
        if (isArticle && Providers.Length > 1)
            return ShareFor(request);
        Carrier? best = null;

        // From the back: connections opened last are used first, so that spare ones can be recognised.
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

    /// <summary>Asks for more connections.</summary>
    public void Demand(int requests)
    {
        foreach (var provider in Providers)
            provider.Demand(requests);
    }

    private static bool IsBetter(Carrier connection, Carrier? best, ArticleRequest request) =>
        connection.HasRoomFor(request.Command) && (best is null || connection.InFlight < best.InFlight) && connection.MayCarry(request);
}
