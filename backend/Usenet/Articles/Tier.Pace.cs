using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Providers of equal priority and unequal speed: a slow one gets only what it can deliver before the others would.</summary>
internal sealed partial class Tier
{
    /// <summary>The least time that a provider which is not slow is taken to need, when estimating how much it will bring.</summary>
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>Finds the providers that are slow compared with the fastest working one.</summary>
    /// <param name="articleBytes">Of a usual article.</param>
    public void ComparePaces(double articleBytes)
    {
        if (Providers.Length < 2)
            return;
        var best = BestPace(articleBytes);
        foreach (var provider in Providers)
            provider.Pace.Compare(articleBytes, best);
    }

    /// <summary>
    /// Learns from articles that do not arrive: a provider is slow when at least half of its busy connections have waited as long as would be slow, while another provider does better.
    /// </summary>
    /// <param name="articleBytes">Of a usual article.</param>
    /// <param name="time">Clock.</param>
    public void JudgePaces(double articleBytes, TimeProvider time)
    {
        if (Providers.Length < 2 || articleBytes <= 0)
            return;
        foreach (var provider in Providers)
        {
            if (BestPace(articleBytes, provider) is not { Ticks: > 0 } best || WaitOf(provider, best, time) is not { Ticks: > 0 } wait)
                continue;
            if (!Array.Exists(Providers, other => other != provider && other.Pace is { IsKnown: true, IsSlow: false } && WaitOf(other, best, time) == TimeSpan.Zero))
                continue;
            provider.Pace.Waited(articleBytes, wait);
            ComparePaces(articleBytes);
        }
    }

    /// <summary>Bits of the providers that are not slow and have a usable connection.</summary>
    /// <param name="except">A connection to ignore.</param>
    public ulong Faster(ConnectionState? except = null)
    {
        var bits = 0UL;
        foreach (var connection in Connections)
            bits |= connection != except && IsFast(connection) ? connection.Provider.Bit : 0;
        return bits;
    }

    /// <summary>How many further requests the connections of faster providers will have delivered by the time this connection delivers one more.</summary>
    /// <param name="connection">Of a slow provider.</param>
    /// <param name="articleBytes">Of a usual article.</param>
    public int AheadOf(Carrier connection, double articleBytes)
    {
        var own = connection.Provider.Pace.TimeFor(articleBytes) * (connection.InFlight + 1);
        var best = BestPace(articleBytes);
        var ahead = 0.0;
        foreach (var other in Connections)
        {
            if (!IsFast(other))
                continue;
            var pace = other.Provider.Pace.IsKnown ? other.Provider.Pace.TimeFor(articleBytes) : best;
            ahead += Math.Max(0, (own / (pace > Shortest ? pace : Shortest)) - other.InFlight);
        }

        return (int)Math.Min(int.MaxValue, ahead);
    }

    /// <summary>
    /// True when a working provider has never been tried, has no requests now, and could carry this one. The speed of the others can only be judged against it.
    /// </summary>
    public bool HasUntriedFor(ArticleRequest request) =>
        Providers.Length > 1 && !Array.TrueForAll(Providers, static provider => provider.Pace.IsKnown)
        && Connections.Exists(connection =>
            !connection.Provider.Pace.IsKnown && IsFast(connection) && IsIdle(connection.Provider) && connection.HasRoomFor(request.Command) && connection.MayCarry(request));

    /// <summary>True when nothing of this provider is on the wire.</summary>
    public bool IsIdle(Provider provider) => Connections.TrueForAll(connection => connection.Provider != provider || connection.InFlight == 0);

    private static bool IsFast(Carrier connection) => !connection.Provider.Pace.IsSlow && connection is { IsSuspect: false, IsClosed: false, IsLeaving: false };

    private bool HasFasterFor(ArticleRequest request) => (Faster(request.Avoid) & ~request.Excluded) != 0;

    /// <summary>Time per article of the fastest working provider with a known speed; zero: there is none.</summary>
    private TimeSpan BestPace(double articleBytes, Provider? except = null)
    {
        var best = TimeSpan.Zero;
        foreach (var provider in Providers)
        {
            if (provider != except && provider.Pace.IsKnown && provider.Standing == ProviderStanding.Working && provider.Pace.TimeFor(articleBytes) is var pace && (best == TimeSpan.Zero || pace < best))
                best = pace;
        }

        return best;
    }

    /// <summary>How long half of a provider's busy connections have waited, if that is slow compared with the best; else zero.</summary>
    private TimeSpan WaitOf(Provider provider, TimeSpan best, TimeProvider time)
    {
        var limit = ProviderPace.SlowFrom(best);
        var least = TimeSpan.MaxValue;
        var (busy, late) = (0, 0);
        foreach (var connection in Connections)
        {
            if (connection.Provider != provider || connection.InFlight == connection.StatsInFlight || connection.HeadSince == 0 || connection.HeadSince < provider.Pace.BetterSince)
                continue;
            busy++;
            var wait = time.GetElapsedTime(connection.HeadSince) - provider.RoundTrip;
            if (wait <= limit)
                continue;
            late++;
            least = wait < least ? wait : least;
        }

        // One late article means little for a provider that delivered others in time, but is all the evidence about one that never did.
        var enough = provider.Pace is { IsKnown: true, IsSlow: false } ? Math.Min(2, provider.Options.MaxConnections) : 1;
        return late >= enough && late * 2 >= busy ? least : TimeSpan.Zero;
    }
}
