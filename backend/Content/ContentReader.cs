namespace NzbDav.Content;

/// <summary>
/// A forward cursor over a range of an <see cref="IContent"/>. Used by one caller at a time; not thread-safe.
/// Disposing releases what was read ahead; leases already handed out stay valid until they are disposed themselves.
/// </summary>
public abstract class ContentReader : IAsyncDisposable
{
    /// <summary>
    /// A fetching reader becomes idle when nobody has read from it for this long: it releases its read-ahead, and gets no part of the
    /// budget until it is read from again. The sockets of a slow client stay full for one or two seconds at a time: Linux asks for more
    /// when a third of 4 MiB is free, which takes 0.7 s at 2 MB/s. By then the sockets hold megabytes for the client, so fetching again
    /// does not delay it.
    /// </summary>
    public static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(2);

    /// <summary>Offset in the content of the next byte that <see cref="NextAsync"/> lends.</summary>
    public abstract long Position { get; }

    /// <summary>
    /// Lends the next bytes in order: at least one, as many as are available, at most one segment. Readers that fetch lend no more than 256
    /// KiB at a time, so that a slow client holds no more. At the end of the range the lease is empty (<see cref="ContentLease.IsEmpty"/>).
    /// The caller owns the lease and disposes it. Bytes may be lent before they are verified (<see cref="ContentLease.IsVerified"/>), but
    /// never the range's last byte: a caller that has read a range to its end has the right bytes.
    /// </summary>
    /// <exception cref="ContentException">The bytes cannot be read; <see cref="ContentException.Fault"/> says why. The reader stays at its
    /// position, and the next call tries again.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired; nothing was consumed.</exception>
    public abstract ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The reader's state, for display. May be called from any thread, at any time, also after disposal; costs nothing unless called.
    /// </summary>
    public virtual ReaderState Observe() => ReaderState.Unknown;

    /// <summary>
    /// Lets other readers go first: from now on, requests queue behind all of theirs. Holds for this reader until changed. A reader that
    /// only reads bytes already available ignores it. May be called from any thread, at any time, also after disposal.
    /// </summary>
    /// <param name="mode">How to yield. Null: no longer; bytes that the reader waits for become urgent at once.</param>
    public virtual void SetYieldMode(YieldMode? mode)
    {
    }

    /// <summary>
    /// Gives the reader access to the bytes lent that the client has not taken yet. A reader may use it to distinguish a client that keeps
    /// reading from one that is about to leave; other readers ignore it. Called before the first <see cref="NextAsync"/>, by the same
    /// caller.
    /// </summary>
    /// <param name="backlog">Owned by the caller. Null: the backlog is unknown.</param>
    public virtual void Follow(IClientBacklog? backlog)
    {
    }

    /// <summary>
    /// Declares that the client keeps reading, as its earlier reads have shown: the reader may read far ahead without waiting for further
    /// signs. May be called from any thread, at any time.
    /// </summary>
    public virtual void ReadsOn()
    {
    }

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}

/// <summary>How much a client takes of the bytes written to its connection. Thread-safe.</summary>
public interface IClientBacklog
{
    /// <summary>The current state. Costs a system call.</summary>
    ClientProgress Sample();

    /// <summary>Waits until the state satisfies a condition. Meanwhile the client counts as one that does not read.</summary>
    /// <param name="isEnough">The condition; evaluated repeatedly.</param>
    /// <param name="limit">Longest wait.</param>
    /// <param name="cancellationToken">Fires when the client is gone, or the wait is no longer needed.</param>
    /// <returns>False when the limit has passed.</returns>
    Task<bool> WaitAsync(Func<ClientProgress, bool> isEnough, TimeSpan limit, CancellationToken cancellationToken);
}

/// <summary>The bytes that a client has taken so far.</summary>
/// <param name="Unacknowledged">Bytes written to the connection that the client's side has not acknowledged, at least 0.</param>
/// <param name="WindowEnd">
/// How far the client's side lets the server send, in bytes since the connection began. It grows while the client's program reads. Linux
/// also lets it grow without reads, while it gives a new connection more memory, so growth is a strong sign but no proof.
/// </param>
public readonly record struct ClientProgress(long Unacknowledged, long WindowEnd);

/// <summary>How a reader yields to others.</summary>
/// <param name="MaxWait">A request becomes urgent again after waiting this long.</param>
/// <param name="ReadsOn">True for a reader that reads sequentially: it may use all bandwidth that the others leave. False: little is read
/// ahead, because most of it would be wasted.</param>
public sealed record YieldMode(TimeSpan MaxWait, bool ReadsOn)
{
    /// <summary>
    /// For a reader opened with <see cref="ReadIntent.Scan"/>. <see cref="MaxWait"/> is about the time after which a person notices a wait.
    /// </summary>
    public static YieldMode Scan { get; } = new(TimeSpan.FromMilliseconds(250), ReadsOn: false);
}

/// <summary>A reader's state, for display.</summary>
/// <param name="Ahead">Contiguous bytes available from the reader's position on.</param>
/// <param name="Segment">The segment being waited for, by its index in the file's <see cref="ExtentMap"/>; −1: none, or the file has no
/// segments.</param>
/// <param name="Piece">The torrent piece being waited for; −1: none.</param>
public readonly record struct ReaderState(long Ahead, int Segment, int Piece)
{
    /// <summary>Name of the source asked last for the awaited bytes; null: none yet, or not known.</summary>
    public string? Source { get; init; }

    /// <summary>
    /// Requests in flight for its bytes: articles, or for a torrent the blocks for all of its readers as of the last second; null: not
    /// known.
    /// </summary>
    public int? InFlight { get; init; }

    /// <summary>The reader's latest finished wait of <see cref="ReaderWait.Least"/> or more; null: none, or not known.</summary>
    public ReaderWait? LastWait { get; init; }

    /// <summary>Filler that replaced lost bytes; null: none.</summary>
    public ReaderFiller? Filler { get; init; }

    /// <summary>The state of a reader that reports nothing.</summary>
    public static ReaderState Unknown { get; } = new(0, -1, -1);
}

/// <summary>A long wait of a reader that is over: a stutter that the viewer may have noticed.</summary>
/// <param name="Segment">The segment waited for, by its index in the file's <see cref="ExtentMap"/>; −1: the file has none, and
/// <paramref name="Trace"/> names the piece.</param>
/// <param name="Waited">How long.</param>
/// <param name="Trace">Which sources were asked, with what result and how long it took, as text; null: not known.</param>
public sealed record ReaderWait(int Segment, TimeSpan Waited, string? Trace)
{
    /// <summary>Shorter waits are covered by the player's buffer and are not reported.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromSeconds(1);
}

/// <summary>Filler bytes that a reader returned in place of lost ones. Only where the user enabled it.</summary>
/// <param name="Bytes">Filler bytes since the reader was opened.</param>
/// <param name="Segment">The segment most recently replaced, by its index in the file's <see cref="ExtentMap"/>.</param>
/// <param name="Reason">Why that segment could not be read, as sentences.</param>
public sealed record ReaderFiller(long Bytes, int Segment, string Reason)
{
    /// <summary>Adds up the filler of two successive readers of one file.</summary>
    public static ReaderFiller? Sum(ReaderFiller? earlier, ReaderFiller? later) =>
        earlier is null || later is null ? later ?? earlier : later with { Bytes = earlier.Bytes + later.Bytes };
}
