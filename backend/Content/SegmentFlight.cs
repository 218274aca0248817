namespace NzbDav.Content;

/// <summary>
/// One segment on its way from a source, or already complete, shared by all readers that want it. Its bytes can be lent while they arrive.
/// Held through the cache; filled by a fetcher. Thread-safe.
/// </summary>
/// <remarks>
/// Three locks guard three parts. The flight's own lock guards its bytes (<see cref="ArrivingBytes"/>) and its outcome; the cache's lock
/// guards its place there (<see cref="CacheEntry{T}"/>) and <see cref="Priority"/>; the fetcher's lock guards what the fetcher stores in it
/// (<see cref="FetcherState"/>, <see cref="Sent"/>). The cache takes either of the others within its own lock; otherwise none is taken
/// within another.
/// </remarks>
public sealed class SegmentFlight
{
    private readonly Lock _gate = new();
    private readonly BufferPool _pool;
    private readonly ISegmentOwner _owner;
    private ArrivingBytes _bytes;
    private CacheEntry<SegmentFlight> _entry;
    private int _reserved;
    private volatile State _state;

    /// <summary>Written before <see cref="_state"/>.</summary>
    private ContentFault _fault;

    private TaskCompletionSource? _more;
    private TaskCompletionSource? _ended;

    internal SegmentFlight(SegmentKey key, FetchPriority priority, ISegmentOwner owner, BufferPool pool, int reserved)
    {
        Key = key;
        Priority = priority;
        _owner = owner;
        _pool = pool;
        _reserved = reserved;
        _bytes = new ArrivingBytes(_gate);
    }

    /// <summary>The segment requested.</summary>
    public SegmentKey Key { get; }

    /// <summary>The most urgent priority requested so far. Written under the cache's lock.</summary>
    public FetchPriority Priority { get; internal set; }

    /// <summary>True once it has ended with all bytes, verified, and as the expected part of the file.</summary>
    public bool IsFound => _state == State.Found;

    /// <summary>True once it has ended with all bytes intact, but not as the expected part of the file.</summary>
    public bool IsMismatched => _state == State.Mismatched;

    /// <summary>Why no attempt is left; null while pending, found or mismatched.</summary>
    public ContentFault? Fault => _state == State.Failed ? _fault : null;

    /// <summary>The same as text for a log or a response.</summary>
    public string? FailureReason { get; private set; }

    /// <summary>The header the segment came with (for Usenet a yEnc header); null until complete.</summary>
    public object? Header { get; private set; }

    /// <summary>Offset in its posted file, as its own header says; −1 until bytes are shown.</summary>
    public long Begin => _bytes.Begin;

    /// <summary>Decoded size, as its own header says; 0 until bytes are shown.</summary>
    public int Size => _bytes.Size;

    /// <summary>Grows by one when bytes already lent turn out to be wrong.</summary>
    public int Generation => _bytes.Generation;

    /// <summary>True once a request is on the wire (or the bytes have arrived).</summary>
    public bool Sent { get; set; }

    /// <summary>The fetcher's own state for this flight.</summary>
    public object? FetcherState { get; set; }

    /// <summary>The lent bytes of a segment that failed; null if none were lent.</summary>
    internal LentBytes? Lent { get; private set; }

    /// <summary>True once bytes were lent.</summary>
    internal bool WasRead => _bytes.WasRead;

    /// <summary>When waiting readers were last signalled, as a timestamp of the clock.</summary>
    internal long SignalledAt { get; private set; }

    /// <summary>Its place in the cache.</summary>
    internal ref CacheEntry<SegmentFlight> Entry => ref _entry;

    /// <summary>
    /// Capacity of the pooled buffer that this flight holds, in bytes; 0 until bytes are shown. May be read from any thread.
    /// </summary>
    public int Held => _bytes.Held;

    /// <summary>Number of bytes to reserve for a segment.</summary>
    public static int ReservationFor(SegmentKey key) => BufferPool.ClassOf(key.ExpectedSize);

    /// <summary>True when verified or failed; false while bytes may still come.</summary>
    public bool IsEnded => _state != State.Pending;

    /// <summary>
    /// Lends received bytes: from <paramref name="offset"/>, at most <paramref name="count"/>. Null when there are none (yet): then wait
    /// for <see cref="WhenMore"/>, or check <see cref="IsEnded"/>.
    /// </summary>
    public ContentLease? TryLend(int offset, int count)
    {
        lock (_gate)
            return LendLocked(offset, count);
    }

