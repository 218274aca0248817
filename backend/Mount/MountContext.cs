using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Mount;

/// <summary>What all files of a mount share. Thread-safe.</summary>
/// <param name="time">Clock.</param>
/// <param name="patience">How long a read waits for its next bytes before it fails with EIO.</param>
/// <param name="streams">Tracks the streams; null: they are not tracked.</param>
/// <param name="logger">Logs what failed.</param>
internal sealed partial class MountContext(TimeProvider time, TimeSpan patience, ActiveStreams? streams, ILogger logger)
{
    private static readonly TimeSpan AwayInterval = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();

    /// <summary>When it was last logged that the store cannot answer; null: never.</summary>
    private long? _away;

    public TimeProvider Time => time;

    /// <summary>How long a read waits for its next bytes before it fails with EIO.</summary>
    public TimeSpan Patience => patience;

    public ActiveStreams? Streams => streams;

    public ILogger Logger => logger;

    /// <summary>A read failed.</summary>
    public void Failed(string name, long offset, ContentFault fault, string? reason) => LogFailed(Logger, name, offset, fault, reason);

    /// <summary>A read waited for long.</summary>
    public void Waited(string name, TimeSpan waited, string? trace) => LogWaited(Logger, name, waited.TotalSeconds, trace);

    /// <summary>The store refused a change.</summary>
    public void Refused(string verb, StorePath path, string? reason) => LogRefused(Logger, verb, path, reason);

    /// <summary>
    /// A request failed because the store cannot answer (its disk or its database is away), or by a fault of the program. Of the former the
    /// reason is logged, at most once a minute: programs ask again at once.
    /// </summary>
    public void Faulted(Exception fault)
    {
        if (fault is not IOException)
        {
            LogFault(Logger, fault);
            return;
        }

        lock (_gate)
        {
            if (_away is { } last && Time.GetElapsedTime(last) < AwayInterval)
                return;
            _away = Time.GetTimestamp();
        }

        LogAway(Logger, fault.Message);
    }

    [LoggerMessage(1800, LogLevel.Warning, "Mount: {Name} cannot be read at byte {Offset} ({Fault}). {Reason}")]
    private static partial void LogFailed(ILogger logger, string name, long offset, ContentFault fault, string? reason);

    [LoggerMessage(1801, LogLevel.Information, "Mount: a read of {Name} waited {Seconds:0.0} s. {Trace}")]
    private static partial void LogWaited(ILogger logger, string name, double seconds, string? trace);

    [LoggerMessage(1803, LogLevel.Information, "Mount: {Path} was not changed ({Verb}). {Reason}")]
    private static partial void LogRefused(ILogger logger, string verb, StorePath path, string? reason);

    [LoggerMessage(1804, LogLevel.Warning, "Mount: requests fail. {Reason}")]
    private static partial void LogAway(ILogger logger, string reason);

    [LoggerMessage(1802, LogLevel.Error, "Mount: a request failed unexpectedly.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
