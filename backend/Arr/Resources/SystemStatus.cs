namespace NzbDav.Arr.Resources;

/// <summary><c>system/status</c>.</summary>
public sealed record SystemStatus
{
    /// <summary><c>Sonarr</c>, <c>Radarr</c>, …</summary>
    public string AppName { get; init; } = string.Empty;

    /// <summary>The instance's name, as set by its operator.</summary>
    public string? InstanceName { get; init; }

    /// <summary>Version: four numbers.</summary>
    public string Version { get; init; } = string.Empty;

    /// <summary>URL base with a leading slash, or empty.</summary>
    public string? UrlBase { get; init; }
}