    /// <summary>
    /// Like the other overload, for a reader that expects the segment at a certain place and of a certain size. Checks this, decides how
    /// much may be lent and lends in one step, because at any moment an attempt may be replaced by another, or the flight may fail.
    /// </summary>
    /// <param name="offset">First byte.</param>
    /// <param name="verified">Most bytes to lend once the segment is verified.</param>
    /// <param name="unverified">Most bytes to lend before that.</param>
    /// <param name="begin">Expected <see cref="Begin"/>.</param>
    /// <param name="size">Expected <see cref="Size"/>.</param>
    /// <param name="generation">The <see cref="Generation"/> of the bytes lent.</param>
    internal ContentLease? TryLend(int offset, int verified, int unverified, long begin, int size, out int generation)
    {
        lock (_gate)
        {
            generation = Generation;
            return Begin == begin && Size == size ? LendLocked(offset, IsEnded ? verified : unverified) : null;
        }
    }

    /// <summary>
    /// Lends the bytes received so far, from the first one on, with their header, to a caller that only compares them. Neither is verified
    /// before the flight has ended. Null when there are none.
    /// </summary>
    /// <param name="header">The header of the same attempt as the bytes; null if the fetcher has not given one yet.</param>
    public ContentLease? TryPeek(out object? header)
    {
        lock (_gate)
        {
            var lease = _bytes.Peek(out var shown);
            header = Header ?? shown;
            return lease;
        }
    }

    /// <summary>True when it is verified, and bytes lent in this generation are right.</summary>
    internal bool Confirms(int generation)
    {
        lock (_gate)
            return IsFound && Generation == generation;
    }

    /// <summary>True when the segment begins with bytes that were lent from another flight.</summary>
    internal bool BeginsWith(LentBytes lent)
    {
        using var lease = lent.Segment == Key.Id ? TryLend(0, lent.Length) : null;
        return lease is not null && lease.Length == lent.Length && lent.AreIn(lease.Memory.Span);
    }

    /// <summary>The reason why the bytes of this flight, which has ended, cannot be read or kept.</summary>
    internal ContentException Failure() => ContentException.Of(Fault, FailureReason, Key.Id);

    /// <summary>
    /// Completes when more than <paramref name="available"/> bytes have arrived, or the flight has ended. May complete earlier, when fewer
    /// bytes arrived: check again.
    /// </summary>
    public Task WhenMore(int available)
    {
        lock (_gate)
        {
            if (IsEnded || _bytes.Available > available)
                return Task.CompletedTask;
            _more ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _more.Task;
        }
    }

    /// <summary>Completes when the flight has ended.</summary>
    public Task WhenEnded()
    {
        lock (_gate)
        {
            if (IsEnded)
                return Task.CompletedTask;
            _ended ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _ended.Task;
        }
    }

    /// <summary>Rents the buffer of one attempt; the caller owns its single reference. Uses the flight's own reservation first.</summary>
    public PooledBuffer RentBuffer(int size)
    {
        var needed = BufferPool.ClassOf(size);
        var reserved = Interlocked.Exchange(ref _reserved, 0);
        if (reserved != needed)
        {
            _pool.Budget.Reserve(needed);
            if (reserved > 0)
                _pool.Budget.Release(reserved);
        }

        return _pool.Rent(size);
    }

    /// <summary>Publishes the first <paramref name="available"/> bytes of an attempt to readers, before they are verified.</summary>
    /// <param name="buffer">The attempt's buffer.</param>
    /// <param name="available">Bytes decoded so far.</param>
    /// <param name="begin">Offset in the posted file, from the header that came before the bytes.</param>
    /// <param name="size">Size of the whole segment, from the same header.</param>
    /// <param name="header">That header, for <see cref="TryPeek"/>; null if it is not needed before the end.</param>
    public void Publish(PooledBuffer buffer, int available, long begin, int size, object? header = null)
    {
        TaskCompletionSource? more;
        lock (_gate)
        {
            if (IsEnded || !_bytes.Show(buffer, available, begin, size, header))
                return;
            more = DetachWaiters();
        }

        more?.SetResult();
    }

