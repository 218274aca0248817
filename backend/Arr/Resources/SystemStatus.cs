namespace NzbDav.Arr.Resources;

/// <summary><c>system/status</c>.</summary>
public sealed record SystemStatus
{
    /// <summary><c>Sonarr</c>, <c>Radarr</c>, …</summary>
    public string AppName { get; init; } = string.Empty;

    /// <summary>What the operator calls the instance.</summary>
    public string? InstanceName { get; init; }

    /// <summary>Four numbers.</summary>
    public string Version { get; init; } = string.Empty;

    /// <summary>With a slash at its head, or empty.</summary>
    public string? UrlBase { get; init; }
}
