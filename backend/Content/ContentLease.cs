namespace NzbDav.Content;

/// <summary>
/// Bytes borrowed from a pooled buffer. Read-only, valid until disposed. Disposing twice is harmless; reading after disposal throws.
/// Independent of the reader that lent it: a slow consumer may keep it after the reader has moved on or was disposed.
/// </summary>
public sealed class ContentLease : IDisposable
{
    private readonly ReadOnlyMemory<byte> _memory;

    /// <summary>
    /// The segment that was still arriving when its bytes were lent; null for verified bytes, and for bytes of no segment.
    /// </summary>
    private readonly SegmentFlight? _arriving;
    private readonly int _generation;
    private PooledBuffer? _owner;
    private bool _disposed;

    private ContentLease(ReadOnlyMemory<byte> memory, PooledBuffer? owner, SegmentFlight? arriving = null, int generation = 0)
    {
        _memory = memory;
        _owner = owner;
        _arriving = arriving;
        _generation = generation;
    }

    /// <summary>The lease that marks the end of a range. May be disposed any number of times.</summary>
    public static ContentLease Empty { get; } = new(ReadOnlyMemory<byte>.Empty, owner: null);

    /// <summary>True at the end of a range.</summary>
    public bool IsEmpty => _memory.IsEmpty;

    /// <summary>
    /// True when these bytes, and all that the same reader lent before them, are verified. False while the checksum of their segment is
    /// outstanding: a caller that ends a response with unverified bytes holds back the last one and waits for
    /// <see cref="WhenVerifiedAsync"/>. May be read after disposal.
    /// </summary>
    public bool IsVerified => _arriving is null || _arriving.Confirms(_generation);

    /// <summary>Number of bytes lent.</summary>
    public int Length => _memory.Length;

    /// <summary>The bytes.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public ReadOnlyMemory<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            return _memory;
        }
    }

    /// <summary>Lends a slice of a buffer: holds one reference of its own until disposed.</summary>
    public static ContentLease Of(PooledBuffer owner, int offset, int length) => Of(owner, offset, length, arriving: null, generation: 0);

    /// <summary>Lends bytes derived from another lease, such as decrypted ones. They count as verified when that lease does.</summary>
    /// <param name="owner">The buffer with the new bytes.</param>
    /// <param name="offset">First byte.</param>
    /// <param name="length">Bytes to lend.</param>
    /// <param name="origin">The lease with the last of the source bytes.</param>
    public static ContentLease Of(PooledBuffer owner, int offset, int length, ContentLease origin)
    {
        ArgumentNullException.ThrowIfNull(origin);
        return Of(owner, offset, length, origin._arriving, origin._generation);
    }

    /// <summary>Lends memory that is not pooled: bytes made on the spot, tests.</summary>
    public static ContentLease Of(ReadOnlyMemory<byte> memory) => new(memory, owner: null);

    /// <summary>Lends a part of this lease: a separate lease over the same buffer, which may outlive this one.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public ContentLease Slice(int offset, int length)
    {
        var memory = Memory.Slice(offset, length);
        if (length == 0)
            return Empty;
        _owner?.Retain();
        return new ContentLease(memory, _owner, _arriving, _generation);
    }

    /// <summary>Completes when the bytes are verified; at once if they are.</summary>
    /// <exception cref="ContentException">The bytes are wrong, or can no longer be verified.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public async ValueTask WhenVerifiedAsync(CancellationToken cancellationToken)
    {
        if (_arriving is null)
            return;
        await _arriving.WhenEnded().WaitAsync(cancellationToken);
        if (!IsVerified)
            throw _arriving.Failure();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_memory.IsEmpty)
            return;
        _disposed = true;
        Interlocked.Exchange(ref _owner, null)?.Release();
    }

    internal static ContentLease Of(PooledBuffer owner, int offset, int length, SegmentFlight? arriving, int generation)
    {
        ArgumentNullException.ThrowIfNull(owner);
        var memory = owner.Memory.Slice(offset, length);
        if (length == 0)
            return Empty;
        owner.Retain();
        return new ContentLease(memory, owner, arriving, generation);
    }
}
