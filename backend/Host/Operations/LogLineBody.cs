using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>A line of the log, without secrets.</summary>
/// <param name="Id">Numbered from 1 at each start.</param>
/// <param name="Time">When it was logged.</param>
/// <param name="Level">Its severity.</param>
/// <param name="Category">The name of the type that logged it.</param>
/// <param name="Message">What happened.</param>
/// <param name="Detail">The exception; null: none.</param>
internal sealed record LogLineBody(long Id, DateTimeOffset Time, LogLineLevel Level, string Category, string Message, string? Detail);
