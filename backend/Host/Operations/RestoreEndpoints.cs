using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Host.Serving;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/restore</c>: the backup to be restored at the next start.</summary>
internal static class RestoreEndpoints
{
    public static void MapRestore(this IEndpointRouteBuilder api)
    {
        api.MapPost("/backups/{name}/restore", PrepareKeptAsync).NeedsConfirmed(ApiRights.Manage).WithName("restoreBackup")
            .WithTags("backups")
            .Produces<RestoreStateBody>(StatusCodes.Status202Accepted)
            .Refuses(StatusCodes.Status404NotFound, StatusCodes.Status409Conflict, StatusCodes.Status422UnprocessableEntity,
                StatusCodes.Status500InternalServerError, StatusCodes.Status507InsufficientStorage);
        api.MapPost("/restore", PrepareUploadAsync).NeedsConfirmed(ApiRights.Manage).WithName("restoreUpload").WithTags("backups")
            .Accepts<byte[]>("application/zip", "application/octet-stream").Produces<RestoreStateBody>(StatusCodes.Status202Accepted)
            .Refuses(StatusCodes.Status409Conflict, StatusCodes.Status415UnsupportedMediaType, StatusCodes.Status422UnprocessableEntity,
                StatusCodes.Status500InternalServerError, StatusCodes.Status507InsufficientStorage);
        api.MapGet("/restore", Get).Needs(ApiRights.Manage).WithName("getRestore").WithTags("backups").Produces<RestoreStateBody>();
        api.MapDelete("/restore", Cancel).Needs(ApiRights.Manage).WithName("cancelRestore").WithTags("backups")
            .Produces(StatusCodes.Status204NoContent).Refuses(StatusCodes.Status409Conflict, StatusCodes.Status500InternalServerError);
    }

    private static async Task<IResult> PrepareKeptAsync(string name, Backups kept, RestorePlan plan, HttpContext http)
    {
        var backups = kept.Now;
        return backups.Find(name) is { } path
            ? await PrepareAsync(plan, path, name, backups.Folder, http.RequestAborted) : BackupEndpoints.NotThere(name);
    }

    private static async Task<IResult> PrepareUploadAsync(
        HttpContext http, Backups kept, RestorePlan plan, UploadFolder uploads, string? name = null)
    {
        UploadedFile upload;
        try
        {
            upload = await uploads.StoreAsync(http);
        }
        catch (CatalogException e)
        {
            return BackupEndpoints.Refuse(e);
        }

        using (upload)
            return await PrepareAsync(
                plan, upload.Path, string.IsNullOrEmpty(name) ? "upload.zip" : name, kept.Now.Folder, http.RequestAborted);
    }

    private static async Task<IResult> PrepareAsync(
        RestorePlan plan, string path, string name, string folder, CancellationToken cancellationToken)
    {
        try
        {
            await Task.Factory.StartNew(() => plan.Prepare(path, name, folder, cancellationToken), CancellationToken.None,
                TaskCreationOptions.LongRunning, TaskScheduler.Default);
            return JsonReply.Answer(StatusCodes.Status202Accepted, Describe(plan), OperationJson.Default.RestoreStateBody);
        }
        catch (CatalogException e)
        {
            return BackupEndpoints.Refuse(e);
        }
    }

    private static IResult Get(RestorePlan plan) =>
        JsonReply.Answer(StatusCodes.Status200OK, Describe(plan), OperationJson.Default.RestoreStateBody);

    private static IResult Cancel(RestorePlan plan)
    {
        try
        {
            plan.Cancel();
            return Results.NoContent();
        }
        catch (CatalogException e)
        {
            return BackupEndpoints.Refuse(e);
        }
    }

    private static RestoreStateBody Describe(RestorePlan plan) => new(
        plan.Pending is { } pending
            ? new RestoreBody(pending.Backup.Name, pending.Backup.Created, pending.Requested, pending.MissingBlobs) : null,
        plan.Last is { } last
            ? new RestoreOutcomeBody(last.Backup.Name, last.Backup.Created, last.Taken, last.Former, last.MissingBlobs, last.Error) : null);
}

/// <summary>The pending and the latest restore.</summary>
/// <param name="Pending">The backup that the next start restores; null: none.</param>
/// <param name="Last">The result of the latest restore; null: there was none.</param>
internal sealed record RestoreStateBody(RestoreBody? Pending, RestoreOutcomeBody? Last);

/// <summary>A backup to be restored at the next start.</summary>
/// <param name="Name">Its name, or the name of the uploaded file.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Requested">When the restore was requested.</param>
/// <param name="MissingBlobs">Number of its blobs that were not found: the files that need them cannot be read.</param>
internal sealed record RestoreBody(string Name, DateTimeOffset Created, DateTimeOffset Requested, int MissingBlobs);

/// <summary>Result of a restore at a start.</summary>
/// <param name="Name">The backup.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Taken">When it was restored.</param>
/// <param name="Former">The folder with the previous state; null: there was none, or the restore failed.</param>
/// <param name="MissingBlobs">Number of its blobs that were not found.</param>
/// <param name="Error">Why it failed, in which case nothing was changed; null: it succeeded.</param>
internal sealed record RestoreOutcomeBody(
    string Name, DateTimeOffset Created, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
