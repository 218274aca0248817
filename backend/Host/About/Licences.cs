using System.Text.Json;

namespace NzbDav.Host.About;

/// <summary>What others made that ships with the program, from <c>licences.json</c>.</summary>
internal static class Licences
{
    /// <summary>By name.</summary>
    public static IReadOnlyList<LicenceBody> All { get; } = JsonSerializer.Deserialize(Resource.Text("licences.json"), LicenceJson.Default.ListLicenceBody)!;
}
