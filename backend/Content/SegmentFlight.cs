using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>
/// One segment on its way from a source, or already here: shared by all who want it. Its bytes can be lent while they still
/// arrive. Thread-safe. Readers hold it through <see cref="SegmentCache"/>; a fetcher fills it.
/// </summary>
/// <remarks>
/// Bytes lent before the segment was verified are remembered by their extent (<c>_lent</c>). If that attempt fails, its buffer is
/// kept until the next attempt is complete, and both are compared: equal bytes mean nobody saw anything wrong and reading goes
/// on; different ones end the readers that saw them (<see cref="Generation"/> moves), and only those.
/// </remarks>
public sealed class SegmentFlight
{
    /// <summary>Reserved when the size is unknown: articles of more than 1 MB decoded are rare.</summary>
    private const int UsualSize = 1 << 20;

    private readonly Lock _gate = new();
    private readonly BufferPool _pool;
    private readonly SegmentCache _cache;
    private int _reserved;
    private PooledBuffer? _buffer;
    private PooledBuffer? _withdrawn;
    private object? _shownHeader;
    private int _available;
    private int _lent;
    private TaskCompletionSource? _more;
    private TaskCompletionSource? _ended;

    internal SegmentFlight(SegmentKey key, FetchPriority priority, SegmentCache cache, BufferPool pool, int reserved)
    {
        Key = key;
        Priority = priority;
        _cache = cache;
        _pool = pool;
        _reserved = reserved;
    }

    /// <summary>What was asked for.</summary>
    public SegmentKey Key { get; }

    /// <summary>The most urgent wish so far. Written under the cache's lock.</summary>
    public FetchPriority Priority { get; internal set; }

    /// <summary>How the fetch ended.</summary>
    public SegmentOutcome Outcome { get; private set; }

    /// <summary>Why it failed, in words for a log or a response; null while pending or found.</summary>
    public string? FailureReason { get; private set; }

    /// <summary>The header the segment came with (for Usenet a yEnc header); null until complete.</summary>
    public object? Header { get; private set; }

    /// <summary>Offset in its posted file, as its own header says; −1 until bytes are shown.</summary>
    public long Begin { get; private set; } = -1;

    /// <summary>Decoded size, as its own header says; 0 until bytes are shown.</summary>
    public int Size { get; private set; }

    /// <summary>Moves when bytes that were lent turned out to be wrong.</summary>
    public int Generation { get; private set; }

    /// <summary>True once a request is on the wire (or the bytes are here).</summary>
    public bool Sent { get; set; }

    /// <summary>The fetcher's own state for this flight.</summary>
    public object? FetcherState { get; set; }

    /// <summary>What was lent of a segment that failed; null if nothing was.</summary>
    internal LentBytes? Lent { get; private set; }

    /// <summary>True once bytes were lent.</summary>
    internal bool WasRead { get; private set; }

    /// <summary>When waiting readers were last called.</summary>
    internal long SignalledAt { get; private set; }

    internal int References { get; set; }

    internal LinkedListNode<SegmentFlight>? CacheNode { get; set; }

    /// <summary>Bytes of the pool that this flight holds.</summary>
    internal int Held => _buffer?.Capacity ?? 0;

    /// <summary>What to reserve for a segment of this expected size.</summary>
    public static int ReservationFor(int expectedSize) => BufferPool.ClassOf(expectedSize > 0 ? expectedSize : UsualSize);

    /// <summary>True when verified or failed; false while bytes may still come.</summary>
    public bool IsEnded => Outcome != SegmentOutcome.Pending;

    /// <summary>
    /// Lends bytes that are here: from <paramref name="offset"/>, at most <paramref name="count"/>.
    /// Null when none are here (yet): then wait for <see cref="WhenMore"/> or look at <see cref="Outcome"/>.
    /// </summary>
    public ContentLease? TryLend(int offset, int count)
    {
        lock (_gate)
            return LendLocked(offset, count);
    }

