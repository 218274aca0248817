namespace NzbDav.Host.Logging;

/// <summary>The lowest level that is logged, in general and by category. Immutable.</summary>
public sealed record LogLevels
{
    /// <summary>For all categories without a level of their own.</summary>
    public LogLevel Level { get; init; } = LogLevel.Information;

    /// <summary>By category: the name of a type, or a prefix of it that ends at a dot. The longest matching one counts.</summary>
    public IReadOnlyDictionary<string, LogLevel> Categories { get; init; } =
        new Dictionary<string, LogLevel>(StringComparer.OrdinalIgnoreCase) { ["Microsoft"] = LogLevel.Warning };

    /// <summary>True if both have the same levels.</summary>
    public bool IsSame(LogLevels other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Level == other.Level && Categories.Count == other.Categories.Count
            && Categories.All(pair => other.Categories.TryGetValue(pair.Key, out var level) && level == pair.Value);
    }
}

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
