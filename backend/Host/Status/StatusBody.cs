using NzbDav.Api.Native.Jobs;
using NzbDav.Host.Serving;
using NzbDav.Host.Twins;
using NzbDav.Usenet.Disk;

namespace NzbDav.Host.Status;

/// <summary>State of the server.</summary>
internal sealed record StatusBody
{
    /// <summary>The server's version.</summary>
    public string Version { get; init; } = "";

    /// <summary>When the process started.</summary>
    public DateTimeOffset Started { get; init; }

    /// <summary>True for the demo.</summary>
    public bool Demo { get; init; }

    /// <summary>Bytes per second from all providers, over the last second.</summary>
    public double Rate { get; init; }

    /// <summary>Bytes per second from peers, over the last second.</summary>
    public double TorrentRate { get; init; }

    /// <summary>Number of active streams.</summary>
    public int Streams { get; init; }

    /// <summary>Memory.</summary>
    public StatusMemoryBody Memory { get; init; } = new(0, 0, 0, 0);

    /// <summary>The disk with the configuration folder.</summary>
    public StatusDiskBody Disk { get; init; } = new("", 0, 0);

    /// <summary>The articles kept on disk; null: none are.</summary>
    public StatusDiskCacheBody? DiskCache { get; init; }

    /// <summary>Processor time of the process in the last second, as a share of the time of all processors.</summary>
    public double CpuShare { get; init; }

    /// <summary>Number of jobs by state.</summary>
    public JobCountsBody Jobs { get; init; } = new(0, 0, 0, 0, 0, 0);

    /// <summary>The folders that are kept in step with categories.</summary>
    public IReadOnlyList<StatusExportBody> Exports { get; init; } = [];

    /// <summary>The server's own mount; null: it has none.</summary>
    public MountStateBody? Mount { get; init; }

    /// <summary>True if it can do its work.</summary>
    public bool Ready { get; init; }

    /// <summary>Why it cannot; null if it can.</summary>
    public string? Reason { get; init; }
}

/// <summary>Memory, in bytes.</summary>
/// <param name="Process">Memory of the whole process.</param>
/// <param name="Budget">Limit of the buffers for articles.</param>
/// <param name="Used">The part of the budget that is reserved now.</param>
/// <param name="Cache">The part of the reserved memory that only caches articles for a second read.</param>
internal sealed record StatusMemoryBody(long Process, long Budget, long Used, long Cache);

/// <summary>A disk, in bytes.</summary>
/// <param name="Path">The folder on this disk.</param>
/// <param name="Free">Bytes available to this user; 0 if the system does not say.</param>
/// <param name="Total">Total bytes; 0 if the system does not say.</param>
internal sealed record StatusDiskBody(string Path, long Free, long Total);

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
    DiskCacheState State, string? Reason, string Folder, long Limit, long Size, long Articles, long IndexBytes, long Hits, long Misses,
    long BytesRead, long BytesWritten, long BytesEvicted)
{
    /// <summary>Null if the cache is off.</summary>
    public static StatusDiskCacheBody? Of(DiskCacheStatus status) => status.State is DiskCacheState.Off
        ? null
        : new(status.State, status.Reason, status.Folder, status.Limit, status.Size, status.Articles, status.IndexBytes, status.Hits,
            status.Misses, status.BytesRead, status.BytesWritten, status.BytesEvicted);
}

/// <summary>A folder that is kept in step with a category.</summary>
/// <param name="Category">The category.</param>
/// <param name="Folder">The folder on the server's disk.</param>
/// <param name="Kind">What it contains for each file.</param>
/// <param name="Details">True if videos have .nfo files beside them.</param>
/// <param name="State">Its state.</param>
/// <param name="Files">Number of this server's files and links that were correct after the last update; null: not updated since the
/// start.</param>
/// <param name="Reason">What prevents updates, as text; null: nothing.</param>
internal sealed record StatusExportBody(
    string Category, string Folder, TwinKind Kind, bool Details, TwinState State, int? Files, string? Reason)
{
    public static StatusExportBody Of(TwinStatus status) => new(
        status.Options.Category ?? "", status.Options.Folder, status.Options.Links
            ? TwinKind.Symlinks : TwinKind.Strm, status.Options.Details, status.State, status.Files, status.Problem);
}

/// <summary>What a folder contains for each file of its category.</summary>
internal enum TwinKind
{
    /// <summary>A <c>.strm</c> file for each video and each piece of music.</summary>
    Strm,

    /// <summary>A symbolic link for each file.</summary>
    Symlinks,
}
