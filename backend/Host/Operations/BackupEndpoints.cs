using Microsoft.AspNetCore.Http.Features;
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
                return Results.Json(new Fault($"There is no backup {name}."), OperationJson.Default.Fault, statusCode: StatusCodes.Status404NotFound);
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
            return Results.Json(new Fault("The server is stopping."), OperationJson.Default.Fault, statusCode: StatusCodes.Status503ServiceUnavailable);
        }
        catch (CatalogException e)
        {
            var status = e.Fault == CatalogFault.Busy ? StatusCodes.Status409Conflict : e.Fault == CatalogFault.DiskFull ? StatusCodes.Status507InsufficientStorage : StatusCodes.Status500InternalServerError;
            return Results.Json(new Fault(e.Message), OperationJson.Default.Fault, statusCode: status);
        }
    }
}
