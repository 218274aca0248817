namespace NzbDav.Content;

/// <summary>
/// A read-only, seekable <see cref="Stream"/> over content, for libraries that require a stream. For one caller at a time (a concurrent
/// call throws <see cref="InvalidOperationException"/>); only disposal may come from another thread.
/// </summary>
/// <remarks>
/// A seek costs nothing inside the bytes already leased, forwards or backwards; anywhere else the next read opens a reader. A read returns
/// the bytes available, at least one before the end.
/// <para>
/// Disposing during a read makes the read fail with <see cref="ObjectDisposedException"/>. <see cref="Stream.Dispose()"/> never waits: it
/// cancels, and the reader is closed in the background. <see cref="DisposeAsync"/> waits until everything is closed.
/// </para>
/// </remarks>
public sealed class CombinedStream : Stream
{
    private readonly LeaseCursor _cursor;
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _closing = new();
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Guarded by _gate. The caller owns the cursor between Enter and Exit, CloseAsync afterwards.
    private bool _busy;
    private bool _disposed;

    /// <param name="content">The content to read; not owned.</param>
    /// <param name="intent">Passed to every reader.</param>
    public CombinedStream(IContent content, ReadIntent intent)
    {
        ArgumentNullException.ThrowIfNull(content);
        _cursor = new LeaseCursor(content, intent);
    }

    /// <param name="parts">The contents to read, one after the other; not owned.</param>
    /// <param name="intent">Passed to every reader.</param>
    public CombinedStream(IReadOnlyList<IContent> parts, ReadIntent intent)
        : this(parts is [var only] ? only : new ConcatenatedContent(parts), intent)
    {
    }

    /// <inheritdoc/>
    public override bool CanRead => !Volatile.Read(ref _disposed);

    /// <inheritdoc/>
    public override bool CanSeek => !Volatile.Read(ref _disposed);

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length
    {
        get
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
            return _cursor.Length;
        }
    }

    /// <inheritdoc/>
    public override long Position
    {
        get
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
            return _cursor.Position;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            MoveTo(value);
        }
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin)
    {
        var from = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => Position,
            SeekOrigin.End => Length,
            _ => throw new ArgumentException("Unknown seek origin.", nameof(origin)),
        };
        if (offset > long.MaxValue - from)
            throw new ArgumentOutOfRangeException(
                nameof(offset), offset, "The position would exceed the largest possible stream position.");
        if (from + offset < 0)
            throw new IOException("The position would be before the beginning.");
        MoveTo(from + offset);
        return from + offset;
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        Enter();
        try
        {
            if (_cursor.TryRead(buffer, out var count))
                return count;
            Fetch();
            _cursor.TryRead(buffer, out count);
            return count;
        }
        finally
        {
            Exit();
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<int>(cancellationToken);
        Enter();
        if (!_cursor.TryRead(buffer.Span, out var count))
            return FetchAndReadAsync(buffer, cancellationToken);
        Exit();
        return ValueTask.FromResult(count);
    }

    // Overridden because the base class would read synchronously on a pool thread.
    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>Writes the leased bytes themselves to the destination, without copying them in between.</summary>
    /// <inheritdoc/>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        Enter();
        return CopyLeasesAsync(destination, cancellationToken);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        BeginClose();
        await _closed.Task;
        await base.DisposeAsync();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            BeginClose();
        base.Dispose(disposing);
    }

    private void MoveTo(long position)
    {
        Enter();
        _cursor.Position = position;
        Exit();
    }

    private async ValueTask<int> FetchAndReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        try
        {
            using var either = Link(cancellationToken);
            await _cursor.FetchAsync(either?.Token ?? _closing.Token);
            _cursor.TryRead(buffer.Span, out var count);
            return count;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested || _closing.IsCancellationRequested)
        {
            throw Interpret(cancellationToken);
        }
        finally
        {
            Exit();
        }
    }

    private async Task CopyLeasesAsync(Stream destination, CancellationToken cancellationToken)
    {
        try
        {
            using var either = Link(cancellationToken);
            var token = either?.Token ?? _closing.Token;
            while (!_cursor.IsAtEnd)
            {
                if (_cursor.Leased.IsEmpty)
                    await _cursor.FetchAsync(token);
                var bytes = _cursor.Leased;
                await destination.WriteAsync(bytes, token);
                _cursor.Skip(bytes.Length);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested || _closing.IsCancellationRequested)
        {
            throw Interpret(cancellationToken);
        }
        finally
        {
            Exit();
        }
    }

    /// <summary>A token source for both cancellations; null if only disposal can cancel.</summary>
    private CancellationTokenSource? Link(CancellationToken cancellationToken) =>
        cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closing.Token) : null;

    /// <summary>A cancellation with the caller's token if the caller cancelled; otherwise the stream was disposed.</summary>
    private Exception Interpret(CancellationToken cancellationToken) => cancellationToken.IsCancellationRequested
        ? new OperationCanceledException(cancellationToken)
        : new ObjectDisposedException(nameof(CombinedStream));

    private void Fetch()
    {
        try
        {
            // Stream demands a synchronous Read, and the bytes come from a network: the only place in the product that blocks on a task.
            // There is no synchronisation context to deadlock with.
#pragma warning disable VSTHRD002, MA0042, MA0045
            _cursor.FetchAsync(_closing.Token).AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002, MA0042, MA0045
        }
        catch (OperationCanceledException) when (_closing.IsCancellationRequested)
        {
            throw Interpret(CancellationToken.None);
        }
    }

    private void Enter()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_busy)
                throw new InvalidOperationException("The stream is in use: it allows one read or seek at a time.");
            _busy = true;
        }
    }

    private void Exit()
    {
        lock (_gate)
        {
            _busy = false;
            if (!_disposed)
                return;
        }

        _ = CloseAsync();
    }

    private void BeginClose()
    {
        bool busy;
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            busy = _busy;
        }

        // A read under way ends when it is cancelled, and its Exit closes the cursor.
        _ = busy ? _closing.CancelAsync() : CloseAsync();
    }

    /// <summary>Runs once, when no read is under way. Completes <see cref="_closed"/>.</summary>
    private async Task CloseAsync()
    {
        try
        {
            await _cursor.CloseAsync();
            _closed.SetResult();
        }
        catch (Exception e)
        {
            _closed.SetException(e);
        }
    }

    // Older members of Stream for reading and copying, and writes, which are refused.

    /// <inheritdoc/>
    public override int ReadByte()
    {
        Span<byte> one = stackalloc byte[1];
        return Read(one) == 0 ? -1 : one[0];
    }

    /// <inheritdoc/>
    public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(ReadAsync(buffer, offset, count, CancellationToken.None), callback, state);

    /// <inheritdoc/>
    public override int EndRead(IAsyncResult asyncResult) => TaskToAsyncResult.End<int>(asyncResult);

    /// <inheritdoc/>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        Enter();
        try
        {
            while (!_cursor.IsAtEnd)
            {
                if (_cursor.Leased.IsEmpty)
                    Fetch();
                var bytes = _cursor.Leased;
                destination.Write(bytes.Span);
                _cursor.Skip(bytes.Length);
            }
        }
        finally
        {
            Exit();
        }
    }

    /// <summary>Does nothing: there is nothing to write.</summary>
    public override void Flush()
    {
    }

    /// <summary>Does nothing: there is nothing to write.</summary>
    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("The stream is read-only.");

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream is read-only.");
}
