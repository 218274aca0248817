namespace NzbDav.Api.Native.Streams;


/// <summary>A client that reads a file. The ranges that one player asks for are one stream, which is kept for 15 seconds after its last request.</summary>
internal sealed record StreamBody
{
    /// <summary>Names the stream while it is listed.</summary>
    public required string Id { get; init; }

    /// <summary>The file; null for what is no file of the tree.</summary>
    public required string? ItemId { get; init; }

    /// <summary>The file's path, not encoded.</summary>
    public required string Path { get; init; }

    /// <summary>The file's name.</summary>
    public required string Name { get; init; }

    /// <summary>The file's bytes.</summary>
    public required long Size { get; init; }

    /// <summary>The client's address.</summary>
    public required string Address { get; init; }

    /// <summary>The client's program, made of its User-Agent: <c>VLC</c>, <c>Infuse</c>, <c>rclone</c>.</summary>
    public required string Program { get; init; }

    /// <summary>The client's User-Agent; null: it sends none.</summary>
    public required string? UserAgent { get; init; }

    /// <summary>Who reads; null: not known.</summary>
    public required string? User { get; init; }

    /// <summary>By which address its last request came.</summary>
    public required StreamVia Via { get; init; }

    /// <summary>When its first request came.</summary>
    public required DateTimeOffset Begun { get; init; }

    /// <summary>What it does now.</summary>
    public required StreamState State { get; init; }

    /// <summary>It is taken for a program that scans files, and gives way to all others; null: it is served as any player.</summary>
    public required StreamScan? Scan { get; init; }

    /// <summary>Offset in the file behind the last byte that was sent.</summary>
    public required long Position { get; init; }

    /// <summary>Bytes sent, of all its requests.</summary>
    public required long Sent { get; init; }

    /// <summary>Bytes per second over the last five seconds.</summary>
    public required long Rate { get; init; }

    /// <summary>Bytes that are here beyond <see cref="Position"/>.</summary>
    public required long Ahead { get; init; }

    /// <summary>From its first request to the first byte being at hand; null: not yet.</summary>
    public required double? FirstByteSeconds { get; init; }

    /// <summary>How often it waited for bytes after the first, for 50 ms or longer.</summary>
    public required int Waits { get; init; }

    /// <summary>How long altogether.</summary>
    public required double WaitSeconds { get; init; }

    /// <summary>Its latest wait of a second or more; null: there was none.</summary>
    public required StreamWaitBody? LastWait { get; init; }

    /// <summary>What it was sent in place of bytes that are gone everywhere (setting <c>Usenet:Holes</c>); null: nothing.</summary>
    public required StreamFillerBody? Filler { get; init; }

    /// <summary>What it waits for now; null: nothing, or not known.</summary>
    public required string? WaitingFor { get; init; }

    /// <summary>The provider that was asked last for what it waits for; null: none yet, or not known.</summary>
    public required string? WaitingProvider { get; init; }

    /// <summary>Articles on their way to it, or of a torrent the blocks for all of its readers; null: not known.</summary>
    public required int? InFlight { get; init; }
}
