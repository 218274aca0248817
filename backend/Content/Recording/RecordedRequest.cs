namespace NzbDav.Content.Recording;

/// <summary>A client's request and its outcome. Times are milliseconds since the recording's beginning.</summary>
public sealed class RecordedRequest
{
    /// <summary>The line that began it.</summary>
    public required RecordedLine Line { get; init; }

    /// <summary>When it arrived.</summary>
    public double At => Line.At!.Value;

    /// <summary>How long the first byte took; null: there was none.</summary>
    public double? FirstByte { get; internal set; }

    /// <summary>Bytes sent, in order.</summary>
    public List<RecordedLine> Sent { get; } = [];

    /// <summary>Its waits, in order.</summary>
    public List<RecordedLine> Waits { get; } = [];

    /// <summary>When it ended; null: the recording ends earlier.</summary>
    public double? EndedAt { get; internal set; }

    /// <summary>How it ended.</summary>
    public ResponseEnd Outcome { get; internal set; }

    /// <summary>Bytes that were sent.</summary>
    public long Bytes => Math.Max(_bytes, Sent.Sum(line => line.Bytes!.Value));

    internal void Ended(RecordedLine line)
    {
        EndedAt = line.At;
        _bytes = line.Bytes!.Value;
        Outcome = Enum.Parse<ResponseEnd>(line.Outcome!, ignoreCase: true);
    }

    private long _bytes;
}
