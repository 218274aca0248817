using Microsoft.AspNetCore.Http.Features;
using NzbDav.Access;
using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/backups</c>: list, make, download.</summary>
internal static class BackupEndpoints
{
    public static void MapBackups(this IEndpointRouteBuilder api)
    {
        api.MapGet("/backups", (Backups kept) =>
        {
            var backups = kept.Now;
            return Results.Json(new BackupList(backups.Folder, [.. backups.List()]), OperationJson.Default.BackupList);
        });
        api.MapPost("/backups", MakeAsync);
        api.MapGet("/backups/{name}", (string name, bool? complete, Backups kept, HttpContext http) =>
        {
            var backups = kept.Now;
            if (backups.Find(name) is not { } path)
                return JsonReply.Error(StatusCodes.Status404NotFound, $"There is no backup {name}.");
            if (complete != true)
                return Results.File(path, "application/zip", name);
            AllowZip(http);
            return Results.Stream(target => backups.WriteCompleteAsync(name, target, http.RequestAborted), "application/zip", Path.GetFileNameWithoutExtension(name) + "-complete.zip");
        });
    }

    /// <summary>The framework's .zip writer ends an entry with writes that do not wait asynchronously, into a response too.</summary>
    public static void AllowZip(HttpContext http)
    {
        if (http.Features.Get<IHttpBodyControlFeature>() is { } control)
            control.AllowSynchronousIO = true;
    }

    private static async Task<IResult> MakeAsync(BackupKeeper keeper)
    {
        try
        {
            var made = await keeper.MakeAsync(BackupReason.Request);
            return Results.Json(made, OperationJson.Default.BackupInfo, statusCode: StatusCodes.Status201Created);
        }
        catch (OperationCanceledException)
        {
            return JsonReply.Error(StatusCodes.Status503ServiceUnavailable, "The server is stopping.");
        }
        catch (CatalogException e)
        {
            var status = e.Fault == CatalogFault.Busy ? StatusCodes.Status409Conflict : e.Fault == CatalogFault.DiskFull ? StatusCodes.Status507InsufficientStorage : StatusCodes.Status500InternalServerError;
            return JsonReply.Error(status, e.Message);
        }
    }
}
