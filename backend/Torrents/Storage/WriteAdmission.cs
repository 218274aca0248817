using NzbDav.Content;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Decides which verified pieces are written to disk. Reading has priority over storing: a piece is skipped while the disk lags behind, or
/// if it would soon be evicted again. Not a token bucket: it counts what was written, because each piece has its own limit (that of watched
/// pieces is larger). Thread-safe.
/// </summary>
/// <param name="budget">Budget of the pieces' buffers.</param>
/// <param name="time">Measures how fast the disk limit is filled.</param>
internal sealed class WriteAdmission(BufferBudget budget, TimeProvider time)
{
    /// <summary>
    /// Pieces waiting to be written may occupy this fraction of the memory (a quarter). Their buffers cannot be reclaimed: without a limit
    /// a slow disk would set the readers' pace, or memory would exceed its budget.
    /// </summary>
    private const int MemoryShare = 4;

    /// <summary>
    /// Shortest time in which the whole disk limit may be written. A faster reader copies a file and does not return to earlier parts. At a
    /// limit of 1 GiB this means a sustained rate above 107 MB/s, at which writing and evicting took a quarter of the CPU.
    /// </summary>
    public static readonly TimeSpan LeastStay = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private long _waiting;
    private double _recent;
    private long _recentAt;

    /// <summary>Bytes of buffers waiting to be written.</summary>
    public long Waiting
    {
        get
        {
            lock (_gate)
                return _waiting;
        }
    }

    /// <summary>Decides whether a piece is written. If true, call <see cref="Release"/> afterwards.</summary>
    /// <param name="bytes">Capacity of its buffer.</param>
    /// <param name="diskLimit">Bytes that may be on disk.</param>
    /// <param name="mustKeep">True: the piece is written in any case.</param>
    public bool TryEnter(int bytes, long diskLimit, bool mustKeep)
    {
        lock (_gate)
        {
            var now = time.GetTimestamp();
            _recent = Math.Max(0, _recent - (time.GetElapsedTime(_recentAt, now) / LeastStay * diskLimit));
            _recentAt = now;
            if (!mustKeep && (_recent + bytes > diskLimit || (_waiting > 0 && _waiting + bytes > budget.Limit / MemoryShare)))
                return false;
            _recent += bytes;
            _waiting += bytes;
            return true;
        }
    }

    /// <summary>Call when a piece has been written, or writing it has failed.</summary>
    public void Release(int bytes)
    {
        lock (_gate)
            _waiting -= bytes;
    }
}
