using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Host.Arrs;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Guide;

/// <summary>Guidance for new users: <c>/api/v1/play</c> and <c>/api/v1/setup/progress</c>.</summary>
internal static class GuideEndpoints
{
    public static void MapGuide(this IEndpointRouteBuilder api)
    {
        api.MapGet("/play", Play).Needs(ApiRights.Read).WithName("getPlay").WithTags("server").Produces<PlayBody>();
        api.MapGet("/setup/progress", ProgressAsync).Needs(ApiRights.Read).WithName("getSetupProgress").WithTags("server")
            .Produces<SetupProgressBody>();
    }

    private static IResult Play(HttpContext http, SettingsBook book, MountKeeper mount)
    {
        var settings = book.Current;
        var urlBase = http.Request.PathBase.ToUriComponent();
        var address = $"{http.Request.Scheme}://{http.Request.Host}{urlBase}/dav";
        var user = settings.HasWebDavCredentials ? $" user={settings.WebDavUsername} pass=PASSWORD" : "";
        return JsonReply.Answer(
            StatusCodes.Status200OK,
            new PlayBody(
                urlBase,
                $"{urlBase}/dav/",
                settings.WebDavUsername,
                settings.WebDavMountPath,
                [
                    $"rclone config create nzbdav webdav url={address} vendor=other{user}",
                    $"rclone mount nzbdav: {settings.WebDavMountPath} --links --allow-other --vfs-cache-mode full --buffer-size 0 " +
                    $"--dir-cache-time 10s",
                ],
                $"{urlBase}/sabnzbd",
                settings.StrmUrl.Length > 0 ? settings.StrmUrl : null,
                mount.State),
            GuideJson.Default.PlayBody);
    }

    private static async Task<IResult> ProgressAsync(
        HttpContext http, SettingsBook book, UserAccounts accounts, PlayedMark played, ArrInstances arrs)
    {
        var settings = book.Current;
        var user = await accounts.AnyAsync(http.RequestAborted);
        return JsonReply.Answer(
            StatusCodes.Status200OK, new SetupProgressBody(user, settings.Providers.Count > 0, settings.HasWebDavCredentials, played.IsSet,
                settings.Arrs.Count > 0, arrs.All.Any(static one => one.HasAnswered)), GuideJson.Default.SetupProgressBody);
    }
}

/// <summary>How players, mounts and other programs reach this server.</summary>
/// <param name="UrlBase">The prefix of all its paths; empty for the root.</param>
/// <param name="DavPath">Path of WebDAV, with the URL base.</param>
/// <param name="Username">User name of WebDAV; null: no credentials are set, and WebDAV refuses all requests.</param>
/// <param name="MountPath">Where the mount is expected.</param>
/// <param name="Rclone">Commands to paste; <c>PASSWORD</c> stands for the WebDAV password.</param>
/// <param name="SabPath">Path of the SABnzbd interface, with the URL base: other programs need it as the URL base.</param>
/// <param name="StrmUrl">The beginning of addresses in .strm files; null: there are no .strm files.</param>
/// <param name="Mount">The server's own mount; null: it has none, so media servers need rclone.</param>
internal sealed record PlayBody(
    string UrlBase, string DavPath, string? Username, string MountPath, IReadOnlyList<string> Rclone, string SabPath, string? StrmUrl,
    MountStateBody? Mount);

/// <summary>Which steps of setting up a new server are done.</summary>
/// <param name="User">There is a user who can sign in.</param>
/// <param name="Provider">There is a Usenet provider.</param>
/// <param name="Webdav">WebDAV has credentials.</param>
/// <param name="Played">A file has been read.</param>
/// <param name="Arrs">An *arr is configured.</param>
/// <param name="ArrAnswers">An *arr was tested since the start, and answered.</param>
internal sealed record SetupProgressBody(bool User, bool Provider, bool Webdav, bool Played, bool Arrs, bool ArrAnswers);

/// <summary>JSON serialization of the guide.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlayBody))]
[JsonSerializable(typeof(SetupProgressBody))]
internal sealed partial class GuideJson : JsonSerializerContext;
