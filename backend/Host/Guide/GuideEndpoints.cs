using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Guide;

/// <summary>Guidance for new users: <c>/api/v1/play</c> and <c>/api/v1/setup/progress</c>.</summary>
internal static class GuideEndpoints
{
    public static void MapGuide(this IEndpointRouteBuilder api)
    {
        api.MapGet("/play", Play).Needs(ApiRights.Read).WithName("getPlay").WithTags("server").Produces<PlayBody>();
        api.MapGet("/setup/progress", ProgressAsync).Needs(ApiRights.Read).WithName("getSetupProgress").WithTags("server").Produces<SetupProgressBody>();
    }

    private static IResult Play(HttpContext http, SettingsBook book)
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
                    $"rclone mount nzbdav: {settings.WebDavMountPath} --links --allow-other --vfs-cache-mode full --buffer-size 0 --dir-cache-time 10s",
                ],
                $"{urlBase}/sabnzbd",
                settings.StrmUrl.Length > 0 ? settings.StrmUrl : null),
            GuideJson.Default.PlayBody);
    }

    private static async Task<IResult> ProgressAsync(HttpContext http, SettingsBook book, UserAccounts accounts, PlayedMark played)
    {
        var settings = book.Current;
        var user = await accounts.AnyAsync(http.RequestAborted);
        return JsonReply.Answer(
            StatusCodes.Status200OK, new SetupProgressBody(user, settings.Providers.Count > 0, settings.HasWebDavCredentials, played.IsSet, settings.Arrs.Count > 0), GuideJson.Default.SetupProgressBody);
    }
}
