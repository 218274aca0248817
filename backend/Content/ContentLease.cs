namespace NzbDav.Content;

/// <summary>
/// Bytes on loan from a pooled buffer. Read-only, valid until disposed. Disposing twice is harmless; reading after disposal
/// throws. Independent of the reader that lent it: a slow consumer may keep it while the reader goes on or is gone.
/// </summary>
public sealed class ContentLease : IDisposable
{
    private readonly ReadOnlyMemory<byte> _memory;
    private PooledBuffer? _owner;
    private bool _disposed;

    private ContentLease(ReadOnlyMemory<byte> memory, PooledBuffer? owner)
    {
        _memory = memory;
        _owner = owner;
    }

    /// <summary>The lease that marks the end of a range. May be disposed any number of times.</summary>
    public static ContentLease Empty { get; } = new(ReadOnlyMemory<byte>.Empty, owner: null);

    /// <summary>True for the end of a range.</summary>
    public bool IsEmpty => _memory.IsEmpty;

    /// <summary>Number of bytes lent.</summary>
    public int Length => _memory.Length;

    /// <summary>The bytes.</summary>
    /// <exception cref="ObjectDisposedException">The lease was given back.</exception>
    public ReadOnlyMemory<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            return _memory;
        }
    }

    /// <summary>Lends a slice of a buffer: holds one reference of its own until disposed.</summary>
    public static ContentLease Of(PooledBuffer owner, int offset, int length)
    {
        ArgumentNullException.ThrowIfNull(owner);
        var memory = owner.Memory.Slice(offset, length);
        if (length == 0)
            return Empty;
        owner.Retain();
        return new ContentLease(memory, owner);
    }

    /// <summary>Lends memory that nobody reclaims: bytes made on the spot, tests.</summary>
    public static ContentLease Of(ReadOnlyMemory<byte> memory) => new(memory, owner: null);

    /// <summary>Lends a part of this lease: a lease of its own over the same buffer, which outlives this one.</summary>
    /// <exception cref="ObjectDisposedException">The lease was given back.</exception>
    public ContentLease Slice(int offset, int length)
    {
        var memory = Memory.Slice(offset, length);
        if (length == 0)
            return Empty;
        _owner?.Retain();
        return new ContentLease(memory, _owner);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_memory.IsEmpty)
            return;
        _disposed = true;
        Interlocked.Exchange(ref _owner, null)?.Release();
    }
}
