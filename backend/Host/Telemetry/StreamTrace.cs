namespace NzbDav.Host.Telemetry;

/// <summary>A client's read of a file, in the support bundle.</summary>
internal sealed record StreamTrace
{
    public DateTimeOffset Begun { get; init; }

    /// <summary>Null while it is in progress.</summary>
    public double? Seconds { get; init; }

    public long Start { get; init; }

    public long Length { get; init; }

    public int Parts { get; init; }

    public long Size { get; init; }

    /// <summary>Null: none was sent yet.</summary>
    public double? FirstByteMilliseconds { get; init; }

    public long Sent { get; init; }

    /// <summary><c>complete</c>, <c>client_gone</c>, <c>refused</c>, <c>broken</c>; null: it is in progress, or an error in the program ended it.</summary>
    public string? Outcome { get; init; }

    public string? Fault { get; init; }

    /// <summary>The long waits of the client.</summary>
    public StreamTraceWait[] Waits { get; init; } = [];

    /// <summary>The file; null if names are left out.</summary>
    public string? Path { get; init; }
}
