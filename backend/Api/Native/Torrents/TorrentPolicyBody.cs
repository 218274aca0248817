using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a torrent is kept and seeded, where that differs from its category; null means as in the category.</summary>
internal sealed record TorrentPolicyBody
{
    /// <summary>Ten years in minutes: a longer time is no limit in practice.</summary>
    private const int MostMinutes = 5_256_000;

    private const double MostRatio = 10_000;

    /// <summary>True: all of it is downloaded and kept outside the cache; false: only what is read, in the cache.</summary>
    public bool? Keep { get; init; }

    /// <summary>Bytes sent per byte downloaded, 0 to 10000; -1: no limit.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding, 0 to 5256000; -1: no limit.</summary>
    public int? SeedMinutes { get; init; }

    /// <summary>Minutes in which nothing is sent to a peer, 0 to 5256000; -1: no limit.</summary>
    public int? IdleMinutes { get; init; }

    /// <summary>What happens when it reaches its share limit.</summary>
    public LimitAction? AtLimit { get; init; }

    /// <summary>What is wrong with the policy; null if nothing is.</summary>
    public string? FindFault()
    {
        if (Ratio is { } ratio && !IsWithin(ratio, MostRatio))
            return "ratio must be 0 to 10000; -1 for no limit, null for that of the category.";
        return (SeedMinutes is { } seed && !IsWithin(seed, MostMinutes)) || (IdleMinutes is { } idle && !IsWithin(idle, MostMinutes))
            ? "seedMinutes and idleMinutes must be 0 to 5256000; -1 for no limit, null for those of the category."
            : null;
    }

    public TorrentPolicy ToPolicy() => new() { Keep = Keep, Ratio = Ratio, SeedMinutes = SeedMinutes, IdleMinutes = IdleMinutes, AtLimit = AtLimit };

    public static TorrentPolicyBody Of(TorrentPolicy policy) => new()
    {
        Keep = policy.Keep,
        Ratio = policy.Ratio,
        SeedMinutes = policy.SeedMinutes,
        IdleMinutes = policy.IdleMinutes,
        AtLimit = policy.AtLimit,
    };

    private static bool IsWithin(double value, double most) => value.Equals(TorrentPolicy.Unlimited) || (value >= 0 && value <= most);
}
