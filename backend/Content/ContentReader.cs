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
    /// Lends the next bytes in order: at least one, as many as are available, at most one segment. Readers that fetch lend no more than 256 KiB at a time, so that a slow
    /// client holds no more. At the end of the range the lease is empty (<see cref="ContentLease.IsEmpty"/>). The caller owns the lease and disposes it. Bytes may be lent
    /// before they are verified (<see cref="ContentLease.IsVerified"/>), but never the range's last one: a caller that has read a range to its end has the right bytes.
    /// </summary>
    /// <exception cref="ContentException">The bytes cannot be read; <see cref="ContentException.Fault"/> says why. The reader stays at its position;
    /// calling again tries again.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired; nothing was consumed.</exception>
    public abstract ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken);

    /// <summary>The reader's state, for display. May be called from any thread, at any time, also after disposal; costs nothing unless
    /// called.</summary>
    public virtual ReaderState Observe() => ReaderState.Unknown;

    /// <summary>
    /// Lets other readers go first: requests from now on queue behind all of theirs. Holds for this reader until changed; a reader that only reads
    /// bytes already available ignores it. May be called from any thread, at any time, also after disposal.
    /// </summary>
    /// <param name="way">How. Null: the reader gives way no longer, and what it waits for is urgent at once.</param>
    public virtual void GiveWay(GivingWay? way)
    {
    }

    /// <summary>
    /// Lets the reader see what the client has not taken yet of the bytes that were lent. A reader may tell by it a client that reads on from one
    /// that is about to leave; others ignore it. Called before the first <see cref="NextAsync"/>, by the same caller.
    /// </summary>
    /// <param name="backlog">Stays the caller's. Null: nobody can tell.</param>
    public virtual void Follow(IClientBacklog? backlog)
    {
    }

    /// <summary>
    /// Says that the client reads on, as it has shown by what it took before: the reader need not find that out before it reads far ahead. May be
    /// called from any thread, at any time.
    /// </summary>
    public virtual void ReadsOn()
    {
    }

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}

/// <summary>Bytes that a client's connection was given and that the client's side has not taken. Thread-safe.</summary>
public interface IClientBacklog
{
    /// <summary>How many there are, at least 0. A system call.</summary>
    long Bytes { get; }

    /// <summary>Waits for the client to take all but a number of bytes.</summary>
    /// <param name="bytes">How many may be left, at least 0.</param>
    /// <param name="cancellationToken">The client is gone, or nobody waits any more.</param>
    Task FallsToAsync(long bytes, CancellationToken cancellationToken);
}

/// <summary>How a reader lets others go first.</summary>
/// <param name="Patience">After waiting this long, a request becomes urgent again.</param>
/// <param name="ReadsOn">
/// True for one that reads on without jumping: it may use all that the others leave of the line, and requests as much as the line delivers in a
/// moment. False: little is read ahead, because most of it would be in vain.
/// </param>
public sealed record GivingWay(TimeSpan Patience, bool ReadsOn);
