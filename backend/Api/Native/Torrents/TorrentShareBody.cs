using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a torrent is kept and seeded: its own policy, then that of its category.</summary>
internal sealed record TorrentShareBody
{
    /// <summary>All of it is downloaded and kept outside the cache.</summary>
    public bool Keep { get; init; }

    /// <summary>Why it is kept.</summary>
    public KeepCause Cause { get; init; }

    /// <summary>The limit of bytes sent per byte downloaded; null: none.</summary>
    public double? Ratio { get; init; }

    /// <summary>The limit of the minutes of seeding; null: none.</summary>
    public double? SeedMinutes { get; init; }

    /// <summary>The limit of the minutes in which nothing is sent to a peer; null: none.</summary>
    public double? IdleMinutes { get; init; }

    /// <summary>If there are limits by both ratio and time: true, both must be reached; false, one is enough.</summary>
    public bool NeedsBoth { get; init; }

    /// <summary>What happens when the limit is reached.</summary>
    public LimitAction AtLimit { get; init; }

    /// <summary>Progress towards the limit by ratio and time, 0 to 1; null: it seeds without limit.</summary>
    public double? Progress { get; init; }

    /// <summary>The settings in which it differs from its category.</summary>
    public TorrentPolicyBody Own { get; init; } = new();

    public static TorrentShareBody Of(TorrentView torrent) => new()
    {
        Keep = torrent.Policy.Keep,
        Cause = torrent.Policy.Cause,
        Ratio = torrent.Policy.Ratio,
        SeedMinutes = torrent.Policy.SeedTime?.TotalMinutes,
        IdleMinutes = torrent.Policy.IdleTime?.TotalMinutes,
        NeedsBoth = torrent.Policy.NeedsBoth,
        AtLimit = torrent.Policy.AtLimit,
        Progress = torrent.Policy.ProgressOf(torrent.Ratio, torrent.Totals),
        Own = TorrentPolicyBody.Of(torrent.Entry.Policy),
    };
}

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

    public TorrentPolicy ToPolicy() =>
        new() { Keep = Keep, Ratio = Ratio, SeedMinutes = SeedMinutes, IdleMinutes = IdleMinutes, AtLimit = AtLimit };

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
