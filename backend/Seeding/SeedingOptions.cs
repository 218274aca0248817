using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>How torrents are kept and seeded. Immutable.</summary>
public sealed record SeedingOptions
{
    /// <summary>Categories whose torrents are kept whole; <c>*</c>: all. Case does not matter.</summary>
    public IReadOnlyList<string> KeepCategories { get; init; } = [];

    /// <summary>Exceptions by category, names in any case. They take precedence over <see cref="KeepCategories"/> and <see cref="Limits"/>.</summary>
    public IReadOnlyDictionary<string, CategoryPolicy> Categories { get; init; } = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase);

    /// <summary>Seeding limits of all torrents without their own; <see cref="SharePolicy.Keep"/> is ignored here.</summary>
    public SharePolicy Limits { get; init; } = new();

    /// <summary>Most torrents fetched at once; 0: no limit. Those that cannot continue do not count.</summary>
    public int MaxActiveDownloads { get; init; }

    /// <summary>Most torrents seeded at once; 0: no limit.</summary>
    public int MaxActiveSeeds { get; init; }

    /// <summary>True: a torrent counts as complete once head and tail of its main file are verified and one whole copy was seen in the swarm; false: as soon as it is published.</summary>
    public bool WaitForCopy { get; init; } = true;

    /// <summary>How long a torrent may wait for these conditions before it fails; zero: forever.</summary>
    public TimeSpan CopyPatience { get; init; } = TimeSpan.FromHours(6);

    /// <summary>The policy of a category.</summary>
    public SharePolicy PolicyOf(string category)
    {
        var common = Limits with { Keep = KeepCategories.Any(name => name == "*" || name.Equals(category, StringComparison.OrdinalIgnoreCase)) };
        return Categories.GetValueOrDefault(category) is { } own ? common.With(own.Policy) with { NeedsBoth = own.NeedsBoth ?? common.NeedsBoth } : common;
    }

    /// <summary>The policy of a torrent.</summary>
    public SharePolicy PolicyOf(TorrentEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        return PolicyOf(entry.Category).With(entry.Policy);
    }
}
