using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>A line of the log, without secrets.</summary>
/// <param name="Id">Counts up from 1 with each start.</param>
/// <param name="Time">When.</param>
/// <param name="Level">How grave.</param>
/// <param name="Category">Who logged it: the name of a type.</param>
/// <param name="Message">What happened.</param>
/// <param name="Detail">The exception; null: none.</param>
internal sealed record LogLineBody(long Id, DateTimeOffset Time, LogLineLevel Level, string Category, string Message, string? Detail);
