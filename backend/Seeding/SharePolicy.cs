using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>How a torrent is kept and seeded: its own policy over that of its category. Immutable.</summary>
public sealed record SharePolicy
{
    /// <summary>All of it is fetched and kept outside the cache.</summary>
    public bool Keep { get; init; }

    /// <summary>Uploaded bytes for each downloaded one after which it has been seeded enough; null: no such limit.</summary>
    public double? Ratio { get; init; }

    /// <summary>Time of seeding after which it has been seeded enough; null: no such limit.</summary>
    public TimeSpan? SeedTime { get; init; }

    /// <summary>Time of seeding in which no peer takes a byte, after which it has been seeded enough; null: no such limit.</summary>
    public TimeSpan? IdleTime { get; init; }

    /// <summary>With both <see cref="Ratio"/> and <see cref="SeedTime"/>: true, both have to be reached; false, either will do.</summary>
    public bool NeedsBoth { get; init; }

    /// <summary>What becomes of it then.</summary>
    public LimitAction AtLimit { get; init; }

    /// <summary>This policy where the torrent has none of its own.</summary>
    public SharePolicy With(TorrentPolicy own)
    {
        ArgumentNullException.ThrowIfNull(own);
        return this with
        {
            Keep = own.Keep ?? Keep,
            Ratio = own.Ratio is { } ratio ? ratio < 0 ? null : ratio : Ratio,
            SeedTime = Minutes(own.SeedMinutes, SeedTime),
            IdleTime = Minutes(own.IdleMinutes, IdleTime),
            AtLimit = own.AtLimit ?? AtLimit,
        };
    }

    /// <summary>It has been seeded enough.</summary>
    /// <param name="ratio">Uploaded bytes for each downloaded one.</param>
    /// <param name="totals">What it moved.</param>
    public bool IsReached(double ratio, TorrentTotals totals)
    {
        // As clients do, a thousandth less is enough: 1.9996 is shown as 2.
        var byRatio = Ratio is { } limit && ratio >= limit - 0.001;
        var byTime = SeedTime is { } time && totals.Seeding >= time;
        if (IdleTime is { } idle && totals.Idle >= idle)
            return true;
        return NeedsBoth && Ratio is not null && SeedTime is not null ? byRatio && byTime : byRatio || byTime;
    }

    /// <summary>How far it is until it has been seeded enough, 0 … 1; null: it is seeded for ever. Time without anybody who takes a byte does not count here.</summary>
    /// <param name="ratio">Uploaded bytes for each downloaded one.</param>
    /// <param name="totals">What it moved.</param>
    public double? ShareOf(double ratio, TorrentTotals totals)
    {
        var byRatio = Ratio is { } limit ? limit > 0 ? Math.Min(1, ratio / limit) : 1 : (double?)null;
        var byTime = SeedTime is { } time ? time > TimeSpan.Zero ? Math.Min(1, totals.Seeding / time) : 1 : (double?)null;
        if (byRatio is null || byTime is null)
            return byRatio ?? byTime;
        return NeedsBoth ? Math.Min(byRatio.Value, byTime.Value) : Math.Max(byRatio.Value, byTime.Value);
    }

    private static TimeSpan? Minutes(int? own, TimeSpan? category) => own is not { } minutes ? category : minutes < 0 ? null : TimeSpan.FromMinutes(minutes);
}
