using NzbDav.Content;

namespace NzbDav.WebDav.Streams;

/// <summary>A stream as it was when it was asked for: a client that reads a file, with all its ranges.</summary>
public sealed record StreamSnapshot
{
    /// <summary>Names the stream for the life of the process.</summary>
    public required string Id { get; init; }

    /// <summary>Its last request.</summary>
    public required StreamSource Source { get; init; }

    /// <summary>When its first request came.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>What it does.</summary>
    public required StreamActivity Activity { get; init; }

    /// <summary>Responses that are under way.</summary>
    public required int Responses { get; init; }

    /// <summary>Offset behind the last byte that its last response sent.</summary>
    public required long Position { get; init; }

    /// <summary>Bytes sent, of all responses.</summary>
    public required long Sent { get; init; }

    /// <summary>Bytes per second over the last five seconds.</summary>
    public required long Rate { get; init; }

    /// <summary>Whether it reads as a program that scans files: then it gives way to all others.</summary>
    public required ScanSign Scan { get; init; }

    /// <summary>What the reader of its last response is at.</summary>
    public required ReaderState Reader { get; init; }

    /// <summary>From its first request to the first byte being at hand; null: not yet.</summary>
    public required TimeSpan? FirstByte { get; init; }

    /// <summary>How often it waited for bytes after the first, for 50 ms or longer.</summary>
    public required int Waits { get; init; }

    /// <summary>How long altogether, the wait that lasts included.</summary>
    public required TimeSpan Waited { get; init; }

    /// <summary>Its latest wait that a person may have seen, for the first byte or later; null: there was none.</summary>
    public required StreamWait? LastWait { get; init; }

    /// <summary>What it was sent in place of bytes that are gone everywhere, of all responses; null: nothing.</summary>
    public ReaderFiller? Filler { get; init; }
}

/// <summary>What a stream does.</summary>
public enum StreamActivity
{
    /// <summary>Bytes are sent.</summary>
    Streaming,

    /// <summary>A response waits for bytes that are not here yet.</summary>
    Waiting,

    /// <summary>The client takes nothing, or asks for nothing now.</summary>
    Idle,
}

/// <summary>A wait of <see cref="ReaderWait.Least"/> or more that a client had.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Waited">How long.</param>
/// <param name="Wait">What the reader tells of it; null: nothing.</param>
public sealed record StreamWait(DateTimeOffset At, TimeSpan Waited, ReaderWait? Wait);
