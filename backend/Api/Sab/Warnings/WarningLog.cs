using Microsoft.Extensions.Logging;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Warnings;

/// <summary>Keeps the latest warnings and errors of the log. Thread-safe.</summary>
internal sealed class WarningLog(Live<SabOptions> options, TimeProvider time) : ILoggerProvider
{
    /// <summary>As many as SABnzbd keeps.</summary>
    private const int Most = 20;

    private readonly Lock _gate = new();
    private readonly Queue<LoggedWarning> _latest = new(Most);

    /// <summary>Oldest first.</summary>
    public IReadOnlyList<LoggedWarning> Latest
    {
        get
        {
            lock (_gate)
                return [.. _latest];
        }
    }

    public int Count
    {
        get
        {
            lock (_gate)
                return _latest.Count;
        }
    }

    public void Clear()
    {
        lock (_gate)
            _latest.Clear();
    }

    public ILogger CreateLogger(string categoryName) => new Line(this);

    public void Dispose()
    {
    }

    private void Add(LogLevel level, string text)
    {
        lock (_gate)
        {
            if (_latest.Count == Most)
                _latest.Dequeue();
            _latest.Enqueue(
                new LoggedWarning(options.Value.Clean(text), level == LogLevel.Warning ? "WARNING" : "ERROR", time.GetUtcNow()));
        }
    }

    private sealed class Line(WarningLog log) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                log.Add(logLevel, formatter(state, exception));
        }
    }
}

/// <summary>A line of the log.</summary>
internal sealed record LoggedWarning(string Text, string Type, DateTimeOffset At);

/// <summary><c>mode=warnings</c>: lists or clears the latest warnings.</summary>
internal sealed class WarningsMode(WarningLog log) : ISabMode
{
    public IReadOnlyList<string> Names => ["warnings"];

    public ApiRights Needs(SabCall call) => call.Text("name") == "clear" ? ApiRights.Full : ApiRights.Read;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("name") == "clear")
        {
            log.Clear();
            return new(new StatusAnswer(true));
        }

        return new(new WarningsAnswer(
            [.. log.Latest.Select(warning => new WarningSlot(warning.Text, warning.Type, warning.At.ToUnixTimeSeconds(), ""))]));
    }
}
