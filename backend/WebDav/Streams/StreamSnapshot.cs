using NzbDav.Content;

namespace NzbDav.WebDav.Streams;

/// <summary>A stream at one moment: a client that reads a file, with all its ranges.</summary>
public sealed record StreamSnapshot
{
    /// <summary>Identifies the stream for the life of the process.</summary>
    public required string Id { get; init; }

    /// <summary>Its latest request.</summary>
    public required StreamSource Source { get; init; }

    /// <summary>When its first request arrived.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Its activity.</summary>
    public required StreamActivity Activity { get; init; }

    /// <summary>Number of current responses.</summary>
    public required int Responses { get; init; }

    /// <summary>Offset after the last byte that its latest response sent.</summary>
    public required long Position { get; init; }

    /// <summary>Bytes sent, for all responses.</summary>
    public required long Sent { get; init; }

    /// <summary>Bytes per second over the last five seconds.</summary>
    public required long Rate { get; init; }

    /// <summary>The detected scan pattern. A scan yields to all other streams.</summary>
    public required ScanSign Scan { get; init; }

    /// <summary>State of the reader of its latest response.</summary>
    public required ReaderState Reader { get; init; }

    /// <summary>Time from its first request until the first byte was available; null: not yet.</summary>
    public required TimeSpan? FirstByte { get; init; }

    /// <summary>Number of waits for bytes after the first byte, of 50 ms or longer.</summary>
    public required int Waits { get; init; }

    /// <summary>Total waiting time, including the current wait.</summary>
    public required TimeSpan Waited { get; init; }

    /// <summary>Its latest wait that a person may have noticed, for the first byte or later; null: none.</summary>
    public required StreamWait? LastWait { get; init; }

    /// <summary>Filler sent in place of bytes that are gone everywhere, for all responses; null: none.</summary>
    public ReaderFiller? Filler { get; init; }
}

/// <summary>Activities of a stream.</summary>
public enum StreamActivity
{
    /// <summary>Bytes are being sent.</summary>
    Streaming,

    /// <summary>A response waits for bytes that have not arrived yet.</summary>
    Waiting,

    /// <summary>The client takes nothing, or requests nothing.</summary>
    Idle,
}

/// <summary>A wait of a client of <see cref="ReaderWait.Least"/> or more.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Waited">How long.</param>
/// <param name="Wait">The reader's report of it; null: none.</param>
public sealed record StreamWait(DateTimeOffset At, TimeSpan Waited, ReaderWait? Wait);
