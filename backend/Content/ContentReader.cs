namespace NzbDav.Content;

/// <summary>
/// A forward cursor over a range of an <see cref="IContent"/>. Used by one caller at a time; not thread-safe.
/// Disposing releases what was read ahead; leases already handed out stay valid until they are disposed themselves.
/// </summary>
public abstract class ContentReader : IAsyncDisposable
{
    /// <summary>Offset in the content of the next byte that <see cref="NextAsync"/> lends.</summary>
    public abstract long Position { get; }

    /// <summary>
    /// Lends the next bytes in order: at least one, as many as are at hand (at most one segment; readers that fetch lend no more than 256 KiB at a time, so
    /// that who sends them slowly holds no more). At the end of the range the lease is empty (<see cref="ContentLease.IsEmpty"/>). The caller owns the lease and disposes it.
    /// Bytes may be lent before they are verified (<see cref="ContentLease.IsVerified"/>), the range's last one never: whoever has read a range to its end has the right bytes.
    /// </summary>
    /// <exception cref="ContentException">The bytes cannot be had; its <see cref="ContentException.Fault"/> says why. The
    /// reader stays at its position; asking again tries again.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired; nothing was consumed.</exception>
    public abstract ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken);

    /// <summary>What the reader is at. May be called from any thread, at any time, also after disposal; costs nothing when nobody does.</summary>
    public virtual ReaderState Observe() => ReaderState.Unknown;

    /// <summary>
    /// Lets other readers go first: what is asked for from now on stands behind all that they want, and little is read ahead. Holds for this reader until told otherwise; one that reads what is at hand
    /// anyway does nothing. May be called from any thread, at any time, also after disposal.
    /// </summary>
    /// <param name="patience">What has been waited for so long is asked for as urgently as ever; null: the reader gives way no longer, and what it waits for is urgent at once.</param>
    public virtual void GiveWay(TimeSpan? patience)
    {
    }

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}
