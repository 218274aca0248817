using NzbDav.Usenet.Disk;

namespace NzbDav.Host.Status;

/// <summary>The articles that are kept on the disk. Counters begin with the process.</summary>
/// <param name="State">What the cache does.</param>
/// <param name="Reason">Why it takes nothing new, in words; null: it does, or is off.</param>
/// <param name="Folder">Where it is.</param>
/// <param name="Limit">Most bytes on the disk.</param>
/// <param name="Size">Bytes on the disk.</param>
/// <param name="Articles">Articles on the disk.</param>
/// <param name="IndexBytes">Memory of the index.</param>
/// <param name="Hits">Articles that readers got from the disk.</param>
/// <param name="Misses">Articles that readers asked for and the disk did not have.</param>
/// <param name="BytesRead">Bytes that readers got from the disk.</param>
/// <param name="BytesWritten">Bytes written to the disk.</param>
/// <param name="BytesEvicted">Bytes deleted to make room.</param>
internal sealed record StatusDiskCacheBody(
    DiskCacheState State, string? Reason, string Folder, long Limit, long Size, long Articles, long IndexBytes, long Hits, long Misses, long BytesRead, long BytesWritten, long BytesEvicted)
{
    /// <summary>Null while nothing is kept.</summary>
    public static StatusDiskCacheBody? Of(DiskCacheStatus status) => status.State is DiskCacheState.Off
        ? null
        : new(status.State, status.Reason, status.Folder, status.Limit, status.Size, status.Articles, status.IndexBytes, status.Hits, status.Misses, status.BytesRead, status.BytesWritten, status.BytesEvicted);
}
