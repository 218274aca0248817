using System.Globalization;

namespace NzbDav.Content.Recording;

/// <summary>Validates a line of a recording. Pure.</summary>
internal static class LineCheck
{
    /// <summary>A century in milliseconds: larger values are no valid time.</summary>
    private const double LongestMs = 3.2e12;

    private const long LargestFile = 1L << 50;
    private const int LargestArticle = 64 << 20;

    /// <summary>Most articles of all volumes of a file: a petabyte at the usual article size has more.</summary>
    private const long MostArticles = 20_000_000;

    /// <summary>What is wrong with a line; null when nothing is, or when its kind is unknown: then a newer version wrote it and it is
    /// skipped.</summary>
    public static string? FaultOf(RecordedLine line)
    {
        foreach (var (name, time) in (ReadOnlySpan<(string, double?)>)[("at", line.At), ("ms", line.Ms), ("queued", line.Queued), ("asked", line.Asked), ("next", line.Next), ("first", line.First), ("stalled", line.Stalled), ("pause", line.Pause), ("waited", line.Waited)])
        {
            if (time is { } value && !(value is >= 0 and <= LongestMs))
                return string.Create(CultureInfo.InvariantCulture, $"\"{name}\" is {value}, which is no time in milliseconds");
        }

        return line.Kind switch
        {
            LineKinds.Provider => Need(line.Provider, "provider", 0, 63) ?? Need(line.Connections, "connections", 1, 500) ?? Need(line.Priority, "priority", 0, 99),
            LineKinds.File => Need(line.File, "file", 1, int.MaxValue) ?? Need(line.Size, "size", 1, LargestFile) ?? FaultOf(line.Volumes),
            LineKinds.Request => At(line) ?? Need(line.Request, "request", 1, long.MaxValue) ?? Need(line.Client, "client", 1, int.MaxValue) ?? Need(line.File, "file", 1, int.MaxValue)
                ?? Need(line.Start, "start", 0, LargestFile) ?? Need(line.End, "end", line.Start!.Value + 1, LargestFile),
            LineKinds.First => At(line) ?? Need(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms"),
            LineKinds.Sent => At(line) ?? Need(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms") ?? Need(line.Bytes, "bytes", 0, LargestFile),
            LineKinds.Wait => At(line) ?? Need(line.Request, "request", 1, long.MaxValue) ?? Time(line.Ms, "ms") ?? Need(line.Position, "position", 0, LargestFile),
            LineKinds.End => At(line) ?? Need(line.Request, "request", 1, long.MaxValue) ?? Need(line.Bytes, "bytes", 0, LargestFile) ?? Name<ResponseEnd>(line.Outcome),
            LineKinds.Article or LineKinds.Stat => At(line) ?? Need(line.Provider, "provider", 0, 63) ?? Need(line.Connection, "connection", 0, int.MaxValue) ?? Time(line.Asked, "asked")
                ?? Need(line.Bytes ?? 0, "bytes", 0, LargestArticle) ?? Need(line.After ?? 0, "after", 0, LargestArticle) ?? Need(line.Article ?? 0, "article", 0, int.MaxValue) ?? Name<ArticleResult>(line.Outcome),
            LineKinds.Opened => At(line) ?? Need(line.Provider, "provider", 0, 63) ?? Need(line.Connection, "connection", 0, int.MaxValue),
            LineKinds.Failed => At(line) ?? Need(line.Provider, "provider", 0, 63) ?? Need(line.Open, "open", 0, int.MaxValue) ?? Name<ConnectFault>(line.Outcome),
            LineKinds.Closed => At(line) ?? Need(line.Provider, "provider", 0, 63) ?? Need(line.Open, "open", 0, int.MaxValue) ?? Name<ConnectionEnd>(line.Outcome),
            LineKinds.Cap => At(line) ?? Need(line.Provider, "provider", 0, 63) ?? Need(line.Limit, "limit", 1, 500),
            _ => null,
        };
    }

    private static string? At(RecordedLine line) => Time(line.At, "at");

    private static string? Time(double? value, string name) => value is null ? $"\"{name}\" is missing" : null;

    private static string? Need(long? value, string name, long least, long most) => value is null ? $"\"{name}\" is missing"
        : value < least || value > most ? string.Create(CultureInfo.InvariantCulture, $"\"{name}\" is {value}: it must be {least} … {most}") : null;

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
