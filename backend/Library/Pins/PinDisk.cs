namespace NzbDav.Library.Pins;

/// <summary>
/// Accesses the disk on its own threads, so that a disk that sleeps or hangs delays no reader. A read that takes longer than
/// <see cref="DiskTimeout"/> is abandoned, and while the disk hangs it gets no new reads. Thread-safe.
/// </summary>
internal sealed class PinDisk : IDisposable
{
    /// <summary>
    /// Longest wait for a read, the same as for the article cache: a sleeping disk takes ten seconds to spin up, a busy one answers within
    /// a tenth of a second.
    /// </summary>
    public static readonly TimeSpan DiskTimeout = TimeSpan.FromMilliseconds(400);

    /// <summary>Enough for the starts of several films at once; a block of 64 KiB takes an SSD less than a millisecond.</summary>
    private const int Threads = 2;

    /// <summary>Most waiting reads. Further ones would wait longer than for a provider.</summary>
    private const int MostWaiting = 64;

    /// <summary>See <see cref="DiskTimeout"/>. Longer in tests that must not depend on the machine's speed.</summary>
    internal TimeSpan ReadTimeout { get; set; } = DiskTimeout;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Queue<Read> _reads = new();
    private readonly Queue<Action> _background = new();

    /// <summary>Reads with a waiting caller, oldest first.</summary>
    private readonly List<Read> _waiting = [];

    /// <summary>For each thread, when its read was requested or its other work began; null: it is idle.</summary>
    private readonly long?[] _since = new long?[Threads];
    private readonly SemaphoreSlim _ready = new(0);
    private readonly ITimer _watch;
    private bool _hasStarted;
    private bool _disposed;

    /// <param name="time">Clock.</param>
    public PinDisk(TimeProvider time)
    {
        _time = time;
        _watch = time.CreateTimer(static self => ((PinDisk)self!).FailLate(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Called before each work item, on its thread. Tests block in it.</summary>
    internal Action? Before { get; set; }

    /// <summary>True when no work is queued or running.</summary>
    internal bool IsIdle
    {
        get
        {
            lock (_gate)
                return _reads.Count + _background.Count == 0 && Array.TrueForAll(_since, static since => since is null);
        }
    }

    /// <summary>Reads from the disk.</summary>
    /// <param name="read">Does the read; returns null if it is impossible.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>Null also when the disk does not answer in time; the result of <paramref name="read"/> is then discarded.</returns>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(Func<ReadOnlyMemory<byte>?> read, CancellationToken cancellationToken)
    {
        var work = new Read(read, _time.GetTimestamp());
        lock (_gate)
        {
            if (_disposed || _waiting.Count >= MostWaiting || Array.Exists(_since, since => since is { } begun && IsLate(begun)))
                return null;
            _reads.Enqueue(work);
            _waiting.Add(work);
            if (_waiting.Count == 1)
                _watch.Change(ReadTimeout, Timeout.InfiniteTimeSpan);
            WakeLocked();
        }

        await using (cancellationToken.UnsafeRegister(static (state, token) => ((Read)state!).Done.TrySetCanceled(token), work))
        {
            try
            {
                return await work.Done.Task;
            }
            finally
            {
                lock (_gate)
                    RemoveWaitingLocked(work);
            }
        }
    }

    /// <summary>Queues other work, which is done when no reads wait.</summary>
    /// <param name="run">The work. Must handle errors of the file system.</param>
    public void Post(Action run)
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _background.Enqueue(run);
            WakeLocked();
        }
    }

    public void Dispose()
    {
        lock (_gate)
            _disposed = true;
        _watch.Dispose();
        _ready.Release(Threads);
    }

    private bool IsLate(long begun) => _time.GetElapsedTime(begun) >= ReadTimeout;

    private void WakeLocked()
    {
        _ready.Release();
        if (_hasStarted)
            return;
        _hasStarted = true;
        for (var i = 0; i < Threads; i++)
        {
            var number = i;
            new Thread(() => Run(number)) { IsBackground = true, Name = "file starts" }.Start();
        }
    }

    private void RemoveWaitingLocked(Read read)
    {
        if (_waiting.Remove(read))
            ArmLocked();
    }

    private void ArmLocked()
    {
        if (_disposed)
            return;
        var next = _waiting.Count > 0 ? ReadTimeout - _time.GetElapsedTime(_waiting[0].RequestedAt) : Timeout.InfiniteTimeSpan;
        _watch.Change(next > TimeSpan.Zero || next == Timeout.InfiniteTimeSpan ? next : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    private void FailLate()
    {
        List<Read> late;
        lock (_gate)
        {
            late = _waiting.FindAll(read => IsLate(read.RequestedAt));
            _waiting.RemoveAll(late.Contains);
            ArmLocked();
        }

        foreach (var read in late)
            read.Done.TrySetResult(null);
    }

    private void Run(int thread)
    {
        while (true)
        {
            _ready.Wait();
            Read? read;
            Action? other = null;
            lock (_gate)
            {
                if (!_reads.TryDequeue(out read) && !_background.TryDequeue(out other))
                {
                    if (_disposed)
                        return;
                    continue;
                }

                if (read?.Done.Task.IsCompleted == true)
                    continue;
                _since[thread] = read?.RequestedAt ?? _time.GetTimestamp();
            }

            try
            {
                Before?.Invoke();
                if (read is null)
                    other!();
                else
                    End(thread, read, read.Run());
            }
            catch (Exception e)
            {
                // A bug costs one read, never the process.
                read?.Done.TrySetException(e);
            }

            lock (_gate)
                _since[thread] = null;
        }
    }

    /// <summary>
    /// Completes a read. The thread is marked idle and the timer disarmed first, so that a reader that continues sees both.
    /// </summary>
    private void End(int thread, Read read, ReadOnlyMemory<byte>? bytes)
    {
        lock (_gate)
        {
            _since[thread] = null;
            RemoveWaitingLocked(read);
        }

        read.Done.TrySetResult(bytes);
    }

    private sealed class Read(Func<ReadOnlyMemory<byte>?> run, long begun)
    {
        public TaskCompletionSource<ReadOnlyMemory<byte>?> Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>When it was requested.</summary>
        public long RequestedAt => begun;

        public ReadOnlyMemory<byte>? Run() => run();
    }
}
