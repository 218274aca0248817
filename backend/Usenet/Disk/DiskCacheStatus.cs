namespace NzbDav.Usenet.Disk;

/// <summary>The state of the disk cache. Counters begin with the process.</summary>
public sealed record DiskCacheStatus
{
    /// <summary>What the cache is doing.</summary>
    public required DiskCacheState State { get; init; }

    /// <summary>
    /// Why <see cref="State"/> is <see cref="DiskCacheState.NoRoom"/> or <see cref="DiskCacheState.Failing"/>; else null.
    /// </summary>
    public required string? Reason { get; init; }

    /// <summary>The folder; empty when off.</summary>
    public required string Folder { get; init; }

    /// <summary>Size limit in bytes.</summary>
    public required long Limit { get; init; }

    /// <summary>Bytes on the disk.</summary>
    public required long Size { get; init; }

    /// <summary>Articles on the disk.</summary>
    public required long Articles { get; init; }

    /// <summary>Memory of the index in bytes.</summary>
    public required long IndexBytes { get; init; }

    /// <summary>Articles read from the disk.</summary>
    public required long Hits { get; init; }

    /// <summary>Articles requested by readers that were not on the disk.</summary>
    public required long Misses { get; init; }

    /// <summary>Bytes of articles read from the disk.</summary>
    public required long BytesRead { get; init; }

    /// <summary>Bytes written, padding included.</summary>
    public required long BytesWritten { get; init; }

    /// <summary>Bytes deleted to make room.</summary>
    public required long BytesEvicted { get; init; }

    /// <summary>Articles not stored because the disk was slower than the line.</summary>
    public required long Dropped { get; init; }

    /// <summary>Articles found damaged on the disk and fetched from a provider instead.</summary>
    public required long Damaged { get; init; }

    /// <summary>Articles requested from a provider because the disk took too long.</summary>
    public required long Late { get; init; }
}

/// <summary>State of the disk cache.</summary>
public enum DiskCacheState
{
    /// <summary>It is turned off.</summary>
    Off,

    /// <summary>It loads the files of an earlier process. Meanwhile articles come from the providers.</summary>
    Loading,

    /// <summary>It serves and stores articles.</summary>
    On,

    /// <summary>
    /// The disk is full: the cache has evicted files and stores no new articles. It serves the others and tries again after a minute.
    /// </summary>
    NoRoom,

    /// <summary>The folder cannot be used: no articles are stored. It tries again after five minutes.</summary>
    Failing,
}
