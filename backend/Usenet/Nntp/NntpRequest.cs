using NzbDav.Content;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// One command for a connection. Belongs to the connection from <see cref="NntpConnection.TrySubmit"/> until the connection's owner is
/// notified of its end.
/// </summary>
internal class NntpRequest(NntpCommand command)
{
    public NntpCommand Command { get; } = command;

    /// <summary>The command that was sent for it. Differs from <see cref="Command"/> if the server does not know STAT.</summary>
    public NntpCommand Sent { get; set; } = command;

    /// <summary>The requested article, without angle brackets; empty for DATE and QUIT.</summary>
    public virtual string MessageId => "";

    /// <summary>Receives the bytes. For BODY only.</summary>
    public virtual SegmentFlight Flight => throw new InvalidOperationException($"{Command} delivers no bytes.");

    /// <summary>Current priority of the request.</summary>
    public virtual FetchPriority Urgency => FetchPriority.Health;

    /// <summary>When it was queued; 0 when it never was.</summary>
    public long QueuedAt { get; init; }

    /// <summary>When it was sent; 0 before.</summary>
    public long SentAt { get; set; }
}

/// <summary>The commands that are pipelined on a logged-in connection.</summary>
internal enum NntpCommand
{
    /// <summary>The body of an article by message-id (RFC 3977 §6.2.3).</summary>
    Body,

    /// <summary>Whether an article exists (RFC 3977 §6.2.4).</summary>
    Stat,

    /// <summary>The headers of an article (RFC 3977 §6.2.2). Used in place of STAT if a server does not know STAT.</summary>
    Head,

    /// <summary>Keeps an idle connection alive (RFC 3977 §7.1).</summary>
    Date,

    /// <summary>Ends the session (RFC 3977 §5.4).</summary>
    Quit,
}

/// <summary>How one request on one connection ended.</summary>
internal enum AttemptOutcome
{
    /// <summary>Complete and intact.</summary>
    Found,

    /// <summary>The provider does not have it: it answered 430, 423, 420 or 451, or sent only the headers.</summary>
    Missing,

    /// <summary>Damaged: wrong checksum or size, or an unknown format.</summary>
    Corrupt,

    /// <summary>Intact, but in an encoding that is not supported. Other copies have the same encoding.</summary>
    Foreign,

    /// <summary>Intact, but not the part that was expected.</summary>
    Mismatch,

    /// <summary>The connection was lost while the request was under way.</summary>
    Lost,

    /// <summary>The same, because nothing arrived for too long.</summary>
    TimedOut,

    /// <summary>The server refuses to serve articles on this connection (400, 480, 481, 482, 502), which is closed.</summary>
    Refused,

    /// <summary>
    /// Not answered through no fault of the article: the connection was closed before it accepted the request or before the request was
    /// next, or the server does not know the command.
    /// </summary>
    NotSent,

    /// <summary>
    /// No longer needed because another attempt was faster, or its connection was given up (<see cref="NntpConnection.GiveUp"/>).
    /// </summary>
    Superseded,
}

/// <summary>The end of one request on one connection.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="Reason">
/// For a log or an error message; the name of the encoding if foreign; null if found, mismatched or superseded.
/// </param>
/// <param name="Mismatched">
/// The article of a mismatch, with one reference that the receiver of this value owns; null otherwise.
/// </param>
/// <param name="Header">Its header; null otherwise.</param>
internal readonly record struct AttemptEnd(
    AttemptOutcome Outcome, string? Reason = null, PooledBuffer? Mismatched = null, ArticleHeader? Header = null);
