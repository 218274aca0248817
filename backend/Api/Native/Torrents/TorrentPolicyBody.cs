using NzbDav.Catalog;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a torrent is kept and seeded where that differs from its category: null is as the category says.</summary>
internal sealed record TorrentPolicyBody
{
    /// <summary>A hundred years of minutes would be no limit; ten are enough for one.</summary>
    private const int MostMinutes = 5_256_000;

    private const double MostRatio = 10_000;

    /// <summary>True: all of it is fetched and kept outside the cache; false: only what is read, in the cache.</summary>
    public bool? Keep { get; init; }

    /// <summary>Bytes sent for each byte fetched, 0 to 10000; -1: no limit.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding, 0 to 5256000; -1: no limit.</summary>
    public int? SeedMinutes { get; init; }

    /// <summary>Minutes in which no peer takes a byte, 0 to 5256000; -1: no limit.</summary>
    public int? IdleMinutes { get; init; }

    /// <summary>What becomes of it when it has been seeded enough.</summary>
    public LimitAction? AtLimit { get; init; }

    /// <summary>What is wrong with it; null if nothing is.</summary>
    public string? FindFault()
    {
        if (Ratio is { } ratio && !IsWithin(ratio, MostRatio))
            return "ratio is 0 to 10000; -1 for no limit, null for that of the category.";
        return (SeedMinutes is { } seed && !IsWithin(seed, MostMinutes)) || (IdleMinutes is { } idle && !IsWithin(idle, MostMinutes))
            ? "seedMinutes and idleMinutes are 0 to 5256000; -1 for no limit, null for those of the category."
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