    /// <summary>Withdraws the bytes of a failed attempt; those already lent are compared with the next attempt's.</summary>
    public void Withdraw(PooledBuffer buffer)
    {
        PooledBuffer? drop;
        lock (_gate)
            drop = IsEnded ? null : _bytes.Withdraw(buffer);
        drop?.Release();
    }

    /// <summary>
    /// Ends the flight with all bytes present and intact. The first attempt to complete wins; the flight then keeps its own reference to
    /// the buffer.
    /// </summary>
    /// <param name="buffer">The attempt's buffer.</param>
    /// <param name="size">Number of bytes in it.</param>
    /// <param name="begin">Offset in the posted file.</param>
    /// <param name="header">See <see cref="Header"/>.</param>
    /// <returns>False when the flight had already ended.</returns>
    public bool Complete(PooledBuffer buffer, int size, long begin, object? header)
    {
        TaskCompletionSource? more;
        PooledBuffer? drop;
        lock (_gate)
        {
            if (IsEnded)
                return false;
            drop = _bytes.Complete(buffer, size, begin);
            Header = header;
            _state = Key.Matches(begin, size) ? State.Found : State.Mismatched;
            more = DetachWaiters();
        }

        Notify(drop, more);
        return true;
    }

    /// <summary>Ends the flight as failed: no attempt is left.</summary>
    public void Fail(ContentFault fault, string reason)
    {
        TaskCompletionSource? more;
        lock (_gate)
        {
            if (IsEnded)
                return;
            Lent = _bytes.LentOf(Key.Id);
            _fault = fault;
            FailureReason = reason;
            _state = State.Failed;
            more = DetachWaiters();
        }

        DropBuffers();
        Notify(drop: null, more);
    }

    /// <summary>Releases all memory, after the flight has left the cache.</summary>
    internal void DropBuffers()
    {
        PooledBuffer? first, second;
        lock (_gate)
            (first, second) = _bytes.Drop();
        first?.Release();
        second?.Release();
        var reserved = Interlocked.Exchange(ref _reserved, 0);
        if (reserved > 0)
            _pool.Budget.Release(reserved);
    }

    private ContentLease? LendLocked(int offset, int count) =>
        _state is State.Found or State.Pending ? _bytes.Lend(this, offset, count, isVerified: IsFound) : null;

    /// <summary>Notifies the owner, then all waiters, even if the owner throws: otherwise they would wait for ever.</summary>
    private void Notify(PooledBuffer? drop, TaskCompletionSource? more)
    {
        try
        {
            drop?.Release();
            _owner.Ended(this);
        }
        finally
        {
            more?.SetResult();
            _ended?.SetResult();
        }
    }

    private TaskCompletionSource? DetachWaiters()
    {
        if (_more is not null)
            SignalledAt = _owner.Now();
        return Interlocked.Exchange(ref _more, null);
    }

    private enum State : byte
    {
        Pending,
        Found,
        Mismatched,
        Failed,
    }
}

/// <summary>
/// Order in which segment requests are served; lower values first. Import work gets a small part of the connections beside readers.
/// </summary>
public enum FetchPriority
{
    /// <summary>A reader waits for it now.</summary>
    Waiting,

    /// <summary>One of the next two segments of a reader.</summary>
    Next,

    /// <summary>Read-ahead of a reader.</summary>
    ReadAhead,

    /// <summary>A program scans files: the segment it reads and those after it.</summary>
    Scan,

    /// <summary>Import work. Lower priority than any reader, but with a small part of the connections.</summary>
    Import,

    /// <summary>Health checks and repair.</summary>
    Health,
}

/// <summary>The owner of a flight, notified when it ends. Thread-safe.</summary>
internal interface ISegmentOwner
{
    /// <summary>Called when the flight has ended, outside its lock, before its waiters continue.</summary>
    void Ended(SegmentFlight flight);

    /// <summary>The time now, as a timestamp of the clock.</summary>
    long Now();
}

/// <summary>An item's place in a cache. Guarded by the cache's lock.</summary>
/// <typeparam name="T">The item.</typeparam>
internal struct CacheEntry<T>
    where T : class
{
    /// <summary>Readers that hold the item.</summary>
    public int References { get; set; }

    /// <summary>Its place in the list of items that nobody holds; null while somebody does.</summary>
    public LinkedListNode<T>? Node { get; set; }
}
