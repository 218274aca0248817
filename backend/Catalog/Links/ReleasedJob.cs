using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Links;

/// <summary>A job that an *arr gave up: it deleted the history entry with its files, or the folder in <c>/completed-symlinks</c>.</summary>
/// <param name="ItemId">The job's collection.</param>
/// <param name="JobId">The job, which may be forgotten; null: not known.</param>
/// <param name="Name">The collection's name.</param>
/// <param name="Category">The name of the collection that it is in.</param>
/// <param name="Published">When its files were made.</param>
public sealed record ReleasedJob(long ItemId, long? JobId, string Name, string Category, DateTimeOffset Published)
{
    /// <inheritdoc cref="CatalogJob.DownloadId"/>
    public string? DownloadId { get; init; }

    /// <summary>The torrent that its files are in: 40 lower-case hexadecimal digits. Null: it is a post.</summary>
    public string? InfoHash { get; init; }
}
