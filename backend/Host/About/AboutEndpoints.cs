using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Host.About;

/// <summary><c>/api/v1/about</c>: version, licences and changes.</summary>
internal static class AboutEndpoints
{
    private static readonly DateTimeOffset Started = new(Process.GetCurrentProcess().StartTime.ToUniversalTime());

    public static void MapAbout(this IEndpointRouteBuilder api)
    {
        api.MapGet("/about", Get).Needs(ApiRights.Read).WithName("getAbout").WithTags("server").Produces<AboutBody>();
        api.MapGet("/about/notices", GetNotices).Needs(ApiRights.Read).WithName("getNotices").WithTags("server")
            .Produces<string>(StatusCodes.Status200OK, "text/plain");
    }

    private static IResult Get() => JsonReply.Answer(
        StatusCodes.Status200OK,
        new AboutBody(Build.Version, Build.Commit, RuntimeInformation.FrameworkDescription, RuntimeInformation.OSDescription, Started,
            Licences.All, Changes.All),
        AboutJson.Default.AboutBody);

    /// <summary>The licence texts of the third-party software in the server.</summary>
    private static ContentHttpResult GetNotices() => TypedResults.Text(Licences.Notices, "text/plain", Encoding.UTF8);
}

/// <summary>The running program.</summary>
/// <param name="Version">Version of the program.</param>
/// <param name="Commit">The commit it was built from; null: not known to the build.</param>
/// <param name="Runtime">The .NET runtime.</param>
/// <param name="System">The operating system.</param>
/// <param name="Started">When the process started.</param>
/// <param name="Licences">Third-party software that ships with it.</param>
/// <param name="Changes">The changes of each version, latest version first.</param>
internal sealed record AboutBody(
    string Version, string? Commit, string Runtime, string System, DateTimeOffset Started, IReadOnlyList<LicenceBody> Licences,
    IReadOnlyList<ChangesBody> Changes);

/// <summary>JSON serialization of the program's description.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(AboutBody))]
internal sealed partial class AboutJson : JsonSerializerContext;

/// <summary>Identifies the build of the program.</summary>
internal static class Build
{
    /// <summary>Such as <c>0.1.0</c>.</summary>
    public static string Version { get; } = typeof(Build).Assembly.GetName().Version?.ToString(3) ?? "";

    /// <summary>The commit it was built from; null: not known to the build.</summary>
    public static string? Commit { get; } =
        typeof(Build).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split(
            '+', 2) is [_, { Length: > 0 } commit] ? commit : null;
}
