namespace NzbDav.Content.Recording;

/// <summary>
/// One line of a recording, of any kind (<see cref="LineKinds"/>): the format, version <see cref="Current"/>. A recording is JSON lines in UTF-8, plain or as gzip. Times are milliseconds since its
/// beginning. Providers, files, clients, requests and connections are numbers without meaning outside the recording. Holds no name, host, address or message-id.
/// </summary>
public sealed record RecordedLine
{
    /// <summary>Version of the format that is written and read.</summary>
    public const int Current = 1;

    /// <summary>Kind of the line.</summary>
    public required string Kind { get; init; }

    /// <summary>When it happened; for something that takes time, when it ended. Milliseconds.</summary>
    public double? At { get; init; }

    /// <summary>recording: version of the format.</summary>
    public int? Version { get; init; }

    /// <summary>recording: when it begins.</summary>
    public DateTimeOffset? Begun { get; init; }

    /// <summary>recording: the version of NzbDav that made it.</summary>
    public string? By { get; init; }

    /// <summary>Number of a provider, 0 to 63.</summary>
    public int? Provider { get; init; }

    /// <summary>provider: connections that its account is configured with.</summary>
    public int? Connections { get; init; }

    /// <summary>provider: its priority, 0 to 99. article: how urgent, 0 (a reader waits) to 4 (health checks).</summary>
    public int? Priority { get; init; }

    /// <summary>provider: number of its backbone; absent where none is configured.</summary>
    public int? Backbone { get; init; }

    /// <summary>provider: a block account.</summary>
    public bool? Block { get; init; }

    /// <summary>Number of a file, from 1.</summary>
    public int? File { get; init; }

    /// <summary>file: its size in bytes.</summary>
    public long? Size { get; init; }

    /// <summary>file: how it was posted, each as [how many alike, articles, bytes, decoded bytes of an article]; empty for a torrent's file.</summary>
    public IReadOnlyList<long[]>? Volumes { get; init; }

    /// <summary>Number of a request.</summary>
    public long? Request { get; init; }

    /// <summary>request: number of the client.</summary>
    public int? Client { get; init; }

    /// <summary>request: the client's program, if recognised.</summary>
    public string? Program { get; init; }

    /// <summary>request: first byte.</summary>
    public long? Start { get; init; }

    /// <summary>request: one past the last byte.</summary>
    public long? End { get; init; }

    /// <summary>request: the assumed intent, 0 (playback) and up.</summary>
    public int? Intent { get; init; }

    /// <summary>first, wait, opened: duration in milliseconds. sent: the period covered.</summary>
    public double? Ms { get; init; }

    /// <summary>sent, end: bytes. article: decoded bytes received.</summary>
    public long? Bytes { get; init; }

    /// <summary>sent: part of the period in which the client took nothing, in milliseconds.</summary>
    public double? Stalled { get; init; }

    /// <summary>sent: part of the period in which the response waited for bytes, in milliseconds.</summary>
    public double? Waited { get; init; }

    /// <summary>wait: offset in the file.</summary>
    public long? Position { get; init; }

    /// <summary>end, article, stat, failed, closed: how it ended, in small letters.</summary>
    public string? Outcome { get; init; }

    /// <summary>Number of a connection.</summary>
    public int? Connection { get; init; }

    /// <summary>article, stat: its number in the file, from 0; absent if it belongs to no file of the recording.</summary>
    public int? Article { get; init; }

    /// <summary>article, stat: when it began to wait for a connection.</summary>
    public double? Queued { get; init; }

    /// <summary>article, stat: when it was asked for.</summary>
    public double? Asked { get; init; }

    /// <summary>article, stat: when it became the next one on its connection.</summary>
    public double? Next { get; init; }

    /// <summary>article, stat: when the first byte of the answer arrived.</summary>
    public double? First { get; init; }

    /// <summary>article: the longest pause after its first byte, in milliseconds; absent below 20.</summary>
    public double? Pause { get; init; }

    /// <summary>article: decoded bytes received before <see cref="Pause"/>.</summary>
    public int? After { get; init; }

    /// <summary>failed, closed: connections that were open.</summary>
    public int? Open { get; init; }

    /// <summary>cap: connections that the account allows.</summary>
    public int? Limit { get; init; }

    /// <summary>over: lines before this one.</summary>
    public long? Lines { get; init; }
}
