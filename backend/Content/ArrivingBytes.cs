using System.Diagnostics;
using System.Security.Cryptography;

namespace NzbDav.Content;

/// <summary>
/// The bytes of a flight received so far. Guarded by the flight's lock, which is asserted in Debug; buffers no longer needed are handed to
/// the caller, who releases them outside the lock.
/// </summary>
/// <remarks>
/// Bytes lent before the segment was verified are counted from its first byte (<c>_lent</c>). If that attempt fails, its buffer is kept
/// until the next attempt is complete, and the two are compared. If the bytes are equal, no reader saw wrong data and reading continues; if
/// they differ, only the readers that saw them end with an error (<see cref="Generation"/> grows by one).
/// </remarks>
internal struct ArrivingBytes(Lock gate)
{
    private PooledBuffer? _buffer;
    private PooledBuffer? _withdrawn;
    private object? _shownHeader;
    private int _lent;

    /// <summary>Number of bytes received, from the segment's first byte on.</summary>
    public int Available { get; private set; }

    /// <summary>Offset of the segment in its posted file; −1 until bytes are shown. May be read without the lock.</summary>
    public long Begin { get; private set; } = -1;

    /// <summary>Size of the whole segment; 0 until bytes are shown. May be read without the lock.</summary>
    public int Size { get; private set; }

    /// <summary>Grows by one when bytes already lent turn out to be wrong. May be read without the lock.</summary>
    public int Generation { get; private set; }

    /// <summary>True once a reader was lent bytes. May be read without the lock.</summary>
    public bool WasRead { get; private set; }

    /// <summary>Capacity of the pooled buffer held now, in bytes. May be read without the lock.</summary>
    public int Held => _buffer?.Capacity ?? 0;

    /// <summary>Lends received bytes; null when there are none at the offset.</summary>
    /// <param name="flight">The flight that the bytes belong to.</param>
    /// <param name="offset">First byte.</param>
    /// <param name="count">Upper limit.</param>
    /// <param name="isVerified">True when the segment has been verified.</param>
    public ContentLease? Lend(SegmentFlight flight, int offset, int count, bool isVerified)
    {
        AssertLocked();
        var length = Math.Min(count, Available - offset);
        if (_buffer is null || length <= 0)
            return null;
        WasRead = true;
        if (isVerified)
            return ContentLease.Of(_buffer, offset, length);
        _lent = Math.Max(_lent, offset + length);
        return ContentLease.Of(_buffer, offset, length, flight, Generation);
    }

    /// <summary>Lends all received bytes to a caller that does not pass them on; null when there are none.</summary>
    /// <param name="shownHeader">The header of the same attempt; null if the fetcher has not given one.</param>
    public ContentLease? Peek(out object? shownHeader)
    {
        AssertLocked();
        shownHeader = _shownHeader;
        return _buffer is not null && Available > 0 ? ContentLease.Of(_buffer, 0, Available) : null;
    }

    /// <summary>
    /// Publishes more bytes of an attempt. False when another attempt is published, or a failed one is kept for comparison.
    /// </summary>
    public bool Show(PooledBuffer buffer, int available, long begin, int size, object? header)
    {
        AssertLocked();
        if (_withdrawn is not null || (_buffer is not null && _buffer != buffer))
            return false;
        if (_buffer is null)
        {
            buffer.Retain();
            _buffer = buffer;
            _shownHeader = header;
            Begin = begin;
            Size = size;
        }

        Debug.Assert(available >= Available, "published bytes only grow");
        Available = available;
        return true;
    }

    /// <summary>
    /// Withdraws the bytes of a failed attempt. If some were lent, the buffer is kept for comparison with the next attempt.
    /// </summary>
    /// <returns>A buffer to release, or null.</returns>
    public PooledBuffer? Withdraw(PooledBuffer buffer)
    {
        AssertLocked();
        if (_buffer != buffer)
            return null;
        var drop = _lent > 0 ? null : _buffer;
        _withdrawn = _lent > 0 ? _buffer : _withdrawn;
        _buffer = null;
        _shownHeader = null;
        Available = 0;
        return drop;
    }

    /// <summary>Makes the bytes of a complete attempt the segment's. Bytes lent from another attempt are compared with them.</summary>
    /// <returns>A buffer to release, or null.</returns>
    public PooledBuffer? Complete(PooledBuffer buffer, int size, long begin)
    {
        AssertLocked();
        var seen = _withdrawn ?? (_buffer != buffer ? _buffer : null);
        if (seen is not null && _lent > 0
            && (_lent > size || Begin != begin || Size != size
                || !seen.Array.AsSpan(0, _lent).SequenceEqual(buffer.Array.AsSpan(0, _lent))))
            Generation++;
        PooledBuffer? drop = null;
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

        Available = size;
        Size = size;
        Begin = begin;
        return drop;
    }

    /// <summary>The lent bytes of a segment that has failed; null if none were lent.</summary>
    /// <param name="id">The segment.</param>
    public LentBytes? LentOf(string id)
    {
        AssertLocked();
        return _lent > 0 ? LentBytes.Of(id, (_withdrawn ?? _buffer)!.Array.AsSpan(0, _lent)) : null;
    }

    /// <summary>Detaches all buffers.</summary>
    /// <returns>The buffers to release; each may be null.</returns>
    public (PooledBuffer? First, PooledBuffer? Second) Drop()
    {
        AssertLocked();
        var both = (_buffer, _withdrawn);
        _buffer = null;
        _withdrawn = null;
        Available = 0;
        return both;
    }

    /// <summary>In a Debug build: fails unless the caller holds the flight's lock.</summary>
    [Conditional("DEBUG")]
    private readonly void AssertLocked() => Debug.Assert(gate.IsHeldByCurrentThread, "under the flight's lock only");
}

/// <summary>
/// The beginning of a segment, lent before the segment failed. A reader that tries again may continue only in a segment that begins with
/// the same bytes.
/// </summary>
/// <param name="Segment">The segment's id.</param>
/// <param name="Length">Number of bytes from the segment's first one on, at least 1.</param>
/// <param name="Hash">SHA-256 of them.</param>
internal sealed record LentBytes(string Segment, int Length, byte[] Hash)
{
    public static LentBytes Of(string segment, ReadOnlySpan<byte> bytes) => new(segment, bytes.Length, SHA256.HashData(bytes));

    public bool AreIn(ReadOnlySpan<byte> bytes) => SHA256.HashData(bytes).AsSpan().SequenceEqual(Hash);
}
