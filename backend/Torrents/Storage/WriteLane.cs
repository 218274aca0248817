using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>The threads that write to one disk, so that one that hangs keeps only its own waiting. Thread-safe.</summary>
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

    /// <summary>A piece begins to wait to be written, or no longer does: then the bytes are negative.</summary>
    public void Count(long bytes) => Interlocked.Add(ref _waiting, bytes);

    /// <summary>False if a checkpoint is in progress: on a slow disk a sync takes longer than the interval.</summary>
    public bool TryBeginCheckpoint() => !Interlocked.Exchange(ref _isCheckpointing, true);

    /// <summary>A checkpoint has ended.</summary>
    public void EndCheckpoint() => Interlocked.Exchange(ref _isCheckpointing, false);

    /// <summary>Completes all queued jobs.</summary>
    public void Dispose() => _workers.Dispose();
}
