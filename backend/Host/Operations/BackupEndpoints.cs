using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/backups</c>: list, make, download.</summary>
internal static class BackupEndpoints
{
    public static void MapBackups(this IEndpointRouteBuilder api)
    {
        api.MapGet("/backups", (CatalogBackup backups) => Results.Json(new BackupList(backups.Folder, [.. backups.List()]), OperationJson.Default.BackupList));
        api.MapPost("/backups", MakeAsync);
        api.MapGet("/backups/{name}", (string name, bool? complete, CatalogBackup backups) =>
        {
            if (backups.Find(name) is not { } path)
                return Results.Json(new Fault($"There is no backup {name}."), OperationJson.Default.Fault, statusCode: StatusCodes.Status404NotFound);
            return complete == true
                ? Results.Stream(target => backups.WriteCompleteAsync(name, target, CancellationToken.None), "application/zip", Path.GetFileNameWithoutExtension(name) + "-complete.zip")
                : Results.File(path, "application/zip", name);
        });
    }

    private static async Task<IResult> MakeAsync(BackupKeeper keeper)
    {
        try
        {
            var made = await keeper.MakeAsync(BackupReason.Request);
            return Results.Json(made, OperationJson.Default.BackupInfo, statusCode: StatusCodes.Status201Created);
        }
        catch (CatalogException e)
        {
            var status = e.Fault == CatalogFault.Busy ? StatusCodes.Status409Conflict : e.Fault == CatalogFault.DiskFull ? StatusCodes.Status507InsufficientStorage : StatusCodes.Status500InternalServerError;
            return Results.Json(new Fault(e.Message), OperationJson.Default.Fault, statusCode: status);
        }
    }
}
