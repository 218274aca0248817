namespace NzbDav.Host.Logging;

/// <summary>The latest lines of the log, in memory: at most <see cref="MostLines"/> lines with <see cref="MostCharacters"/> characters in total. Thread-safe.</summary>
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