    /// <summary>
    /// The same for a reader that expects the segment to have a place and a size. Whether it does, and how much may be lent, is decided in one step with the
    /// lending: an attempt can be replaced by another one, or the flight fail, at any moment.
    /// </summary>
    /// <param name="offset">First byte.</param>
    /// <param name="verified">Most bytes to lend once the segment is verified.</param>
    /// <param name="unverified">Most bytes to lend before.</param>
    /// <param name="begin">Expected <see cref="Begin"/>.</param>
    /// <param name="size">Expected <see cref="Size"/>.</param>
    /// <param name="generation">The <see cref="Generation"/> that the bytes lent are of.</param>
    internal ContentLease? TryLend(int offset, int verified, int unverified, long begin, int size, out int generation)
    {
        lock (_gate)
        {
            generation = Generation;
            return Begin == begin && Size == size ? LendLocked(offset, Outcome == SegmentOutcome.Pending ? unverified : verified) : null;
        }
    }

    /// <summary>
    /// The bytes that are here from the first on, for somebody who only compares them and passes none on, with the header that they came with. Neither is verified before
    /// the flight has ended. Null when none are here.
    /// </summary>
    /// <param name="header">Of the same attempt as the bytes; null if its fetcher did not tell it yet.</param>
    public ContentLease? TryPeek(out object? header)
    {
        lock (_gate)
        {
            header = Header ?? _shownHeader;
            return _buffer is not null && _available > 0 ? ContentLease.Of(_buffer, 0, _available) : null;
        }
    }

    /// <summary>True when the segment was verified and bytes lent in this generation are its own.</summary>
    internal bool Confirms(int generation)
    {
        lock (_gate)
            return Outcome == SegmentOutcome.Found && Generation == generation;
    }

    /// <summary>True when the segment begins with bytes that were lent from another flight.</summary>
    internal bool BeginsWith(LentBytes lent)
    {
        if (lent.Segment != Key.Id || TryLend(0, lent.Length) is not { } lease)
            return false;
        using (lease)
            return lease.Length == lent.Length && lent.AreIn(lease.Memory.Span);
    }

    /// <summary>Why bytes of this flight, which ended, cannot be had or kept.</summary>
    internal ContentException Failure() => Outcome switch
    {
        SegmentOutcome.Missing => new(ContentFault.Missing, FailureReason ?? $"The article <{Key.Id}> is missing."),
        SegmentOutcome.Unavailable => new(ContentFault.Unavailable, FailureReason ?? "No provider answers."),
        SegmentOutcome.Corrupt => new(ContentFault.Corrupt, FailureReason ?? $"The article <{Key.Id}> is damaged."),
        _ => new(ContentFault.Corrupt, $"The article <{Key.Id}> was damaged and part of it had been sent already."),
    };

