namespace NzbDav.Content;

/// <summary>The older ways of <see cref="Stream"/> to read and copy, and the refused writes.</summary>
public sealed partial class CombinedStream
{
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
            Leave();
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
