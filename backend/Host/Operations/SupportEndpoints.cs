using System.Globalization;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/support</c>: the support bundle.</summary>
internal static class SupportEndpoints
{
    public static void MapSupport(this IEndpointRouteBuilder api) =>
        api.MapGet("/support", Download).Needs(ApiRights.Manage).WithName("downloadSupportBundle").WithTags("log")
            .Produces(StatusCodes.Status200OK, contentType: "application/zip");

    /// <summary>The name of a bundle made now.</summary>
    public static string FileName(TimeProvider time) =>
        time.GetUtcNow().UtcDateTime.ToString("'nzbdav-support-'yyyyMMdd'T'HHmmss'Z.zip'", CultureInfo.InvariantCulture);

    private static IResult Download(SupportBundle bundle, SupportState state, JobStore jobs, SettingStore settings, TimeProvider time,
        HttpContext http, bool names = false)
    {
        BackupEndpoints.AllowZip(http);
        return Results.Stream(target => bundle.WriteAsync(target, jobs, trouble: null, settings, state, names, http.RequestAborted),
            "application/zip", FileName(time));
    }
}
