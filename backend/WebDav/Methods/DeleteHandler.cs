using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>DELETE, of a collection with everything below it.</summary>
internal sealed class DeleteHandler(
    WriteGuard guard, LockDesk locks, IOptions<WebDavOptions> options, IDeadProperties? properties) : IMethodHandler
{
    public string Method => HttpMethods.Delete;

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        if (request.Path.IsRoot)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status403Forbidden, "The root stays.");
            return;
        }

        var item = await request.FindAsync();
        if (item is null || await request.Store.GetItemAsync(request.Path.Parent, request.Aborted) is not IStoreCollection parent)
        {
            await request.NotFoundAsync();
            return;
        }

        if (Preconditions.Evaluate(http.Request.Headers, isRead: false, item.ETag, item.ModifiedAt) != PreconditionOutcome.Proceed)
        {
            await WriteReply.RefuseAsync(
                http, StatusCodes.Status412PreconditionFailed, "The item is not in the state that the request expects.");
            return;
        }

        if (!await guard.AdmitAsync(request, new WriteTarget(request.Path, IsMember: true, IsTree: true)))
            return;
        var result = await parent.DeleteAsync(request.Path.Name, request.Aborted);
        if (result.Status == StoreWriteStatus.Deleted)
        {
            // "If the DELETE method is successful, any locks on the resource MUST be destroyed" (§9.6.1 and §7.6).
            await locks.RemoveAtAsync(request.Path, CancellationToken.None);
            if (properties is not null && item.Keeping == StoreKeeping.Everything)
                await properties.RemoveAsync(request.Path, CancellationToken.None);
        }

        await WriteReply.SendAsync(http, result, options.Value.RetryAfter);
    }
}
