using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>How torrents are kept and seeded. Immutable.</summary>
public sealed record SeedingOptions
{
    /// <summary>Categories whose torrents are kept whole; <c>*</c>: all. Case does not matter.</summary>
    public IReadOnlyList<string> KeepCategories { get; init; } = [];

    /// <summary>What differs in categories, by their names in any case. It goes before <see cref="KeepCategories"/> and <see cref="Limits"/>.</summary>
    public IReadOnlyDictionary<string, CategoryPolicy> Categories { get; init; } = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase);

    /// <summary>Seeding of all torrents that say nothing else; <see cref="SharePolicy.Keep"/> does not count here.</summary>
    public SharePolicy Limits { get; init; } = new();

    /// <summary>Torrents that are fetched at once; 0: no limit. Those that cannot go on do not count.</summary>
    public int MaxActiveDownloads { get; init; }

    /// <summary>Torrents that are seeded at once; 0: no limit.</summary>
    public int MaxActiveSeeds { get; init; }

    /// <summary>True: a torrent counts as complete once head and tail of its main file are verified and one whole copy was seen in the swarm; false: as soon as it is published.</summary>
    public bool WaitForCopy { get; init; } = true;

    /// <summary>How long a torrent may wait for that before it fails; zero: for ever.</summary>
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
