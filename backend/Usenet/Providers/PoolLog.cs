using Microsoft.Extensions.Logging;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Log lines of a provider's pool. Thread-safe.</summary>
internal sealed partial class PoolLog(ILogger logger, ProviderOptions options)
{
    public void Connected() => LogConnected(logger, options.DisplayName, options.Host, options.Port);

    public void Failing(NntpConnectResult result) => LogFailing(logger, options.DisplayName, result.Reason);

    /// <param name="limit">Connections that the account is now believed to allow.</param>
    /// <param name="result">The refusal that showed it.</param>
    public void Cap(int limit, NntpConnectResult result) =>
        LogCap(logger, options.DisplayName, limit, options.MaxConnections, result.Reason);

    /// <param name="open">Connections that were open.</param>
    public void Ghosts(int open) => LogGhosts(logger, options.DisplayName, open);

    public void Ended(string reason) => LogEnded(logger, options.DisplayName, reason);

    public void BackOff(TimeSpan wait) => LogBackOff(logger, options.DisplayName, wait.TotalSeconds);

    /// <summary>A bug in this program.</summary>
    public void Fault(Exception fault) => LogFault(logger, fault, options.DisplayName);

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
