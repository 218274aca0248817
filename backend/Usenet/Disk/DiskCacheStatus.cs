namespace NzbDav.Usenet.Disk;

/// <summary>The state of the disk cache. Counters begin with the process.</summary>
public sealed record DiskCacheStatus
{
    /// <summary>What the cache does at present.</summary>
    public required DiskCacheState State { get; init; }

    /// <summary>
    /// Why <see cref="State"/> is <see cref="DiskCacheState.NoRoom"/> or <see cref="DiskCacheState.Failing"/>; else null.
    /// </summary>
    public required string? Reason { get; init; }

    /// <summary>The folder; empty when off.</summary>
    public required string Folder { get; init; }

    /// <summary>Most bytes on the disk.</summary>
    public required long Limit { get; init; }

    /// <summary>Bytes on the disk.</summary>
    public required long Size { get; init; }

    /// <summary>Articles on the disk.</summary>
    public required long Articles { get; init; }

    /// <summary>Bytes of memory that the index takes.</summary>
    public required long IndexBytes { get; init; }

    /// <summary>Articles that readers got from the disk.</summary>
    public required long Hits { get; init; }

    /// <summary>Articles that readers asked for and the disk did not have.</summary>
    public required long Misses { get; init; }

    /// <summary>Bytes that readers got from the disk.</summary>
    public required long BytesRead { get; init; }

    /// <summary>Bytes written, padding included.</summary>
    public required long BytesWritten { get; init; }

    /// <summary>Bytes deleted to make room.</summary>
    public required long BytesEvicted { get; init; }

    /// <summary>Articles that were not kept because the disk was slower than the line.</summary>
    public required long Dropped { get; init; }

    /// <summary>Articles on the disk that turned out to be damaged and were fetched from a provider.</summary>
    public required long Damaged { get; init; }

    /// <summary>Articles that a provider was asked for because the disk took too long.</summary>
    public required long Late { get; init; }
}

/// <summary>State of the disk cache.</summary>
public enum DiskCacheState
{
    /// <summary>It keeps nothing, as configured.</summary>
    Off,

    /// <summary>It loads what an earlier process left; articles come from the providers meanwhile.</summary>
    Loading,

    /// <summary>It serves and takes articles.</summary>
    On,

    /// <summary>
    /// The disk is full: the cache has evicted files and takes nothing new. It serves the rest and tries again after a minute.
    /// </summary>
    NoRoom,

    /// <summary>The folder cannot be used: nothing is taken. It tries again after five minutes.</summary>
    Failing,
}
