using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>COPY and MOVE (RFC 4918 §9.8, §9.9).</summary>
internal sealed class TransferHandler(
    string method, WriteGuard guard, LockDesk locks, IOptions<WebDavOptions> options, IDeadProperties? properties) : IMethodHandler
{
    public const string Copy = "COPY";
    public const string Move = "MOVE";

    public string Method => method;

    private bool IsMove => method == Move;

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        Reply.RefuseBody(http);
        if (http.Request.Headers["Destination"] is not [var uri] || ResourceUri.TryParse(request, uri, out var elsewhere) is not { } to)
        {
            // §9.8.5: "502 (Bad Gateway) - This may occur when the destination is on another server"
            var isElsewhere = http.Request.Headers["Destination"] is [var other]
                && ResourceUri.TryParse(request, other, out elsewhere) is null && elsewhere;
            await Reply.TextAsync(
                http, isElsewhere ? StatusCodes.Status502BadGateway : StatusCodes.Status400BadRequest,
                isElsewhere ? "The destination is not on this server." : "The Destination header is missing or cannot be understood.");
            return;
        }

        to = await to.ComposedAsync(request.Store, request.Aborted);
        var depth = request.DepthOr(Depth.Infinity);
        if (depth is null or Depth.One || http.Request.Headers["Overwrite"] is not ([] or ["T" or "t" or "F" or "f"]))
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "Depth is 0 or infinity, Overwrite T or F.");
            return;
        }

        var item = await request.FindAsync();
        if (item is null || await request.Store.GetItemAsync(request.Path.Parent, request.Aborted) is not IStoreCollection source)
        {
            await request.NotFoundAsync();
            return;
        }

        // "403 (Forbidden) - The operation is forbidden. […] the source and destination resources are the same resource."
        if (request.Path.IsRoot || to.IsRoot || to.Equals(request.Path) || to.IsBelow(request.Path) || request.Path.IsBelow(to))
        {
            await Reply.TextAsync(
                http, StatusCodes.Status403Forbidden, "Source and destination are the same, or one lies inside the other.");
            return;
        }

        if (IsMove && depth == Depth.Zero && item.IsCollection)
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "A folder moves with all that is in it: Depth infinity.");
            return;
        }

        await TransferAsync(request, item, source, to, depth == Depth.Infinity);
    }

    private async Task TransferAsync(WebDavRequest request, IStoreItem item, IStoreCollection source, StorePath to, bool recursive)
    {
        var http = request.Http;
        if (await request.Store.GetParentForWriteAsync(to.Parent, request.Aborted) is not IStoreCollection destination)
        {
            await Reply.TextAsync(http, StatusCodes.Status409Conflict, "The folder of the destination does not exist.");
            return;
        }

        if (Preconditions.Evaluate(http.Request.Headers, isRead: false, item.ETag, item.ModifiedAt) != PreconditionOutcome.Proceed)
        {
            await Reply.TextAsync(http, StatusCodes.Status412PreconditionFailed, "The item is not in the state that the request expects.");
            return;
        }

        var existing = await request.Store.GetItemAsync(to, request.Aborted);
        if (existing is not null && http.Request.Headers["Overwrite"] is ["F" or "f"])
        {
            await Reply.TextAsync(
                http, StatusCodes.Status412PreconditionFailed, "There is something at the destination, and it must not be overwritten.");
            return;
        }

        var target = new WriteTarget(to, IsMember: existing is null, IsTree: existing is { IsCollection: true });
        if (!await (IsMove
            ? guard.AdmitAsync(request, new(request.Path, IsMember: true, IsTree: true), target) : guard.AdmitAsync(request, target)))
            return;

        // A file replaces a file in one step; in other cases the existing item is moved aside first.
        var result = existing is null || (!existing.IsCollection && !item.IsCollection)
            ? await CopyOrMoveAsync(request, source, destination, to.Name, recursive)
            : await ReplaceAsync(request, source, destination, to.Name, recursive);
        if (result.Status is StoreWriteStatus.Created or StoreWriteStatus.Replaced)
        {
            if (existing is not null && (existing.IsCollection || item.IsCollection))
                await locks.RemoveAtAsync(to, CancellationToken.None);
            await FollowAsync(request.Path, item, destination, to, recursive);
        }

        if (existing is not null && result.Status == StoreWriteStatus.Created)
            result = StoreWriteResult.Replaced;
        await WriteReply.SendAsync(http, result, options.Value.RetryAfter);
    }

    private ValueTask<StoreWriteResult> CopyOrMoveAsync(
        WebDavRequest request, IStoreCollection source, IStoreCollection destination, string name, bool recursive) => IsMove
        ? source.MoveAsync(request.Path.Name, destination, name, request.Aborted)
        : source.CopyAsync(request.Path.Name, destination, name, recursive, request.Aborted);

    /// <summary>
    /// Replaces an existing item. It is renamed first and deleted last, and gets its name back if anything fails: a full disk must not cost
    /// a replaced collection.
    /// </summary>
    private async ValueTask<StoreWriteResult> ReplaceAsync(
        WebDavRequest request, IStoreCollection source, IStoreCollection destination, string name, bool recursive)
    {
        if (source.RefusalOf(destination, name, IsMove) is { } refusal)
            return refusal;
        var aside = $"{Guid.NewGuid():N}.replaced";
        var renamed = destination.RefusalOf(destination, aside, isMove: true)
            ?? await destination.MoveAsync(name, destination, aside, request.Aborted);
        if (renamed.Status != StoreWriteStatus.Created)
            return renamed;
        StoreWriteResult? result = null;
        try
        {
            result = await CopyOrMoveAsync(request, source, destination, name, recursive);
        }
        finally
        {
            if (result is not { Status: StoreWriteStatus.Created or StoreWriteStatus.Replaced })
                await destination.MoveAsync(aside, destination, name, CancellationToken.None);
        }

        if (result.Value.Status is not (StoreWriteStatus.Created or StoreWriteStatus.Replaced))
            return result.Value;
        var removed = await destination.DeleteAsync(aside, CancellationToken.None);
        if (removed.Status == StoreWriteStatus.Deleted)
            return result.Value;

        // It must stay, for instance because a library has a link to it.
        if (IsMove)
            await destination.MoveAsync(name, source, request.Path.Name, CancellationToken.None);
        else
            await destination.DeleteAsync(name, CancellationToken.None);
        await destination.MoveAsync(aside, destination, name, CancellationToken.None);
        return removed;
    }

    /// <summary>Properties move with the item; locks do not ("MOVE … MUST NOT move a write lock", §7.7).</summary>
    private async ValueTask FollowAsync(StorePath from, IStoreItem item, IStoreCollection destination, StorePath to, bool recursive)
    {
        if (IsMove)
            await locks.RemoveAtAsync(from, CancellationToken.None);
        if (properties is null)
            return;
        var keeps = destination.Keeping == StoreKeeping.Everything;
        if (item.Keeping == StoreKeeping.Everything)
            await (!IsMove ? keeps ? properties.CopyAsync(from, to, recursive, CancellationToken.None) : default
                : keeps ? properties.MoveAsync(from, to, CancellationToken.None) : properties.RemoveAsync(from, CancellationToken.None));
        else if (keeps)
            await properties.RemoveAsync(to, CancellationToken.None);
    }
}
