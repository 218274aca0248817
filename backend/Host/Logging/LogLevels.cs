namespace NzbDav.Host.Logging;

/// <summary>From which level on lines are logged. Immutable.</summary>
public sealed record LogLevels
{
    /// <summary>For everything that has no level of its own.</summary>
    public LogLevel Level { get; init; } = LogLevel.Information;

    /// <summary>By category: the name of a type, or the beginning of it up to a dot. The longest that fits counts.</summary>
    public IReadOnlyDictionary<string, LogLevel> Categories { get; init; } =
        new Dictionary<string, LogLevel>(StringComparer.OrdinalIgnoreCase) { ["Microsoft"] = LogLevel.Warning };

    /// <summary>True if the other has the same levels.</summary>
    public bool IsSame(LogLevels other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Level == other.Level && Categories.Count == other.Categories.Count
            && Categories.All(pair => other.Categories.TryGetValue(pair.Key, out var level) && level == pair.Value);
    }
}
