using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Arr.Resources;

/// <summary>A setting of a download client's definition.</summary>
public sealed record DownloadClientField
{
    /// <summary><c>host</c>, <c>port</c>, <c>apiKey</c>, …</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Text, number or flag; null if there is none.</summary>
    public JsonElement? Value { get; init; }

    /// <summary>All other members, sent back unchanged.</summary>
    [JsonExtensionData]
    public Dictionary<string, JsonElement>? Other { get; set; }
}
