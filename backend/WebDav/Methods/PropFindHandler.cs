using System.Text;
using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav;

/// <summary>
/// PROPFIND with Depth 0 and 1. A missing Depth counts as 1: by RFC 4918 it means infinity, which nobody who forgets the header
/// wants and which is refused. Listings stream: the first entries leave while the store is still looking for the rest.
/// </summary>
internal sealed class PropFindHandler : IMethodHandler
{
    public string Method => "PROPFIND";

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        if (TryDepth(http.Request) is not { } depth)
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "Depth must be 0, 1 or infinity.");
            return;
        }

        if (depth == Depth.Infinity)
        {
            await RefuseInfinityAsync(http);
            return;
        }

        if (await XmlBody.ReadAsync(http.Request, request.Aborted) is not { } xml)
        {
            Reply.RefuseBody(http);
            await Reply.TextAsync(http, StatusCodes.Status413PayloadTooLarge, "The body is larger than 1 MiB.");
            return;
        }

        if (PropFindBody.TryParse(xml) is not { } body)
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "The body is not a valid propfind element.");
            return;
        }

        var item = JunkNames.IsJunk(request.Path) ? null : await request.FindAsync();
        if (item is null)
        {
            await request.NotFoundAsync();
            return;
        }

        await AnswerAsync(request, item, body, depth);
    }

    private static async Task AnswerAsync(WebDavRequest request, IStoreItem item, PropFindBody body, Depth depth)
    {
        var aborted = request.Aborted;
        var href = request.Root + request.Path;
        var rootName = request.Root.Length > 0 ? request.Root[(request.Root.LastIndexOf('/') + 1)..] : "root";
        using var writer = new MultiStatusWriter(request.Http.Response, body, rootName);

        // "first response = the requested resource", under the name that was asked for.
        var parent = request.Path.IsRoot ? href : href[..(href.LastIndexOf('/') + 1)];
        writer.Add(Encoding.ASCII.GetBytes(parent), request.Path.Name, item);
        if (depth == Depth.One && item is IStoreCollection collection)
        {
            var directory = Encoding.ASCII.GetBytes(href + "/");
            await using var children = collection.GetChildrenAsync(aborted).GetAsyncEnumerator(aborted);
            while (await NextAsync(children, writer, aborted))
            {
                var child = children.Current;
                writer.Add(directory, child.Name, child);
                if (writer.IsFull && !await writer.FlushAsync(aborted))
                    return;
            }
        }

        writer.End();
        await writer.FlushAsync(aborted);
    }

    /// <summary>Moves on. A store that keeps the first children waiting does not keep the client waiting: what is there leaves.</summary>
    private static ValueTask<bool> NextAsync(IAsyncEnumerator<IStoreItem> children, MultiStatusWriter writer, CancellationToken aborted)
    {
        var next = children.MoveNextAsync();
        return next.IsCompleted || !writer.IsSilent ? next : FlushMeanwhileAsync(next.AsTask());

        async ValueTask<bool> FlushMeanwhileAsync(Task<bool> pending)
        {
            try
            {
                await writer.FlushAsync(aborted);
            }
            finally
            {
                // An enumerator must not be disposed while it moves.
                await pending;
            }

            return await pending;
        }
    }

    private static Depth? TryDepth(HttpRequest request) => request.Headers["Depth"] switch
    {
        [] => Depth.One,
        ["0"] => Depth.Zero,
        ["1" or "1,noroot"] => Depth.One,
        [var value] when string.Equals(value, "infinity", StringComparison.OrdinalIgnoreCase) => Depth.Infinity,
        _ => null,
    };

    // RFC 4918 §9.1: "servers MAY reject infinite-depth PROPFIND requests", 403 with this precondition code.
    private static async Task RefuseInfinityAsync(HttpContext http)
    {
        Reply.RefuseBody(http);
        http.Response.StatusCode = StatusCodes.Status403Forbidden;
        http.Response.ContentType = "application/xml; charset=\"utf-8\"";
        var body = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>\n"u8.ToArray();
        http.Response.ContentLength = body.Length;
        await http.Response.BodyWriter.WriteAsync(body, http.RequestAborted);
    }
}
