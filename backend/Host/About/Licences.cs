using System.Text.Json;

namespace NzbDav.Host.About;

/// <summary>Third-party software that ships with the program, from <c>licences.json</c>.</summary>
internal static class Licences
{
    /// <summary>Sorted by name.</summary>
    public static IReadOnlyList<LicenceBody> All { get; } = JsonSerializer.Deserialize(Resource.Text("licences.json"), LicenceJson.Default.ListLicenceBody)!;

    /// <summary>The texts that must accompany the program: copyright notices, licences, and the notices of packages. From <c>notices.txt</c>.</summary>
    public static string Notices { get; } = Resource.Text("notices.txt");
}
