namespace NzbDav.Host.Logging;

/// <summary>The latest lines of the log, in memory: at most <see cref="MostLines"/> of them, and of <see cref="MostCharacters"/> together. Thread-safe.</summary>
internal sealed class LogRing
{
    public const int MostLines = 5_000;

    /// <summary>Two bytes each: 8 MiB. The lines of a day at the usual level come to a tenth of it.</summary>
    public const int MostCharacters = 4 << 20;

    /// <summary>Of a message or an exception; what is longer is cut.</summary>
    public const int LongestText = 16 << 10;

    private readonly Lock _gate = new();
    private readonly Queue<LogLine> _lines = new();
    private int _characters;
    private long _last;

    /// <summary>Raised after each line, on the thread that logged it: must be quick, and log nothing.</summary>
    public event Action<long>? Added;

    /// <summary>The id of the latest line; 0: none.</summary>
    public long Last => Volatile.Read(ref _last);

    /// <summary>Keeps a line, and drops the oldest ones for it.</summary>
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

    /// <summary>Lines that fit, oldest first.</summary>
    /// <param name="after">Those behind this id, the first of them; null: the latest.</param>
    /// <param name="level">At least so grave.</param>
    /// <param name="category">Whose category begins so, in any case; null: any.</param>
    /// <param name="search">That hold this text, in any case; null: any.</param>
    /// <param name="limit">How many at most.</param>
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
