using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Links;

/// <summary>The state of an unwanted item.</summary>
public enum UnwantedState
{
    /// <summary>Still shown.</summary>
    Shown,

    /// <summary>Not shown; deleted later.</summary>
    Hidden,

    /// <summary>A person chose to keep it.</summary>
    Kept,
}

/// <summary>A file that a library had a link to and no longer has.</summary>
public sealed record UnwantedFile
{
    /// <summary>The file.</summary>
    public required long ItemId { get; init; }

    /// <summary>Its state.</summary>
    public required UnwantedState State { get; init; }

    /// <summary>When the first complete reading found no link to it.</summary>
    public required DateTimeOffset Since { get; init; }

    /// <summary>When it entered its state.</summary>
    public required DateTimeOffset Changed { get; init; }

    /// <summary>The last known link to it.</summary>
    public required string Holder { get; init; }

    /// <summary>True if a person confirmed that it may be deleted.</summary>
    public bool IsAccepted { get; init; }

    /// <summary>The torrent that it is in: 40 lower-case hexadecimal digits. Null: it is from Usenet.</summary>
    public string? InfoHash { get; init; }
}

/// <summary>
/// A job that an *arr gave up on: it deleted the history entry with its files, or the folder in <c>/completed-symlinks</c>.
/// </summary>
/// <param name="ItemId">The job's collection.</param>
/// <param name="JobId">The job, which may no longer be on record; null: unknown.</param>
/// <param name="Name">The collection's name.</param>
/// <param name="Category">The name of the collection that it is in.</param>
/// <param name="Published">When its files were published.</param>
public sealed record AbandonedJob(long ItemId, long? JobId, string Name, string Category, DateTimeOffset Published)
{
    /// <inheritdoc cref="CatalogJob.DownloadId"/>
    public string? DownloadId { get; init; }

    /// <summary>The torrent that its files are in: 40 lower-case hexadecimal digits. Null: they are from Usenet.</summary>
    public string? InfoHash { get; init; }
}
