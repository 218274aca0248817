using System.Globalization;

namespace NzbDav.Content.Recording;

/// <summary>
/// One line of a recording, of any kind (<see cref="LineKinds"/>): the format, version <see cref="Current"/>. A recording is JSON lines in
/// UTF-8, plain or gzipped. Times are milliseconds since its beginning. Providers, files, clients, requests and connections are numbers
/// that mean nothing outside the recording. Contains no name, host, address or message-id.
/// </summary>
public sealed record RecordedLine
{
    /// <summary>Version of the format that is written and read.</summary>
    public const int Current = 1;

    /// <summary>One of <see cref="LineKinds"/>.</summary>
    public required string Kind { get; init; }

    /// <summary>When it happened; for something that takes time, when it ended. Milliseconds since the beginning.</summary>
    public double? At { get; init; }

    /// <summary>recording: version of the format.</summary>
    public int? Version { get; init; }

    /// <summary>recording: the time at which it begins.</summary>
    public DateTimeOffset? Begun { get; init; }

    /// <summary>recording: the version of NzbDav that made it.</summary>
    public string? By { get; init; }

    /// <summary>Number of a provider, 0 to 63.</summary>
    public int? Provider { get; init; }

    /// <summary>provider: connections that its account is configured with.</summary>
    public int? Connections { get; init; }

    /// <summary>provider: its priority, 0 to 99. article, stat: how urgent, 0 (a reader waits) to 5 (health checks).</summary>
    public int? Priority { get; init; }

    /// <summary>provider: number of its backbone; absent where none is configured.</summary>
    public int? Backbone { get; init; }

    /// <summary>provider: whether it is a block account.</summary>
    public bool? Block { get; init; }

    /// <summary>Number of a file, from 1.</summary>
    public int? File { get; init; }

    /// <summary>file: its size in bytes.</summary>
    public long? Size { get; init; }

    /// <summary>
    /// file: how it was posted, as runs of [number of identical volumes, articles, bytes, decoded bytes of an article]; empty for a
    /// torrent's file.
    /// </summary>
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

    /// <summary>sent: milliseconds of the period in which the client took nothing.</summary>
    public double? Stalled { get; init; }

    /// <summary>sent: milliseconds of the period in which the response waited for bytes.</summary>
    public double? Waited { get; init; }

    /// <summary>wait: offset in the file.</summary>
    public long? Position { get; init; }

    /// <summary>end, article, stat, failed, closed: how it ended, in lower case.</summary>
    public string? Outcome { get; init; }

    /// <summary>Number of a connection.</summary>
    public int? Connection { get; init; }

    /// <summary>article, stat: index of the article in the file, from 0; absent if it belongs to no file of the recording.</summary>
    public int? Article { get; init; }

    /// <summary>article, stat: when it was queued for a connection.</summary>
    public double? Queued { get; init; }

    /// <summary>article, stat: when it was requested.</summary>
    public double? Asked { get; init; }

    /// <summary>article, stat: when it became the first in its connection's pipeline.</summary>
    public double? Next { get; init; }

    /// <summary>article, stat: when the first byte of the answer arrived.</summary>
    public double? First { get; init; }

    /// <summary>article: the longest pause after its first byte, in milliseconds; absent below 20.</summary>
    public double? Pause { get; init; }

    /// <summary>article: decoded bytes received before <see cref="Pause"/>.</summary>
    public int? After { get; init; }

    /// <summary>failed, closed: number of open connections.</summary>
    public int? Open { get; init; }

    /// <summary>cap: connections that the account allows.</summary>
    public int? Limit { get; init; }

    /// <summary>over: number of lines before this one.</summary>
    public long? Lines { get; init; }
}

/// <summary>The kinds of <see cref="RecordedLine"/>.</summary>
public static class LineKinds
{
    /// <summary>The first line.</summary>
    public const string Recording = "recording";

    /// <summary>A provider.</summary>
    public const string Provider = "provider";

    /// <summary>A file and how it was posted.</summary>
    public const string File = "file";

    /// <summary>A client asks for bytes.</summary>
    public const string Request = "request";

    /// <summary>The first bytes for a request are available.</summary>
    public const string First = "first";

    /// <summary>Bytes were sent.</summary>
    public const string Sent = "sent";

    /// <summary>A wait for bytes is over.</summary>
    public const string Wait = "wait";

    /// <summary>A request is over.</summary>
    public const string End = "end";

    /// <summary>A provider was asked for an article.</summary>
    public const string Article = "article";

    /// <summary>A provider was asked whether it has an article.</summary>
    public const string Stat = "stat";

    /// <summary>A connection was opened.</summary>
    public const string Opened = "opened";

    /// <summary>A connection could not be opened.</summary>
    public const string Failed = "failed";

    /// <summary>A connection ended.</summary>
    public const string Closed = "closed";

    /// <summary>An account allows fewer connections than configured.</summary>
    public const string Cap = "cap";

    /// <summary>The last line: the recording is complete.</summary>
    public const string RecordingEnd = "over";
}

/// <summary>Validates a line of a recording. Pure.</summary>
internal static class LineCheck
{
    /// <summary>A century in milliseconds; larger values are invalid.</summary>
    private const double LongestMs = 3.2e12;

