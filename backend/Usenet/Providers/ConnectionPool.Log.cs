using Microsoft.Extensions.Logging;

namespace NzbDav.Usenet.Providers;

/// <content>Log lines.</content>
internal sealed partial class ConnectionPool
{
    [LoggerMessage(101, LogLevel.Information, "Provider {Provider}: connected to {Host}:{Port}.")]
    private static partial void LogConnected(ILogger logger, string provider, string host, int port);

    [LoggerMessage(102, LogLevel.Warning, "Provider {Provider} cannot be used: {Reason}")]
    private static partial void LogFailing(ILogger logger, string provider, string reason);

    [LoggerMessage(103, LogLevel.Warning, "Provider {Provider} allows {Limit} connections, not {Configured}: {Reason}")]
    private static partial void LogCap(ILogger logger, string provider, int limit, int configured, string reason);

    [LoggerMessage(104, LogLevel.Debug, "Provider {Provider}: a connection ended: {Reason}")]
    private static partial void LogEnded(ILogger logger, string provider, string reason);

    [LoggerMessage(105, LogLevel.Warning, "Provider {Provider}: next attempt in {Seconds:0} s.")]
    private static partial void LogBackOff(ILogger logger, string provider, double seconds);

    [LoggerMessage(106, LogLevel.Error, "Provider {Provider}: a connection ended by an internal error. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, string provider);

    [LoggerMessage(
        107, LogLevel.Debug,
        "Provider {Provider}: one connection more was refused beside {Open}. Some that were just lost may still be counted; tried again " +
        "within seconds.")]
    private static partial void LogGhosts(ILogger logger, string provider, int open);
}
