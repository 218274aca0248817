namespace NzbDav.Host.Logging;

/// <summary>The names of log levels in settings and in the API.</summary>
internal static class LogLevelNames
{
    public const string All = "debug, information, warning, error, fatal, off";

    /// <summary>The level with a name; null if there is none.</summary>
    public static LogLevel? Read(string? name) => name?.ToLowerInvariant() switch
    {
        "trace" or "verbose" => LogLevel.Trace,
        "debug" => LogLevel.Debug,
        "information" or "info" => LogLevel.Information,
        "warning" or "warn" => LogLevel.Warning,
        "error" => LogLevel.Error,
        "fatal" or "critical" => LogLevel.Critical,
        "off" or "none" => LogLevel.None,
        _ => null,
    };

    public static string Of(LogLevel level) => level switch
    {
        LogLevel.Trace => "trace",
        LogLevel.Debug => "debug",
        LogLevel.Information => "information",
        LogLevel.Warning => "warning",
        LogLevel.Error => "error",
        LogLevel.Critical => "fatal",
        _ => "off",
    };
}
