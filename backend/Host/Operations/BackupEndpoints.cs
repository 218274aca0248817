using Microsoft.AspNetCore.Http.Features;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/backups</c>: list, make, download, delete.</summary>
internal static class BackupEndpoints
{
    public static void MapBackups(this IEndpointRouteBuilder api)
    {
        api.MapGet("/backups", List).Needs(ApiRights.Manage).WithName("listBackups").WithTags("backups").Produces<BackupListBody>();
        api.MapPost("/backups", MakeAsync).Needs(ApiRights.Manage).WithName("makeBackup").WithTags("backups")
            .Produces<BackupBody>(StatusCodes.Status201Created)
                .Refuses(StatusCodes.Status409Conflict, StatusCodes.Status500InternalServerError, StatusCodes.Status507InsufficientStorage);
        api.MapGet("/backups/{name}", Download).NeedsConfirmed(ApiRights.Manage).WithName("downloadBackup").WithTags("backups")
            .Produces(StatusCodes.Status200OK, contentType: "application/zip").Refuses(StatusCodes.Status404NotFound);
        api.MapDelete("/backups/{name}", RemoveAsync).Needs(ApiRights.Manage).WithName("removeBackup").WithTags("backups")
            .Produces(StatusCodes.Status204NoContent).Refuses(StatusCodes.Status404NotFound, StatusCodes.Status409Conflict);
    }

    /// <summary>Allows synchronous writes: the framework's .zip writer ends each entry with them, also in a response.</summary>
    public static void AllowZip(HttpContext http)
    {
        if (http.Features.Get<IHttpBodyControlFeature>() is { } control)
            control.AllowSynchronousIO = true;
    }

    /// <summary>The answer when a backup could not be made, removed or restored.</summary>
    public static IResult Refuse(CatalogException e) => JsonReply.Error(
        e.Fault switch
        {
            CatalogFault.Busy or CatalogFault.NotSupported => StatusCodes.Status409Conflict,
            CatalogFault.Unavailable => StatusCodes.Status503ServiceUnavailable,
            CatalogFault.Corrupt or CatalogFault.NewerVersion => StatusCodes.Status422UnprocessableEntity,
            CatalogFault.DiskFull => StatusCodes.Status507InsufficientStorage,
            _ => StatusCodes.Status500InternalServerError,
        },
        e.Message);

    public static IResult NotThere(string name) => JsonReply.Error(StatusCodes.Status404NotFound, $"There is no backup {name}.");

    private static IResult List(Backups kept)
    {
        var backups = kept.Now;
        return JsonReply.Answer(StatusCodes.Status200OK, new BackupListBody(backups.Folder, [.. backups.List().Select(BackupBody.Of)]),
            OperationJson.Default.BackupListBody);
    }

    private static IResult Download(string name, Backups kept, HttpContext http, bool complete = false)
    {
        var backups = kept.Now;
        if (backups.Find(name) is not { } path)
            return NotThere(name);
        if (!complete)
            return Results.File(path, "application/zip", name);
        AllowZip(http);
        return Results.Stream(target => backups.WriteCompleteAsync(name, target, http.RequestAborted), "application/zip",
            Path.GetFileNameWithoutExtension(name) + "-complete.zip");
    }

    private static async Task<IResult> MakeAsync(BackupKeeper keeper)
    {
        try
        {
            var made = await keeper.MakeAsync(BackupReason.Request);
            return JsonReply.Answer(StatusCodes.Status201Created, BackupBody.Of(made), OperationJson.Default.BackupBody);
        }
        catch (OperationCanceledException)
        {
            return JsonReply.Error(StatusCodes.Status503ServiceUnavailable, "The server is stopping.");
        }
        catch (CatalogException e)
        {
            return Refuse(e);
        }
    }

    private static async Task<IResult> RemoveAsync(string name, Backups kept)
    {
        try
        {
            return await Task.Run(() => kept.Now.Remove(name)) ? Results.NoContent() : NotThere(name);
        }
        catch (CatalogException e)
        {
            return Refuse(e);
        }
    }
}

/// <summary>The existing backups.</summary>
/// <param name="Folder">The folder with the backups.</param>
/// <param name="Backups">Newest first.</param>
internal sealed record BackupListBody(string Folder, IReadOnlyList<BackupBody> Backups);

/// <summary>An existing backup.</summary>
/// <param name="Name">The file's name.</param>
/// <param name="Size">Size of the file in bytes, without the blobs beside it.</param>
/// <param name="Created">When it was started.</param>
/// <param name="Reason">Why it was made: <c>schedule</c>, <c>request</c> or <c>upgrade</c>.</param>
/// <param name="Schema">The version of the catalog's schema in it.</param>
/// <param name="Blobs">Number of .nzb files and layouts that belong to it.</param>
/// <param name="BlobBytes">Their size in bytes, including repaired articles.</param>
/// <param name="MissingBlobs">How many of them were already missing when it was made.</param>
internal sealed record BackupBody(
    string Name, long Size, DateTimeOffset Created, string Reason, int Schema, int Blobs, long BlobBytes, int MissingBlobs)
{
    public static BackupBody Of(BackupInfo info) =>
        new(info.Name, info.Size, info.Created, info.Reason, info.Schema, info.Blobs, info.BlobBytes + info.PatchBytes, info.MissingBlobs);
}
