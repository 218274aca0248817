namespace NzbDav.Content;

/// <summary>
/// A position in a content and the bytes leased there. Moving costs nothing inside the leased bytes, forwards or backwards; anywhere else
/// the next fetch opens a reader. For one caller at a time; only <see cref="Position"/> may be read by others.
/// </summary>
internal sealed class LeaseCursor(IContent content, ReadIntent intent)
{
    private ContentReader? _reader;
    private ContentLease _lease = ContentLease.Empty;
    private long _leaseStart;
    private long _position;
    private Task _retired = Task.CompletedTask;

    public long Length => content.Length;

    /// <summary>From 0; may lie past the end.</summary>
    public long Position
    {
        get => Volatile.Read(ref _position);
        set => Volatile.Write(ref _position, value);
    }

    /// <summary>True at or past the end.</summary>
    public bool IsAtEnd => _position >= content.Length;

    /// <summary>Leased bytes at the position; empty if a fetch is needed, or at the end. Valid until the next fetch.</summary>
    public ReadOnlyMemory<byte> Leased
    {
        get
        {
            var offset = _position - _leaseStart;
            return offset >= 0 && offset < _lease.Length ? _lease.Memory[(int)offset..] : default;
        }
    }

    /// <summary>Reads without waiting; false if a fetch is needed first.</summary>
    public bool TryRead(Span<byte> buffer, out int count)
    {
        var leased = Leased;
        count = Math.Min(leased.Length, buffer.Length);
        leased.Span[..count].CopyTo(buffer);
        Skip(count);
        return count > 0 || buffer.IsEmpty || IsAtEnd;
    }

    public void Skip(int count) => Position = _position + count;

    /// <summary>Leases the bytes at the position, which must be before the end.</summary>
    /// <exception cref="ContentException">The bytes cannot be read.</exception>
    public async ValueTask FetchAsync(CancellationToken cancellationToken)
    {
        _lease.Dispose();
        _lease = ContentLease.Empty;
        if (_reader is not null && _reader.Position != _position)
        {
            // Not awaited: otherwise the seek would wait until unwanted bytes are drained.
            Retire(_reader);
            _reader = null;
        }

        _reader ??= content.OpenReader(_position, content.Length, intent);
        var lease = await _reader.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new InvalidOperationException($"The content ended at {_position}, before its length of {content.Length}.");
        _lease = lease;
        _leaseStart = _position;
    }

    /// <summary>
    /// Disposes of the lease and of all readers, including those replaced earlier. Throws the error of a failed disposal.
    /// </summary>
    public async Task CloseAsync()
    {
        _lease.Dispose();
        if (_reader is not null)
            await _reader.DisposeAsync();
        await _retired;
    }

    private void Retire(ContentReader reader)
    {
        var disposal = reader.DisposeAsync();
        if (disposal.IsCompletedSuccessfully)
            return;
        var task = disposal.AsTask();
        _retired = _retired.IsCompletedSuccessfully ? task : Task.WhenAll(_retired, task);
    }
}
