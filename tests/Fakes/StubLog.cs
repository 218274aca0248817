using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace NzbDav.Fakes;

/// <summary>Records log entries. Thread-safe.</summary>
/// <param name="least">The lowest level that is recorded.</param>
public sealed class StubLog(LogLevel least = LogLevel.Warning) : ILoggerProvider, ILogger
{
    /// <summary>Oldest first.</summary>
    public ConcurrentQueue<(LogLevel Level, string Text)> Entries { get; } = new();

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= least;

    /// <inheritdoc/>
    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        if (IsEnabled(logLevel))
            Entries.Enqueue((logLevel, formatter(state, exception)));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
