using NzbDav.Usenet.Disk;

namespace NzbDav.Host.Status;

/// <summary>The articles kept on disk. Counters start with the process.</summary>
/// <param name="State">State of the cache.</param>
/// <param name="Reason">Why it stores nothing new, as text; null: it does, or is off.</param>
/// <param name="Folder">Its folder.</param>
/// <param name="Limit">Limit of its bytes on disk.</param>
/// <param name="Size">Its bytes on disk.</param>
/// <param name="Articles">Number of articles on disk.</param>
/// <param name="IndexBytes">Memory of its index, in bytes.</param>
/// <param name="Hits">Articles read from disk.</param>
/// <param name="Misses">Articles that readers needed and that were not on disk.</param>
/// <param name="BytesRead">Bytes read from disk.</param>
/// <param name="BytesWritten">Bytes written to disk.</param>
/// <param name="BytesEvicted">Bytes deleted to make room.</param>
internal sealed record StatusDiskCacheBody(
    DiskCacheState State, string? Reason, string Folder, long Limit, long Size, long Articles, long IndexBytes, long Hits, long Misses, long BytesRead, long BytesWritten, long BytesEvicted)
{
    /// <summary>Null if the cache is off.</summary>
    public static StatusDiskCacheBody? Of(DiskCacheStatus status) => status.State is DiskCacheState.Off
        ? null
        : new(status.State, status.Reason, status.Folder, status.Limit, status.Size, status.Articles, status.IndexBytes, status.Hits, status.Misses, status.BytesRead, status.BytesWritten, status.BytesEvicted);
}
