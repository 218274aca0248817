using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace NzbDav.Fakes;

/// <summary>Records log entries. Thread-safe.</summary>
public sealed class RecordingLogger<T> : ILogger<T>
{
    private readonly ConcurrentQueue<(LogLevel Level, string Message)> _entries;

    /// <summary>Begins with nothing.</summary>
    public RecordingLogger()
        : this([])
    {
    }

    private RecordingLogger(ConcurrentQueue<(LogLevel Level, string Message)> entries) => _entries = entries;

    /// <summary>What was logged, in order.</summary>
    public IReadOnlyCollection<(LogLevel Level, string Message)> Entries => _entries;

    /// <summary>An exception for a message that is not to be logged; null: every message is.</summary>
    public Func<string, Exception?>? Fault { get; set; }

    /// <summary>A logger of another type that writes into the same list.</summary>
    public RecordingLogger<TOther> For<TOther>() => RecordingLogger<TOther>.Over(_entries);

    internal static RecordingLogger<T> Over(ConcurrentQueue<(LogLevel Level, string Message)> entries) => new(entries);

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => true;

    /// <inheritdoc/>
    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        var message = formatter(state, exception);
        if (Fault?.Invoke(message) is { } fault)
            throw fault;
        _entries.Enqueue((logLevel, message));
    }
}
