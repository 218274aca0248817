using NzbDav.Content;

namespace NzbDav.Host.Serving;

/// <summary>Clocks whose timers never end the process: a bug in one must not end the streams.</summary>
internal sealed partial class GuardedTimers
{
    /// <param name="provider">The container, whose log is told of what a timer threw.</param>
    /// <param name="time">The clock.</param>
    public static GuardedTime Of(IServiceProvider provider, TimeProvider time) => new(
        time,

        // Not before: loggers have clocks.
        fault => LogFault(provider.GetRequiredService<ILogger<GuardedTimers>>(), fault));

    [LoggerMessage(473, LogLevel.Error, "An internal error in a timer. The server goes on. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
