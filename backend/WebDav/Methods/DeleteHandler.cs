using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;

namespace NzbDav.WebDav;

/// <summary>DELETE, of a collection with all below it.</summary>
internal sealed class DeleteHandler : IMethodHandler
{
    private readonly WebDavOptions _options;

    public DeleteHandler(IOptions<WebDavOptions> options) => _options = options.Value;

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
            await WriteReply.RefuseAsync(http, StatusCodes.Status412PreconditionFailed, "The item is not in the state that the request expects.");
            return;
        }

        await WriteReply.SendAsync(http, await parent.DeleteAsync(request.Path.Name, request.Aborted), _options.RetryAfter);
    }
}
