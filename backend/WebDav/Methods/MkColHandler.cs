using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>MKCOL.</summary>
internal sealed class MkColHandler(WriteGuard guard, IOptions<WebDavOptions> options, IDeadProperties? properties) : IMethodHandler
{
    public string Method => "MKCOL";

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;

        // RFC 4918 §9.3.1: "405 (Method Not Allowed) - MKCOL can only be executed on an unmapped URL."
        if (await request.Store.GetItemAsync(request.Path, request.Aborted) is not null)
        {
            await request.NotAllowedAsync();
            return;
        }

        if (await request.Store.GetParentForWriteAsync(request.Path.Parent, request.Aborted) is not IStoreCollection parent)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status409Conflict, "The folder above does not exist.");
            return;
        }

        // "415 (Unsupported Media Type) - The server does not support the request body type": it supports none.
        if (await HasBodyAsync(http))
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status415UnsupportedMediaType, "MKCOL takes no body.");
            return;
        }

        if (!await guard.AdmitAsync(request, new WriteTarget(request.Path, IsMember: true)))
            return;
        var result = await parent.CreateCollectionAsync(request.Path.Name, request.Aborted);
        if (result.Status == StoreWriteStatus.Created && properties is not null && parent.Keeping == StoreKeeping.Everything)
            await properties.RemoveAsync(request.Path, CancellationToken.None);
        await WriteReply.SendAsync(http, result, options.Value.RetryAfter);
    }

    private static async ValueTask<bool> HasBodyAsync(HttpContext http)
    {
        if (http.Request.ContentLength is { } length)
            return length > 0;
        if (http.Features.Get<IHttpRequestBodyDetectionFeature>() is not { CanHaveBody: true })
            return false;
        var read = await http.Request.BodyReader.ReadAsync(http.RequestAborted);
        http.Request.BodyReader.AdvanceTo(read.Buffer.End);
        return !read.Buffer.IsEmpty;
    }
}
