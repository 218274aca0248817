using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>A lane for the cache, and one for each other disk that kept torrents are on. Thread-safe.</summary>
/// <param name="budget">Budget of the pieces' buffers.</param>
/// <param name="folder">The cache folder; null = none.</param>
/// <param name="diskOf">The disk that a folder is on; null: asks the system.</param>
internal sealed class WriteLanes(BufferBudget budget, string? folder, Func<string, string>? diskOf) : IDisposable
{
    private readonly ConcurrentDictionary<string, WriteLane> _disks = [];
    private readonly Lock _gate = new();
    private string? _cacheDisk;

    /// <summary>The lane of the cache.</summary>
    public WriteLane Cache { get; } = new();

    /// <summary>All lanes.</summary>
    public IEnumerable<WriteLane> All => _disks.Values.Prepend(Cache);

    /// <summary>The lane of a torrent's kept files, or that of the cache if it has none.</summary>
    public WriteLane Of(TorrentPieces pieces)
    {
        if (pieces.Kept is not { } kept)
            return Cache;
        if (pieces.Lane is { } known && known.Of == kept)
            return known.Lane;
        var disk = (diskOf ?? DiskOf)(kept.Folder);
        lock (_gate)
        {
            _cacheDisk ??= folder is null ? "" : (diskOf ?? DiskOf)(folder);
            var lane = disk == _cacheDisk ? Cache : _disks.GetOrAdd(disk, static _ => new WriteLane());
            pieces.Lane = (kept, lane);
            return lane;
        }
    }

    /// <summary>
    /// True if so much waits to be written to a torrent's disk (three quarters of the budget) that nothing more may be fetched for it in
    /// the background: torrents on other disks would be left without memory. False while no disk but the cache's is in use.
    /// </summary>
    public bool IsFull(TorrentPieces pieces) => !_disks.IsEmpty && Of(pieces).Waiting > budget.Limit / 4 * 3;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var lane in All)
            lane.Dispose();
    }

    /// <summary>Where the folder's file system is mounted. Only compares names: asking a disk could hang.</summary>
    private static string DiskOf(string folder)
    {
        var path = Path.GetFullPath(folder);
        var longest = Path.GetPathRoot(path) ?? "";
        foreach (var drive in DriveInfo.GetDrives())
        {
            var root = Path.EndsInDirectorySeparator(drive.Name) ? drive.Name : drive.Name + Path.DirectorySeparatorChar;
            if (root.Length > longest.Length && path.StartsWith(root, StringComparison.Ordinal))
                longest = root;
        }

        return longest;
    }
}

/// <summary>
/// The threads that write to one disk. Each disk has its own, so that one that hangs does not delay the others. Thread-safe.
/// </summary>
internal sealed class WriteLane : IDisposable
{
    /// <summary>Two threads: one writes pieces while the other waits for a sync.</summary>
    private readonly BackgroundWorkers _workers = new(2, "torrent-writer");
    private long _waiting;
    private bool _isCheckpointing;

    /// <summary>Bytes of pieces that wait to be written.</summary>
    public long Waiting => Interlocked.Read(ref _waiting);

    /// <summary>Queues a job.</summary>
    public void Add(BackgroundJob job) => _workers.Add(job);

    /// <summary>Adds the bytes of a piece that begins to wait to be written; negative when it no longer waits.</summary>
    public void Count(long bytes) => Interlocked.Add(ref _waiting, bytes);

    /// <summary>Begins a checkpoint. False if one is in progress: on a slow disk a sync takes longer than the interval.</summary>
    public bool TryBeginCheckpoint() => !Interlocked.Exchange(ref _isCheckpointing, true);

    /// <summary>Call when the checkpoint has ended.</summary>
    public void EndCheckpoint() => Interlocked.Exchange(ref _isCheckpointing, false);

    /// <summary>Completes all queued jobs.</summary>
    public void Dispose() => _workers.Dispose();
}
