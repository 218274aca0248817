using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>PUT. Checks everything possible before the body is read, so that <c>Expect: 100-continue</c> saves a refused upload.</summary>
internal sealed class PutHandler(WriteGuard guard, IOptions<WebDavOptions> options, IDeadProperties? properties) : IMethodHandler
{
    public string Method => HttpMethods.Put;

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;

        // RFC 9110 §14.4: "An origin server SHOULD respond with a 400 (Bad Request) status code if it receives Content-Range on a PUT"
        if (http.Request.Headers.ContentRange.Count > 0)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "A file can be replaced only as a whole.");
            return;
        }

        var existing = await request.Store.GetItemAsync(request.Path, request.Aborted);
        if (request.Path.HasTrailingSlash || existing is { IsCollection: true })
        {
            await request.NotAllowedAsync();
            return;
        }

        // RFC 4918 §9.7.1: "A PUT that would result in the creation of a resource without an appropriately scoped parent collection
        // MUST fail with a 409 (Conflict)."
        if (await request.Store.GetParentForWriteAsync(request.Path.Parent, request.Aborted) is not IStoreCollection parent)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status409Conflict, "The folder does not exist.");
            return;
        }

        if (Preconditions.Evaluate(
            http.Request.Headers, isRead: false, existing?.ETag, existing?.ModifiedAt ?? default) != PreconditionOutcome.Proceed)
        {
            await WriteReply.RefuseAsync(
                http, StatusCodes.Status412PreconditionFailed, "The file is not in the state that the request expects.");
            return;
        }

        if (!await guard.AdmitAsync(request, new WriteTarget(request.Path, IsMember: existing is null)))
            return;

        // A slow uplink must not end an upload.
        if (http.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } rate)
            rate.MinDataRate = null;
        var result = await parent.PutAsync(request.Path.Name, http.Request.BodyReader, http.Request.ContentLength, request.Aborted);
        if (result.Status == StoreWriteStatus.Created && properties is not null && parent.Keeping == StoreKeeping.Everything)
            await properties.RemoveAsync(request.Path, CancellationToken.None);

        // Clients compare the tag of their upload with the next one they see. Where uploads are processed elsewhere there is none.
        if (result.Status is StoreWriteStatus.Created or StoreWriteStatus.Replaced && parent.Keeping == StoreKeeping.Everything
            && await request.Store.GetItemAsync(request.Path, request.Aborted) is { } written)
            http.Response.Headers.ETag = written.ETag;
        await WriteReply.SendAsync(http, result, options.Value.RetryAfter);
    }
}
