using NzbDav.Content;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Decides which verified pieces are written to disk. Keeping is worth less than reading: a piece is left out while the disk lags behind, and where it would leave the disk again at once.
/// Thread-safe.
/// </summary>
/// <param name="budget">Of the buffers that pieces are in.</param>
/// <param name="time">Measures how fast the disk's share is filled.</param>
internal sealed class WriteAdmission(BufferBudget budget, TimeProvider time)
{
    /// <summary>
    /// Pieces that wait to be written take at most this part of the memory. Their buffers cannot be reclaimed: without a bound a slow disk would set the readers' pace, or memory outgrow its budget.
    /// </summary>
    private const int MemoryShare = 4;

    /// <summary>
    /// The whole of the disk's share is not written more often than this. Whoever reads faster copies a file, and does not come back to what has just passed.
    /// At 1 GiB that is more than 107 MB/s for long, where writing and evicting took a quarter of the CPU.
    /// </summary>
    public static readonly TimeSpan LeastStay = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private long _waiting;
    private double _recent;
    private long _recentAt;

    /// <summary>Bytes of buffers that wait to be written.</summary>
    public long Waiting
    {
        get
        {
            lock (_gate)
                return _waiting;
        }
    }

    /// <summary>True if a piece is to be written; <see cref="Leave"/> follows when it was.</summary>
    /// <param name="bytes">Of its buffer.</param>
    /// <param name="diskLimit">Bytes that may be on disk.</param>
    /// <param name="mustKeep">It is written whatever that costs.</param>
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

    /// <summary>A piece was written, or could not be.</summary>
    public void Leave(int bytes)
    {
        lock (_gate)
            _waiting -= bytes;
    }
}
