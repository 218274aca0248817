using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.About;

/// <summary>Third-party software that ships with the program, from <c>licences.json</c>.</summary>
internal static class Licences
{
    /// <summary>Sorted by name.</summary>
    public static IReadOnlyList<LicenceBody> All { get; } = JsonSerializer.Deserialize(
        Resource.Text("licences.json"), LicenceJson.Default.ListLicenceBody)!;

    /// <summary>
    /// The texts that must accompany the program: copyright notices, licences, and the notices of packages. From <c>notices.txt</c>.
    /// </summary>
    public static string Notices { get; } = Resource.Text("notices.txt");
}

/// <summary>Third-party software that ships with the program.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Version">The version that ships.</param>
/// <param name="Licence">Its licence, as an SPDX expression.</param>
/// <param name="Url">Its web page or source.</param>
internal sealed record LicenceBody(string Name, string Version, string Licence, string? Url);

/// <summary>JSON serialization of <c>licences.json</c>.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(List<LicenceBody>))]
internal sealed partial class LicenceJson : JsonSerializerContext;

/// <summary>Reads text files embedded in the program.</summary>
internal static class Resource
{
    public static string Text(string name)
    {
        using var reader = new StreamReader(
            typeof(Resource).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} was not built in"));
        return reader.ReadToEnd();
    }
}
