using System.Globalization;
using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/support</c>: the support bundle.</summary>
internal static class SupportEndpoints
{
    public static void MapSupport(this IEndpointRouteBuilder api) =>
        api.MapGet("/support", (bool? names, SupportBundle bundle, SupportState state, JobStore jobs, SettingStore settings, TimeProvider time, HttpContext http) =>
        {
            BackupEndpoints.AllowZip(http);
            return Results.Stream(target => bundle.WriteAsync(target, jobs, trouble: null, settings, state, names == true, http.RequestAborted), "application/zip", FileName(time));
        });

    /// <summary>Of a bundle that is made now.</summary>
    public static string FileName(TimeProvider time) => time.GetUtcNow().UtcDateTime.ToString("'nzbdav-support-'yyyyMMdd'T'HHmmss'Z.zip'", CultureInfo.InvariantCulture);
}