    private const long LargestFile = 1L << 50;
    private const int LargestArticle = 64 << 20;

    /// <summary>Most articles in all volumes of a file: about 14 TB at the usual article size.</summary>
    private const long MostArticles = 20_000_000;

    /// <summary>
    /// Describes the fault of a line. Null if there is none, or if the kind is unknown: then a newer version wrote the line, and it is
    /// skipped.
    /// </summary>
    public static string? FaultOf(RecordedLine line)
    {
        foreach (var (name, time) in (ReadOnlySpan<(string, double?)>)[("at", line.At), ("ms", line.Ms), ("queued", line.Queued),
            ("asked", line.Asked), ("next", line.Next), ("first", line.First), ("stalled", line.Stalled), ("pause", line.Pause),
            ("waited", line.Waited)])
        {
            if (time is { } value && !(value is >= 0 and <= LongestMs))
                return string.Create(CultureInfo.InvariantCulture, $"\"{name}\" is {value}, which is no time in milliseconds");
        }

        return line.Kind switch
        {
            LineKinds.Provider => Require(line.Provider, "provider", 0, 63) ?? Require(line.Connections, "connections", 1, 500)
                ?? Require(line.Priority, "priority", 0, 99),
            LineKinds.File => Require(line.File, "file", 1, int.MaxValue) ?? Require(line.Size, "size", 1, LargestFile)
            ?? FaultOf(line.Volumes),
            LineKinds.Request => At(line) ?? Require(line.Request, "request", 1, long.MaxValue)
            ?? Require(line.Client, "client", 1, int.MaxValue)
                ?? Require(line.File, "file", 1, int.MaxValue)
                ?? Require(line.Start, "start", 0, LargestFile) ?? Require(line.End, "end", line.Start!.Value + 1, LargestFile),
            LineKinds.First => At(line) ?? Require(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms"),
            LineKinds.Sent => At(line) ?? Require(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms")
                ?? Require(line.Bytes, "bytes", 0, LargestFile),
            LineKinds.Wait => At(line) ?? Require(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms")
                ?? Require(line.Position, "position", 0, LargestFile),
            LineKinds.End => At(line) ?? Require(line.Request, "request", 1, long.MaxValue) ?? Require(line.Bytes, "bytes", 0, LargestFile)
                ?? Name<ResponseEnd>(line.Outcome),
            LineKinds.Article or LineKinds.Stat => At(line) ?? Require(line.Provider, "provider", 0, 63)
                ?? Require(line.Connection, "connection", 0, int.MaxValue) ?? Time(line.Asked, "asked")
                ?? Require(line.Bytes ?? 0, "bytes", 0, LargestArticle) ?? Require(line.After ?? 0, "after", 0, LargestArticle)
                    ?? Require(line.Article ?? 0, "article", 0, int.MaxValue) ?? Name<ArticleResult>(line.Outcome),
            LineKinds.Opened => At(line) ?? Require(line.Provider, "provider", 0, 63)
            ?? Require(line.Connection, "connection", 0, int.MaxValue),
            LineKinds.Failed => At(line) ?? Require(line.Provider, "provider", 0, 63) ?? Require(line.Open, "open", 0, int.MaxValue)
                ?? Name<ConnectFault>(line.Outcome),
            LineKinds.Closed => At(line) ?? Require(line.Provider, "provider", 0, 63) ?? Require(line.Open, "open", 0, int.MaxValue)
                ?? Name<ConnectionEnd>(line.Outcome),
            LineKinds.Cap => At(line) ?? Require(line.Provider, "provider", 0, 63) ?? Require(line.Limit, "limit", 1, 500),
            _ => null,
        };
    }

    private static string? At(RecordedLine line) => Time(line.At, "at");

    private static string? Time(double? value, string name) => value is null ? $"\"{name}\" is missing" : null;

    private static string? Require(long? value, string name, long least, long most) => value is null ? $"\"{name}\" is missing"
        : value < least || value > most
            ? string.Create(CultureInfo.InvariantCulture, $"\"{name}\" is {value}: it must be {least} … {most}") : null;

    private static string? Name<T>(string? value)
        where T : struct, Enum => value is null ? "\"outcome\" is missing"
        : Enum.TryParse<T>(value, ignoreCase: true, out var parsed) && Enum.IsDefined(parsed) && !char.IsAsciiDigit(value[0]) ? null
        : $"\"outcome\" is \"{value}\": it must be one of {string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant()}";

    private static string? FaultOf(IReadOnlyList<long[]>? volumes)
    {
        if (volumes is null)
            return "\"volumes\" is missing";
        long articles = 0;
        foreach (var volume in volumes)
        {
            if (volume is not [>= 1 and <= MostArticles, >= 1 and <= MostArticles, >= 1 and <= LargestFile, >= 1 and <= LargestArticle])
                return "\"volumes\" holds one that is not [how many alike, articles, bytes, bytes of an article]";
            articles += volume[0] * volume[1];
            if (articles > MostArticles)
                return string.Create(CultureInfo.InvariantCulture, $"\"volumes\" has more than {MostArticles} articles");
        }

        return null;
    }
}
