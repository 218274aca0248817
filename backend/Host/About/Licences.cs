using System.Text.Json;

namespace NzbDav.Host.About;

/// <summary>What others made that ships with the program, from <c>licences.json</c>.</summary>
internal static class Licences
{
    /// <summary>By name.</summary>
    public static IReadOnlyList<LicenceBody> All { get; } = JsonSerializer.Deserialize(Resource.Text("licences.json"), LicenceJson.Default.ListLicenceBody)!;

    /// <summary>The texts that have to travel with the program: copyright notices, licences, and what packages say of theirs. From <c>notices.txt</c>.</summary>
    public static string Notices { get; } = Resource.Text("notices.txt");
}
