using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Providers of equal priority that are not equally fast: a slow one is given what it can bring before the others would come to it.</summary>
internal sealed partial class Tier
{
    /// <summary>A provider that is not slow takes this long at least, when what it will bring in a time is reckoned.</summary>
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>Finds out who is slow beside the fastest that works.</summary>
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
    /// Learns from articles that do not come: a provider where at least half of the busy connections have waited for theirs for as long as would be slow, while another one does better.
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

    /// <summary>Bits of the providers that are not slow and have a connection of use.</summary>
    /// <param name="except">One that does not count.</param>
    public ulong Faster(NntpConnection? except = null)
    {
        var bits = 0UL;
        foreach (var connection in Connections)
            bits |= connection != except && IsFast(connection) ? connection.Provider.Bit : 0;
        return bits;
    }

    /// <summary>How many requests the connections of faster providers will have brought, beside what they carry, by the time at which this one had brought one more.</summary>
    /// <param name="connection">Of a slow provider.</param>
    /// <param name="articleBytes">Of a usual article.</param>
    public int AheadOf(NntpConnection connection, double articleBytes)
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
    /// True when a provider that works has never been tried, is asked for nothing now, and could carry the request. How slow the others are can only be told beside it.
    /// </summary>
    public bool HasUntriedFor(ArticleRequest request) =>
        Providers.Length > 1 && !Array.TrueForAll(Providers, static provider => provider.Pace.IsKnown)
        && Connections.Exists(connection =>
            !connection.Provider.Pace.IsKnown && IsFast(connection) && IsIdle(connection.Provider) && connection.HasRoomFor(request.Command) && connection.MayCarry(request));

    /// <summary>True when nothing of this provider is on the wire.</summary>
    public bool IsIdle(Provider provider) => Connections.TrueForAll(connection => connection.Provider != provider || connection.InFlight == 0);

    private static bool IsFast(NntpConnection connection) => !connection.Provider.Pace.IsSlow && connection is { IsSuspect: false, IsClosed: false, IsLeaving: false };

    private bool HasFasterFor(ArticleRequest request) => (Faster(request.Avoid) & ~request.Excluded) != 0;

    /// <summary>How long the fastest takes that works and is known; zero: none is.</summary>
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

    /// <summary>How long half of a provider's busy connections have waited, if that is slow beside the best; else zero.</summary>
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

        // One late article says little of a provider that brought others in time, and all there is to say of one that never did.
        var enough = provider.Pace is { IsKnown: true, IsSlow: false } ? Math.Min(2, provider.Options.MaxConnections) : 1;
        return late >= enough && late * 2 >= busy ? least : TimeSpan.Zero;
    }
}
