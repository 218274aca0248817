using NzbDav.Access;

namespace NzbDav.Host.Operations;

/// <summary><c>/api/v1/restore</c>: which backup takes the place of the present state at the next start.</summary>
internal static class RestoreEndpoints
{
    public static void MapRestore(this IEndpointRouteBuilder api)
    {
        api.MapPost("/backups/{name}/restore", (string name) => NotYet()).Needs(ApiRights.Manage).WithName("restoreBackup").WithTags("backups")
            .Produces<RestoreStateBody>(StatusCodes.Status202Accepted).Refuses(StatusCodes.Status404NotFound, StatusCodes.Status409Conflict, StatusCodes.Status422UnprocessableEntity, StatusCodes.Status507InsufficientStorage);
        api.MapPost("/restore", () => NotYet()).Needs(ApiRights.Manage).WithName("restoreUpload").WithTags("backups")
            .Produces<RestoreStateBody>(StatusCodes.Status202Accepted).Refuses(StatusCodes.Status409Conflict, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status422UnprocessableEntity, StatusCodes.Status507InsufficientStorage);
        api.MapGet("/restore", () => NotYet()).Needs(ApiRights.Manage).WithName("getRestore").WithTags("backups").Produces<RestoreStateBody>().Refuses();
        api.MapDelete("/restore", () => NotYet()).Needs(ApiRights.Manage).WithName("cancelRestore").WithTags("backups").Produces(StatusCodes.Status204NoContent).Refuses();
    }

    private static IResult NotYet() => JsonReply.Error(StatusCodes.Status501NotImplemented, "This comes with the next version.");
}
