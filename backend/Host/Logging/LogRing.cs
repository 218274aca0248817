using System.Globalization;
using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting.Display;

namespace NzbDav.Host.Logging;

/// <summary>The latest lines of the log, in memory: at most <see cref="MostLines"/> lines with <see cref="MostCharacters"/> characters in
/// total. Thread-safe.</summary>
internal sealed class LogRing
{
    public const int MostLines = 5_000;

    /// <summary>At two bytes each, 8 MiB. A day's lines at the default level take a tenth of it.</summary>
    public const int MostCharacters = 4 << 20;

    /// <summary>Most characters of a message or an exception; longer text is cut.</summary>
    public const int LongestText = 16 << 10;

    private readonly Lock _gate = new();
    private readonly Queue<LogLine> _lines = new();
    private int _characters;
    private long _last;

    /// <summary>Raised after each line, on the thread that logged it. Handlers must be quick, and must not log.</summary>
    public event Action<long>? Added;

    /// <summary>The id of the latest line; 0: none.</summary>
    public long Last => Volatile.Read(ref _last);

    /// <summary>Adds a line, and drops the oldest ones if the ring is full.</summary>
    public void Add(DateTimeOffset time, LogLineLevel level, string category, string message, string? detail)
    {
        long id;
        lock (_gate)
        {
            id = _last + 1;
            var line = new LogLine(id, time, level, category, Cut(message), detail is null ? null : Cut(detail));
            _lines.Enqueue(line);
            _characters += Length(line);
            while (_lines.Count > MostLines || _characters > MostCharacters)
                _characters -= Length(_lines.Dequeue());
            Volatile.Write(ref _last, id);
        }

        Added?.Invoke(id);
    }

    /// <summary>Matching lines, oldest first.</summary>
    /// <param name="after">Returns the first matching lines after this id; null: the latest.</param>
    /// <param name="level">The lowest level.</param>
    /// <param name="category">Prefix of the category, ignoring case; null: any.</param>
    /// <param name="search">Text in the line, ignoring case; null: any.</param>
    /// <param name="limit">Most lines to return.</param>
    public IReadOnlyList<LogLine> Find(long? after, LogLineLevel level, string? category, string? search, int limit)
    {
        LogLine[] all;
        lock (_gate)
            all = [.. _lines];
        var fit = all.Where(line => line.Level >= level
            && (after is null || line.Id > after)
            && (category is null || line.Category.StartsWith(category, StringComparison.OrdinalIgnoreCase))
            && (search is null || Holds(line.Message, search) || Holds(line.Detail, search) || Holds(line.Category, search)));
        return [.. after is null ? fit.TakeLast(limit) : fit.Take(limit)];
    }

    private static bool Holds(string? text, string search) => text?.Contains(search, StringComparison.OrdinalIgnoreCase) == true;

    private static int Length(LogLine line) => line.Category.Length + line.Message.Length + (line.Detail?.Length ?? 0);

    private static string Cut(string text) => text.Length <= LongestText ? text : string.Concat(text.AsSpan(0, LongestText), " …");
}

/// <summary>A line of the log as <see cref="LogRing"/> keeps it: without secrets. Immutable.</summary>
/// <param name="Id">Numbered from 1 at each start.</param>
/// <param name="Time">When it was logged.</param>
/// <param name="Level">Its severity.</param>
/// <param name="Category">The type that logged it.</param>
/// <param name="Message">What happened.</param>
/// <param name="Detail">The exception; null: none.</param>
internal sealed record LogLine(long Id, DateTimeOffset Time, LogLineLevel Level, string Category, string Message, string? Detail);

/// <summary>Severity of a log line.</summary>
internal enum LogLineLevel
{
    /// <summary>Every step.</summary>
    Trace,

    /// <summary>Details for finding a fault.</summary>
    Debug,

    /// <summary>Normal operation.</summary>
    Information,

    /// <summary>Something unexpected that was handled.</summary>
    Warning,

    /// <summary>A failure.</summary>
    Error,

    /// <summary>A failure that ends the program.</summary>
    Critical,
}

/// <summary>
/// Adds lines to a <see cref="LogRing"/> with secrets removed, like console and files. There is no exception for the first user's link,
/// because remote users can see these lines. Thread-safe.
/// </summary>
internal sealed class RingSink(LogRing ring, SecretFilter secrets) : ILogEventSink
{
    private readonly MessageTemplateTextFormatter _message = new("{Message:lj}", CultureInfo.InvariantCulture);

    public void Emit(LogEvent logEvent)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        _message.Format(logEvent, text);
        var category = logEvent.Properties.TryGetValue("SourceContext", out var source) && source is ScalarValue { Value: string name }
            ? name : "";
        ring.Add(logEvent.Timestamp.ToUniversalTime(), LevelOf(logEvent.Level), category, secrets.Clean(text.ToString()),
            logEvent.Exception is { } fault ? secrets.Clean(fault.ToString()) : null);
    }

    private static LogLineLevel LevelOf(LogEventLevel level) => level switch
    {
        LogEventLevel.Verbose => LogLineLevel.Trace,
        LogEventLevel.Debug => LogLineLevel.Debug,
        LogEventLevel.Information => LogLineLevel.Information,
        LogEventLevel.Warning => LogLineLevel.Warning,
        LogEventLevel.Error => LogLineLevel.Error,
        _ => LogLineLevel.Critical,
    };
}
