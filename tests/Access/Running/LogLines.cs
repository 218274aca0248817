using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace NzbDav.Access.Tests.Running;

/// <summary>Everything logged, with exceptions and the values of scopes, as text.</summary>
internal sealed class LogLines : ILoggerProvider
{
    private readonly ConcurrentQueue<string> _lines = new();

    public string[] All => [.. _lines];

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void Dispose()
    {
    }

    private sealed class Logger(LogLines owner, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        // The lines that the server itself writes: of the framework, only warnings and worse.
        public bool IsEnabled(LogLevel logLevel) =>
            logLevel >= (category.StartsWith("Microsoft", StringComparison.Ordinal) ? LogLevel.Warning : LogLevel.Trace);

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                owner._lines.Enqueue($"{logLevel} {category} {formatter(state, exception)} {exception}");
        }
    }
}
