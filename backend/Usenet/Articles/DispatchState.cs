using System.Diagnostics;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// State shared by the parts of the dispatcher. Mutable state is guarded by <see cref="Gate"/>, which is never held across a wait or a
/// write to a socket.
/// </summary>
/// <param name="time">Clock.</param>
/// <param name="metrics">Receives measurements of fetching.</param>
internal sealed class DispatchState(TimeProvider time, UsenetMetrics metrics)
{
    /// <summary>The dispatcher's one lock.</summary>
    public Lock Gate { get; } = new();

    public TimeProvider Time => time;

    public UsenetMetrics Metrics => metrics;

    /// <summary>Estimate of the line's capacity.</summary>
    public LineEstimate Line { get; } = new(time);

    /// <summary>When articles arrived.</summary>
    public Arrivals Arrivals { get; } = new();

    /// <summary>Providers that recently did not have an article.</summary>
    public MissingHints Missing { get; } = new(time);

    /// <summary>The tiers in service, in the order in which they are asked.</summary>
    public Tier[] Tiers { get; set; } = [];

    /// <summary>Connections of the providers in service.</summary>
    public IEnumerable<DispatchConnection> Connections => Tiers.SelectMany(static tier => tier.Connections);

    /// <summary>Connections with something on the wire.</summary>
    public int Busy { get; set; }

    /// <summary>True while a tier lacks connections: then its connections are checked whether or not somebody waits.</summary>
    public bool AnyTierShort { get; set; }

    /// <summary>Second copies that imports have on the wire or in a queue.</summary>
    public int ImportHedges { get; set; }

    /// <inheritdoc cref="UsenetClient.RefusedLoginTimeout"/>
    public TimeSpan RefusedLoginTimeout { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>True once the server is being shut down.</summary>
    public bool IsDisposed { get; set; }

    /// <summary>In a Debug build: fails unless the caller holds <see cref="Gate"/>.</summary>
    [Conditional("DEBUG")]
    public void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread, "under the dispatcher's lock only");

    /// <summary>The tier of a provider; null when it is no longer in service.</summary>
    public Tier? TierOf(Provider provider)
    {
        foreach (var tier in Tiers)
        {
            if (Array.IndexOf(tier.Providers, provider) >= 0)
                return tier;
        }

        return null;
    }

    /// <summary>The tier that a request is for; null when none, or when it is no longer in service.</summary>
    public Tier? TierOf(ArticleRequest request) => request.TierIndex < 0 ? null : Tiers[request.TierIndex];

    /// <summary>Ends a fetch: it needs no more attempts.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="keepOdd">True when <see cref="ArticleFetch.Mismatched"/> is still needed.</param>
    public void End(ArticleFetch fetch, bool keepOdd = false)
    {
        AssertLocked();
        fetch.Ended = true;
        ForgetImportHedge(fetch);
        if (!keepOdd)
        {
            fetch.Mismatched?.Release();
            fetch.Mismatched = null;
        }

        if (fetch.Queued is { IsQueued: true } request)
            TierOf(request)!.Queue.Remove(request);
        fetch.Queued = null;
    }

    /// <summary>Stops counting a fetch in <see cref="ImportHedges"/>.</summary>
    public void ForgetImportHedge(ArticleFetch fetch)
    {
        ImportHedges -= fetch.HedgedForImport ? 1 : 0;
        fetch.HedgedForImport = false;
    }
}

/// <summary>When the latest articles arrived, on any connection. Guarded by the dispatcher's lock.</summary>
internal sealed class Arrivals
{
    /// <summary>Arrivals remembered: two for each of 32 busy connections.</summary>
    private const int Most = 64;

    private readonly long[] _times = new long[Most];
    private uint _count;

    /// <summary>Notes that a complete article arrived.</summary>
    /// <param name="now">A reading of the clock, above 0.</param>
    public void Add(long now) => _times[_count++ % Most] = now;

    /// <summary>
    /// True when at least <paramref name="count"/> articles, or 64 if that is less, arrived after <paramref name="since"/>.
    /// </summary>
    public bool Since(long since, int count) => _times[(_count - (uint)Math.Clamp(count, 1, Most)) % Most] > since;
}
