namespace NzbDav.Host.Logging;

/// <summary>A line of the log as <see cref="LogRing"/> keeps it: without secrets. Immutable.</summary>
/// <param name="Id">Counts up from 1 with each start.</param>
/// <param name="Time">When.</param>
/// <param name="Level">How grave.</param>
/// <param name="Category">Who logged it.</param>
/// <param name="Message">What happened.</param>
/// <param name="Detail">The exception; null: none.</param>
internal sealed record LogLine(long Id, DateTimeOffset Time, LogLineLevel Level, string Category, string Message, string? Detail);
