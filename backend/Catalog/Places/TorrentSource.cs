using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Places;

/// <summary>Where a torrent that the user has comes from, and where it was published.</summary>
public sealed record TorrentSource
{
    /// <summary>40 lower-case hexadecimal digits.</summary>
    public required string InfoHash { get; init; }

    /// <summary>Its .torrent; null for a magnet link that is not described yet.</summary>
    public BlobHash? Metainfo { get; init; }

    /// <summary>The magnet link as text, where that is all there is.</summary>
    public BlobHash? Magnet { get; init; }

    /// <summary>The job that brought it, while that is remembered.</summary>
    public long? JobId { get; init; }

    /// <summary>How that job stands; null: it is forgotten.</summary>
    public JobState? Job { get; init; }

    /// <summary>What the job is called; null: it is forgotten.</summary>
    public string? JobName { get; init; }

    /// <summary>The code of <see cref="Failure"/>; null when nothing is wrong.</summary>
    public string? FailureCode { get; init; }

    /// <summary>Why the job failed, or what it waits for; null when nothing is wrong.</summary>
    public string? Failure { get; init; }

    /// <summary>The collection that it was published as, or its first file; null: not published.</summary>
    public long? ItemId { get; init; }

    /// <summary>Bytes of its files in the tree.</summary>
    public long Size { get; init; }
}
