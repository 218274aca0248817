using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace NzbDav.Api.Tests;

/// <summary>Keeps what was logged at warning and above.</summary>
internal sealed class StubLog : ILoggerProvider, ILogger
{
    public ConcurrentQueue<(LogLevel Level, string Text)> Entries { get; } = new();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
            Entries.Enqueue((logLevel, formatter(state, exception)));
    }

    public void Dispose()
    {
    }
}