    /// <summary>
    /// Completes when more than <paramref name="available"/> bytes are here, or the flight ended; perhaps earlier, when some bytes
    /// came: look again.
    /// </summary>
    public Task WhenMore(int available)
    {
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending || _available > available)
                return Task.CompletedTask;
            _more ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _more.Task;
        }
    }

    /// <summary>Completes when the flight ended.</summary>
    public Task WhenEnded()
    {
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending)
                return Task.CompletedTask;
            _ended ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _ended.Task;
        }
    }

    /// <summary>Rents the buffer of one attempt; the caller owns its one reference. The flight's own reservation is used first.</summary>
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

    /// <summary>Shows the first <paramref name="available"/> bytes of an attempt to readers, before they are verified.</summary>
    /// <param name="buffer">The attempt's buffer.</param>
    /// <param name="available">Bytes decoded so far.</param>
    /// <param name="begin">Offset in the posted file, from the header that came before the bytes.</param>
    /// <param name="size">Size of the whole segment, from the same header.</param>
    /// <param name="header">That header, for <see cref="TryPeek"/>; null if nobody can need it before the end.</param>
    public void Publish(PooledBuffer buffer, int available, long begin, int size, object? header = null)
    {
        TaskCompletionSource? more;
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending || _withdrawn is not null || (_buffer is not null && _buffer != buffer))
                return;
            if (_buffer is null)
            {
                buffer.Retain();
                _buffer = buffer;
                _shownHeader = header;
                Begin = begin;
                Size = size;
            }

            Debug.Assert(available >= _available, "published bytes only grow");
            _available = available;
            more = TakeWaiters();
        }

        more?.SetResult();
    }

    /// <summary>An attempt failed: its bytes are not shown any more, and compared with the next attempt's if somebody saw them.</summary>
    public void Withdraw(PooledBuffer buffer)
    {
        PooledBuffer? drop = null;
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending || _buffer != buffer)
                return;
            if (_lent > 0)
                _withdrawn = _buffer;
            else
                drop = _buffer;
            _buffer = null;
            _shownHeader = null;
            _available = 0;
        }

        drop?.Release();
    }

    /// <summary>All bytes are here and intact. The first attempt to say so wins; the flight keeps a reference of its own.</summary>
    /// <param name="buffer">The attempt's buffer.</param>
    /// <param name="size">Bytes in it.</param>
    /// <param name="begin">Offset in the posted file.</param>
    /// <param name="header">See <see cref="Header"/>.</param>
    /// <returns>False when the flight had ended before.</returns>
    public bool Complete(PooledBuffer buffer, int size, long begin, object? header)
    {
        TaskCompletionSource? more;
        PooledBuffer? seen, drop = null;
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending)
                return false;
            seen = _withdrawn ?? (_buffer != buffer ? _buffer : null);
            if (seen is not null && _lent > 0
                && (_lent > size || Begin != begin || Size != size || !seen.Array.AsSpan(0, _lent).SequenceEqual(buffer.Array.AsSpan(0, _lent))))
                Generation++;
            if (_buffer != buffer)
            {
                buffer.Retain();
                drop = _buffer;
                _buffer = buffer;
            }

            if (_withdrawn is not null)
            {
                Debug.Assert(drop is null, "nothing is published while an attempt is withdrawn");
                drop = _withdrawn;
                _withdrawn = null;
            }

            _available = size;
            Size = size;
            Begin = begin;
            Header = header;
            Outcome = Key.Matches(begin, size) ? SegmentOutcome.Found : SegmentOutcome.Mismatch;
            more = TakeWaiters();
        }

        drop?.Release();
        _cache.Ended(this);
        more?.SetResult();
        _ended?.SetResult();
        return true;
    }

    /// <summary>No attempt is left.</summary>
    public void Fail(SegmentOutcome outcome, string reason)
    {
        Debug.Assert(outcome is not (SegmentOutcome.Pending or SegmentOutcome.Found), "a failure");
        TaskCompletionSource? more;
        lock (_gate)
        {
            if (Outcome != SegmentOutcome.Pending)
                return;
            if (_lent > 0)
                Lent = LentBytes.Of(Key.Id, (_withdrawn ?? _buffer)!.Array.AsSpan(0, _lent));
            Outcome = outcome;
            FailureReason = reason;
            more = TakeWaiters();
        }

        DropBuffers();
        _cache.Ended(this);
        more?.SetResult();
        _ended?.SetResult();
    }

    /// <summary>Gives all memory back: the flight left the cache.</summary>
    internal void DropBuffers()
    {
        PooledBuffer? first, second;
        lock (_gate)
        {
            first = _buffer;
            second = _withdrawn;
            _buffer = null;
            _withdrawn = null;
            _available = 0;
        }

        first?.Release();
        second?.Release();
        var reserved = Interlocked.Exchange(ref _reserved, 0);
        if (reserved > 0)
            _pool.Budget.Release(reserved);
    }

    private ContentLease? LendLocked(int offset, int count)
    {
        var length = Math.Min(count, _available - offset);
        if (_buffer is null || length <= 0 || Outcome is not (SegmentOutcome.Found or SegmentOutcome.Pending))
            return null;
        WasRead = true;
        if (Outcome == SegmentOutcome.Found)
            return ContentLease.Of(_buffer, offset, length);
        _lent = Math.Max(_lent, offset + length);
        return ContentLease.Of(_buffer, offset, length, this, Generation);
    }

    private TaskCompletionSource? TakeWaiters()
    {
        var more = _more;
        _more = null;
        if (more is not null)
            SignalledAt = _cache.Now();
        return more;
    }
}
