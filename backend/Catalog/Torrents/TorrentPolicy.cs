namespace NzbDav.Catalog.Torrents;

/// <summary>How a torrent is kept and seeded where that differs from its category: null is as the category says.</summary>
public sealed record TorrentPolicy
{
    /// <summary>For <see cref="Ratio"/>, <see cref="SeedMinutes"/> and <see cref="IdleMinutes"/>: no limit, whatever the category says.</summary>
    public const int Unlimited = -1;

    /// <summary>True: all of it is fetched and kept outside the cache; false: only what is read, in the bounded cache.</summary>
    public bool? Keep { get; init; }

    /// <summary>Uploaded bytes for each byte of its size, 0 or more; or <see cref="Unlimited"/>.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? SeedMinutes { get; init; }

    /// <summary>Minutes of seeding in which no peer takes a byte, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? IdleMinutes { get; init; }

    /// <summary>What becomes of it at its limit.</summary>
    public LimitAction? AtLimit { get; init; }
}
