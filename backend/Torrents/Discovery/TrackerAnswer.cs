using System.Net;

namespace NzbDav.Torrents.Discovery;

/// <summary>A tracker's answer.</summary>
/// <param name="Failure">Why there are no peers; null on success.</param>
/// <param name="Peers">Addresses.</param>
/// <param name="Interval">When to ask again.</param>
/// <param name="Least">Shortest time until it may be asked again.</param>
internal sealed record TrackerAnswer(string? Failure, IReadOnlyList<IPEndPoint> Peers, TimeSpan Interval, TimeSpan Least)
{
    /// <summary>Most addresses taken from one answer.</summary>
    public const int MostPeers = 2_000;

    private static readonly TimeSpan LeastInterval = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan MostInterval = TimeSpan.FromHours(6);
    private static readonly TimeSpan UsualInterval = TimeSpan.FromMinutes(30);

    /// <summary>Peers that it knows; null if it did not say.</summary>
    public TrackerCounts? Counts { get; init; }

    /// <summary>The request failed.</summary>
    public static TrackerAnswer Failed(string reason) => new(reason, [], UsualInterval, TimeSpan.Zero);

    /// <summary>A successful answer, with its intervals clamped.</summary>
    /// <param name="peers">Addresses.</param>
    /// <param name="interval">Seconds; null = not sent.</param>
    /// <param name="least">Seconds; null = not sent.</param>
    public static TrackerAnswer Of(IReadOnlyList<IPEndPoint> peers, long? interval, long? least) => new(
        Failure: null,
        peers,
        interval is { } told ? TimeSpan.FromSeconds(Math.Clamp(told, (long)LeastInterval.TotalSeconds, (long)MostInterval.TotalSeconds)) : UsualInterval,
        TimeSpan.FromSeconds(Math.Clamp(least ?? 0, 0, (long)MostInterval.TotalSeconds)));
}
