using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>How torrents are kept and seeded. Immutable.</summary>
public sealed record SeedingOptions
{
    /// <summary>Categories whose torrents are kept whole; <c>*</c> stands for all. Case does not matter.</summary>
    public IReadOnlyList<string> KeepCategories { get; init; } = [];

    /// <summary>
    /// Exceptions by category; the case of names does not matter. They take precedence over <see cref="KeepCategories"/> and
    /// <see cref="Limits"/>.
    /// </summary>
    public IReadOnlyDictionary<string, CategoryPolicy> Categories { get; init; } = new Dictionary<string, CategoryPolicy>(
        StringComparer.OrdinalIgnoreCase);

    /// <summary>Seeding limits of all torrents without limits of their own; <see cref="SharePolicy.Keep"/> is ignored here.</summary>
    public SharePolicy Limits { get; init; } = new();

    /// <summary>Most torrents fetched at the same time; 0: no limit. One without transfers for a minute does not count.</summary>
    public int MaxActiveDownloads { get; init; }

    /// <summary>Most torrents seeded at the same time; 0: no limit. One without transfers for a minute does not count.</summary>
    public int MaxActiveSeeds { get; init; }

    /// <summary>
    /// True: a torrent counts as complete once head and tail of its main file are verified and one whole copy was seen in the swarm. False:
    /// it counts as complete as soon as it is published.
    /// </summary>
    public bool WaitForCopy { get; init; } = true;

    /// <summary>
    /// True: private torrents are kept, unless they or their category say otherwise. Trackers punish leaving with only part of a torrent.
    /// </summary>
    public bool KeepPrivate { get; init; } = true;

    /// <summary>
    /// Bytes that stay free on the disk of kept torrents. A torrent that needs more than the rest is not started, and is only streamed
    /// until there is room. The default is 2 GiB, because the catalog, its backups and the piece cache (1 GiB) are on the same disk unless
    /// the user sets another.
    /// </summary>
    public long KeepFree { get; init; } = 2L << 30;

    /// <summary>How long a torrent may wait for the conditions of <see cref="WaitForCopy"/> before it fails; zero: forever.</summary>
    public TimeSpan CopyTimeout { get; init; } = TimeSpan.FromHours(6);

    /// <summary>The policy of a category.</summary>
    public SharePolicy PolicyOf(string category)
    {
        var keeps = KeepCategories.Any(name => name == "*" || name.Equals(category, StringComparison.OrdinalIgnoreCase));
        var common = Limits with { Cause = keeps ? KeepCause.Category : KeepCause.None };
        return Categories.GetValueOrDefault(category) is { } own
            ? common.With(own.Policy, KeepCause.Category) with { NeedsBoth = own.NeedsBoth ?? common.NeedsBoth }
            : common;
    }

    /// <summary>
    /// The policy of a torrent. Whether it is kept is decided by the first of these that applies: the torrent itself; the exception of its
    /// category; <see cref="KeepCategories"/>; seeding limits of its own, which it could not reach otherwise; <see cref="KeepPrivate"/>.
    /// </summary>
    /// <param name="entry">The torrent.</param>
    /// <param name="isPrivate">True if peers come from its tracker only (BEP 27).</param>
    public SharePolicy PolicyOf(TorrentEntry entry, bool isPrivate)
    {
        ArgumentNullException.ThrowIfNull(entry);
        var policy = PolicyOf(entry.Category).With(entry.Policy, KeepCause.Torrent);
        var ofCategory = Categories.GetValueOrDefault(entry.Category)?.Policy.Keep;
        var isDecided = policy.Keep || entry.Policy.Keep is not null || ofCategory is not null;
        return isDecided ? policy
            : IsToSeed(entry.Policy) ? policy with { Cause = KeepCause.Limits }
            : isPrivate && KeepPrivate ? policy with { Cause = KeepCause.Private }
            : policy;
    }

    /// <inheritdoc cref="PolicyOf(TorrentEntry, bool)"/>
    internal SharePolicy PolicyOf(ShelfSlot slot) => PolicyOf(slot.Entry, slot.Facts is { IsPrivate: true });

    /// <summary>
    /// True if the torrent was added with seeding limits of its own, or to be seeded forever. Limits of 0 do not count: they are reached at
    /// once.
    /// </summary>
    private static bool IsToSeed(TorrentPolicy own) =>
        own.Ratio is not (null or 0) || own.SeedMinutes is not (null or 0) || own.IdleMinutes is not (null or 0);
}
