using NzbDav.Content;

namespace NzbDav.Usenet.Nntp;

/// <summary>One command for a connection. Owned by the connection from <see cref="NntpConnection.TrySubmit"/> until its owner is notified of its end.</summary>
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
