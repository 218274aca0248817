namespace NzbDav.Api.Native.Streams;

/// <summary>A client that reads a file. All ranges that one player requests belong to one stream, which is kept for 15 seconds after its
/// last request.</summary>
internal sealed record StreamBody
{
    /// <summary>Identifies the stream while it is listed.</summary>
    public required string Id { get; init; }

    /// <summary>The file; null if it is not a file of the tree.</summary>
    public required string? ItemId { get; init; }

    /// <summary>The file's path, not encoded.</summary>
    public required string Path { get; init; }

    /// <summary>The file's name.</summary>
    public required string Name { get; init; }

    /// <summary>The file's size in bytes.</summary>
    public required long Size { get; init; }

    /// <summary>The client's address.</summary>
    public required string Address { get; init; }

    /// <summary>The client's program, derived from its User-Agent: <c>VLC</c>, <c>Infuse</c>, <c>rclone</c>.</summary>
    public required string Program { get; init; }

    /// <summary>The client's User-Agent; null: it sends none.</summary>
    public required string? UserAgent { get; init; }

    /// <summary>The user who reads; null: not known.</summary>
    public required string? User { get; init; }

    /// <summary>The interface of its last request.</summary>
    public required StreamVia Via { get; init; }

    /// <summary>When its first request came.</summary>
    public required DateTimeOffset Begun { get; init; }

    /// <summary>Its current state.</summary>
    public required StreamState State { get; init; }

    /// <summary>
    /// Set if it looks like a program that scans files, and therefore gives way to all others; null: it is served like any player.
    /// </summary>
    public required StreamScan? Scan { get; init; }

    /// <summary>Offset in the file after the last byte that was sent.</summary>
    public required long Position { get; init; }

    /// <summary>Bytes sent in all its requests.</summary>
    public required long Sent { get; init; }

    /// <summary>Bytes per second over the last five seconds.</summary>
    public required long Rate { get; init; }

    /// <summary>Bytes beyond <see cref="Position"/> that are already in memory.</summary>
    public required long Ahead { get; init; }

    /// <summary>Seconds from its first request until the first byte was available; null: not yet.</summary>
    public required double? FirstByteSeconds { get; init; }

    /// <summary>How often it waited for bytes after the first one, for 50 ms or longer.</summary>
    public required int Waits { get; init; }

    /// <summary>Total length of these waits.</summary>
    public required double WaitSeconds { get; init; }

    /// <summary>Its latest wait of a second or more; null: there was none.</summary>
    public required StreamWaitBody? LastWait { get; init; }

    /// <summary>The filler it was sent in place of bytes that no provider has (setting <c>Usenet:Holes</c>); null: none.</summary>
    public required StreamFillerBody? Filler { get; init; }

    /// <summary>What it is waiting for now; null: nothing, or not known.</summary>
    public required string? WaitingFor { get; init; }

    /// <summary>The provider that was last asked for the awaited article; null: none yet, or not known.</summary>
    public required string? WaitingProvider { get; init; }

    /// <summary>Articles in flight for it; for a torrent, blocks in flight for all of its readers; null: not known.</summary>
    public required int? InFlight { get; init; }
}

/// <summary>Current state of a stream.</summary>
internal enum StreamState
{
    /// <summary>Bytes are being sent.</summary>
    Streaming,

    /// <summary>The client waits for bytes that have not arrived yet.</summary>
    Waiting,

    /// <summary>The client reads nothing.</summary>
    Idle,
}

/// <summary>The interface through which a file is read.</summary>
internal enum StreamVia
{
    /// <summary>WebDAV.</summary>
    Webdav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,

    /// <summary>The mount of this server.</summary>
    Mount,
}

/// <summary>How a program reads that scans files instead of playing them.</summary>
internal enum StreamScan
{
    /// <summary>Continuously, faster than anybody watches: intro detection, trickplay, a copy.</summary>
    Fast,

    /// <summary>In short steps through the file: thumbnails, chapter images.</summary>
    Steps,
}

/// <summary>A client's wait of a second or more: a visible stutter.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">How long it was.</param>
/// <param name="Article">The article of the file that was waited for, from 1; null: not known, or the file is a torrent's.</param>
/// <param name="Story">Which providers were asked for it, with what result and how long it took; null: not known.</param>
internal sealed record StreamWaitBody(DateTimeOffset At, double Seconds, int? Article, string? Story);

/// <summary>Filler that a client was sent in place of bytes that no provider has: zeros, or null packets of a transport stream.</summary>
/// <param name="Bytes">Number of bytes, in all its requests.</param>
/// <param name="Article">The article of the file that the latest filler replaced, from 1.</param>
/// <param name="Reason">Why that article was not available.</param>
internal sealed record StreamFillerBody(long Bytes, int Article, string Reason);

/// <summary>The current readers.</summary>
/// <param name="Streams">In the order in which they began.</param>
internal sealed record StreamListBody(IReadOnlyList<StreamBody> Streams);
