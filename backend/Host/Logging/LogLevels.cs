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
