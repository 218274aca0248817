using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace NzbDav.Import.Tests;

/// <summary>Keeps what is logged.</summary>
internal sealed class RecordingLogger<T> : ILogger<T>
{
    private readonly ConcurrentQueue<(LogLevel Level, string Message)> _entries;

    public RecordingLogger()
        : this([])
    {
    }

    private RecordingLogger(ConcurrentQueue<(LogLevel Level, string Message)> entries) => _entries = entries;

    public IReadOnlyCollection<(LogLevel Level, string Message)> Entries => _entries;

    /// <summary>A logger of another type that writes into the same list.</summary>
    public RecordingLogger<TOther> For<TOther>() => RecordingLogger<TOther>.Over(_entries);

    internal static RecordingLogger<T> Over(ConcurrentQueue<(LogLevel Level, string Message)> entries) => new(entries);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _entries.Enqueue((logLevel, formatter(state, exception)));
}
