namespace NzbDav.Host.Telemetry;

/// <summary>A read of a file by a client, as the support bundle tells of it.</summary>
internal sealed record StreamTrace
{
    public DateTimeOffset Begun { get; init; }

    /// <summary>Null while it goes on.</summary>
    public double? Seconds { get; init; }

    public long Start { get; init; }

    public long Length { get; init; }

    public int Parts { get; init; }

    public long Size { get; init; }

    /// <summary>Null: none came yet.</summary>
    public double? FirstByteMilliseconds { get; init; }

    public long Sent { get; init; }

    /// <summary><c>complete</c>, <c>client_gone</c>, <c>refused</c>, <c>broken</c>; null: it goes on, or an error of the program ended it.</summary>
    public string? Outcome { get; init; }

    public string? Fault { get; init; }

    /// <summary>What the client waited long for.</summary>
    public StreamTraceWait[] Waits { get; init; } = [];

    /// <summary>Which file; null where names are not to be told.</summary>
    public string? Path { get; init; }
}
