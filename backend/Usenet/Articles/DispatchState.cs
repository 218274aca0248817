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

    /// <summary>Times when articles arrived.</summary>
    public Arrivals Arrivals { get; } = new();

    /// <summary>Providers that recently did not have an article.</summary>
    public MissingHints Missing { get; } = new(time);

    /// <summary>The tiers in service, in the order in which they are asked.</summary>
    public Tier[] Tiers { get; set; } = [];

    /// <summary>Connections of the providers in service.</summary>
    public IEnumerable<DispatchConnection> Connections => Tiers.SelectMany(static tier => tier.Connections);

    /// <summary>Number of connections with requests on the wire.</summary>
    public int Busy { get; set; }

    /// <summary>True while a tier lacks connections: the timer then checks connections even if nobody waits.</summary>
    public bool AnyTierShort { get; set; }

    /// <inheritdoc cref="UsenetClient.RefusedLoginTimeout"/>
    public TimeSpan RefusedLoginTimeout { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>True once the dispatcher is disposed.</summary>
    public bool IsDisposed { get; set; }

    /// <summary>In Debug builds, fails unless the caller holds <see cref="Gate"/>.</summary>
    [Conditional("DEBUG")]
    public void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread, "under the dispatcher's lock only");

    /// <summary>The tier of a provider; null if it is no longer in service.</summary>
    public Tier? TierOf(Provider provider)
    {
        foreach (var tier in Tiers)
        {
            if (Array.IndexOf(tier.Providers, provider) >= 0)
                return tier;
        }

        return null;
    }

    /// <summary>The tier that a request is for; null: none, or it is no longer in service.</summary>
    public Tier? TierOf(ArticleRequest request) => request.TierIndex < 0 ? null : Tiers[request.TierIndex];

    /// <summary>Ends a fetch and removes it from its queue.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="keepMismatched">True if <see cref="ArticleFetch.Mismatched"/> is still needed.</param>
    public void End(ArticleFetch fetch, bool keepMismatched = false)
    {
        AssertLocked();
        fetch.Ended = true;
        if (!keepMismatched)
        {
            fetch.Mismatched?.Buffer.Release();
            fetch.Mismatched = null;
        }

        if (fetch.Queued is { IsQueued: true } request)
            TierOf(request)!.Queue.Remove(request);
        fetch.Queued = null;
    }
}

/// <summary>Times when the latest articles arrived, on any connection. Guarded by the dispatcher's lock.</summary>
internal sealed class Arrivals
{
    /// <summary>Number of arrivals remembered: two for each of 32 busy connections.</summary>
    private const int Most = 64;

    private readonly long[] _times = new long[Most];
    private uint _count;

    /// <summary>Records that a complete article arrived.</summary>
    /// <param name="now">A clock reading, above 0.</param>
    public void Add(long now) => _times[_count++ % Most] = now;

    /// <summary>
    /// True if at least <paramref name="count"/> articles, or 64 if that is less, arrived after <paramref name="since"/>.
    /// </summary>
    public bool Since(long since, int count) => _times[(_count - (uint)Math.Clamp(count, 1, Most)) % Most] > since;
}
