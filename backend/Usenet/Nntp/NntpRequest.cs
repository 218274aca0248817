using NzbDav.Content;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// One command for a connection. Owned by the connection from <see cref="NntpConnection.TrySubmit"/> until its owner is notified of its
/// end.
/// </summary>
internal class NntpRequest(NntpCommand command)
{
    public NntpCommand Command { get; } = command;

    /// <summary>The command that was sent for it: another one than <see cref="Command"/> where a server does not know STAT.</summary>
    public NntpCommand Sent { get; set; } = command;

    /// <summary>The requested article, without angle brackets; empty for DATE and QUIT.</summary>
    public virtual string MessageId => "";

    /// <summary>Receives the bytes. For BODY only.</summary>
    public virtual SegmentFlight Flight => throw new InvalidOperationException($"{Command} brings no bytes.");

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

    /// <summary>The headers of an article (RFC 3977 §6.2.2), in place of STAT where a server does not know that.</summary>
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

    /// <summary>The provider does not have it (430, 423, 420, 451; or it sent the headers alone).</summary>
    Missing,

    /// <summary>Damaged: wrong checksum or size, or an unknown format.</summary>
    Corrupt,

    /// <summary>Intact, in an encoding that is not supported: other copies are no better.</summary>
    Foreign,

    /// <summary>Intact, but not the part that was expected.</summary>
    Mismatch,

    /// <summary>The connection was lost with the request on the wire.</summary>
    Lost,

    /// <summary>The server refuses to serve articles on this connection (400, 480, 481, 482, 502), which is closed.</summary>
    Refused,

    /// <summary>
    /// The connection was closed before it took the request, or before its turn came; or the server does not know the command.
    /// </summary>
    NotSent,

    /// <summary>
    /// Not needed any more, as another attempt was faster; or its connection was given up (<see cref="NntpConnection.GiveUp"/>).
    /// </summary>
    Superseded,
}
