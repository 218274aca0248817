using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Arr.Resources;

/// <summary>A download client's definition in an application.</summary>
public sealed record DownloadClient
{
    /// <summary>0 until it is saved.</summary>
    public int Id { get; init; }

    /// <summary>Unique in the application.</summary>
    public string? Name { get; init; }

    /// <summary>True if it is enabled.</summary>
    public bool Enable { get; init; }

    /// <summary><c>Sabnzbd</c>, <c>QBittorrent</c>, …</summary>
    public string Implementation { get; init; } = string.Empty;

    /// <summary>Its settings.</summary>
    public IReadOnlyList<DownloadClientField> Fields { get; init; } = [];

    /// <summary>All other members, sent back unchanged: priority, tags, actions after imports.</summary>
    [JsonExtensionData]
    public Dictionary<string, JsonElement>? Other { get; set; }

    /// <summary>A setting's value as text, or null.</summary>
    /// <param name="name">The field's name.</param>
    public string? Text(string name) => Fields.FirstOrDefault(field => field.Name.Equals(name, StringComparison.OrdinalIgnoreCase))?.Value?.ToString();
}
