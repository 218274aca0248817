using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>Why a torrent is kept whole.</summary>
public enum KeepCause
{
    /// <summary>It is not kept, only streamed.</summary>
    None,

    /// <summary>Its category is kept.</summary>
    Category,

    /// <summary>The user chose to keep this torrent.</summary>
    Torrent,

    /// <summary>It has seeding limits of its own, which it can reach only by seeding.</summary>
    Limits,

    /// <summary>It is private.</summary>
    Private,
}

/// <summary>How a torrent is kept and seeded: its own policy overrides that of its category. Immutable.</summary>
public sealed record SharePolicy
{
    /// <summary>True if the whole torrent is fetched and kept outside the cache.</summary>
    public bool Keep => Cause != KeepCause.None;

    /// <summary>Why it is kept.</summary>
    public KeepCause Cause { get; init; }

    /// <summary>Share ratio (uploaded divided by downloaded bytes) at which seeding ends; null: no such limit.</summary>
    public double? Ratio { get; init; }

    /// <summary>Seeding time after which seeding ends; null: no such limit.</summary>
    public TimeSpan? SeedTime { get; init; }

    /// <summary>Seeding time without any upload after which seeding ends; null: no such limit.</summary>
    public TimeSpan? IdleTime { get; init; }

    /// <summary>
    /// If both <see cref="Ratio"/> and <see cref="SeedTime"/> are set: true if both must be reached, false if either is enough.
    /// </summary>
    public bool NeedsBoth { get; init; }

    /// <summary>The action when the limits are reached.</summary>
    public LimitAction AtLimit { get; init; }

    /// <summary>Returns this policy, overridden by the values that a torrent or category sets itself.</summary>
    /// <param name="own">The values; null ones change nothing.</param>
    /// <param name="cause">The cause if the values say that the torrent is kept.</param>
    public SharePolicy With(TorrentPolicy own, KeepCause cause)
    {
        ArgumentNullException.ThrowIfNull(own);
        return this with
        {
            Cause = own.Keep is { } keep ? keep ? cause : KeepCause.None : Cause,
            Ratio = own.Ratio is { } ratio ? ratio < 0 ? null : ratio : Ratio,
            SeedTime = Minutes(own.SeedMinutes, SeedTime),
            IdleTime = Minutes(own.IdleMinutes, IdleTime),
            AtLimit = own.AtLimit ?? AtLimit,
        };
    }

    /// <summary>True if seeding has reached its limits.</summary>
    /// <param name="ratio">Uploaded divided by downloaded bytes.</param>
    /// <param name="totals">Its transfers.</param>
    public bool IsReached(double ratio, TorrentTotals totals)
    {
        // Like other clients, accept a ratio up to a thousandth below the limit: 1.9996 is displayed as 2.
        var byRatio = Ratio is { } limit && ratio >= limit - 0.001;
        var byTime = SeedTime is { } time && totals.Seeding >= time;
        if (IdleTime is { } idle && totals.Idle >= idle)
            return true;
        return NeedsBoth && Ratio is not null && SeedTime is not null ? byRatio && byTime : byRatio || byTime;
    }

    /// <summary>Progress towards the seeding limits, 0 … 1; null: it is seeded forever. Idle time is not considered.</summary>
    /// <param name="ratio">Uploaded divided by downloaded bytes.</param>
    /// <param name="totals">Its transfers.</param>
    public double? ProgressOf(double ratio, TorrentTotals totals)
    {
        var byRatio = Ratio is { } limit ? limit > 0 ? Math.Min(1, ratio / limit) : 1 : (double?)null;
        var byTime = SeedTime is { } time ? time > TimeSpan.Zero ? Math.Min(1, totals.Seeding / time) : 1 : (double?)null;
        if (byRatio is null || byTime is null)
            return byRatio ?? byTime;
        return NeedsBoth ? Math.Min(byRatio.Value, byTime.Value) : Math.Max(byRatio.Value, byTime.Value);
    }

    private static TimeSpan? Minutes(int? own, TimeSpan? category) =>
        own is not { } minutes ? category : minutes < 0 ? null : TimeSpan.FromMinutes(minutes);
}
