using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// PROPFIND with Depth 0 and 1. A missing Depth counts as 1: by RFC 4918 it means infinity, which nobody who forgets the header
/// wants and which is refused. Listings stream: the first entries leave while the store is still looking for the rest.
/// </summary>
internal sealed class PropFindHandler(LockTable locks, IDeadProperties? properties) : IMethodHandler
{
    public string Method => "PROPFIND";

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        if (request.DepthOr(Depth.One) is not { } depth)
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

        var item = request.IsJunk ? null : await request.FindAsync();
        if (item is null)
        {
            await request.NotFoundAsync();
            return;
        }

        await AnswerAsync(request, item, body, depth);
    }

    private async Task AnswerAsync(WebDavRequest request, IStoreItem item, PropFindBody body, Depth depth)
    {
        var aborted = request.Aborted;
        var href = request.Root + request.Path;
        using var writer = new MultiStatusWriter(request, body, locks);

        // "first response = the requested resource", under the name that was asked for.
        var parent = request.Path.IsRoot ? href : href[..(href.LastIndexOf('/') + 1)];
        var dead = await DeadAsync(writer, request.Path, item, aborted);
        writer.Add(Encoding.ASCII.GetBytes(parent), request.Path.Name, item, _ => request.Path, dead);
        if (depth == Depth.One && item is IStoreCollection collection)
        {
            var directory = Encoding.ASCII.GetBytes(href + "/");
            Func<string, StorePath> pathOf = request.Path.Child;
            var someDead = properties is not null && writer.MayShowDead(item) && await properties.HaveChildrenAnyAsync(request.Path, aborted);
            await using var children = collection.GetChildrenAsync(aborted).GetAsyncEnumerator(aborted);
            while (await NextAsync(children, writer, aborted))
            {
                var child = children.Current;
                dead = someDead ? await DeadAsync(writer, pathOf(child.Name), child, aborted) : [];
                writer.Add(directory, child.Name, child, pathOf, dead);
                if (writer.IsFull && !await writer.FlushAsync(aborted))
                    return;
            }
        }

        writer.End();
        await writer.FlushAsync(aborted);
    }

    private ValueTask<IReadOnlyList<DeadProperty>> DeadAsync(MultiStatusWriter writer, StorePath path, IStoreItem item, CancellationToken aborted) =>
        properties is not null && writer.MayShowDead(item) ? properties.ReadAsync(path, aborted) : new([]);

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

    // RFC 4918 §9.1: "servers MAY reject infinite-depth PROPFIND requests", 403 with this precondition code.
    private static Task RefuseInfinityAsync(HttpContext http)
    {
        Reply.RefuseBody(http);
        return Reply.ErrorAsync(http, StatusCodes.Status403Forbidden, "<D:propfind-finite-depth/>");
    }
}
