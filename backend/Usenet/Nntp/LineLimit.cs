namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Speed limit of all providers together. After each receive a connection asks how long to leave its socket alone; TCP then slows the sender. Thread-safe;
/// costs one read of a field while there is no limit.
/// </summary>
internal sealed class LineLimit(TimeProvider time)
{
    /// <summary>Burst allowed after a quiet time, in seconds of the limit.</summary>
    private const double Burst = 0.1;

    /// <summary>Least bytes that a connection asks for at a time, so that a low limit does not cause many tiny reads.</summary>
    private const int LeastRead = 2 << 10;

    private readonly Lock _gate = new();
    private long _limit;
    private long _freeAt;

    /// <summary>Bytes a second; null: none.</summary>
    public long? BytesPerSecond
    {
        get => Interlocked.Read(ref _limit) is > 0 and var limit ? limit : null;
        set => Interlocked.Exchange(ref _limit, value is > 0 ? value.Value : 0);
    }

    /// <summary>Bytes that a connection should receive at once, so that many of them share a low limit evenly.</summary>
    public int ReadSize(int most) => Interlocked.Read(ref _limit) is > 0 and var limit ? (int)Math.Clamp(limit / 64, Math.Min(LeastRead, most), most) : most;

    /// <summary>Takes what was received into account.</summary>
    /// <returns>How long to wait before the next receive.</returns>
    public TimeSpan Received(int bytes)
    {
        var limit = Interlocked.Read(ref _limit);
        if (limit == 0)
            return TimeSpan.Zero;
        var cost = (long)(bytes / (double)limit * time.TimestampFrequency);
        lock (_gate)
        {
            var now = time.GetTimestamp();
            _freeAt = Math.Max(_freeAt, now - (long)(Burst * time.TimestampFrequency)) + cost;
            return _freeAt > now ? time.GetElapsedTime(now, _freeAt) : TimeSpan.Zero;
        }
    }
}
