using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// PROPFIND with Depth 0 and 1, and with infinity where the store allows it. A missing Depth counts as 1: by RFC 4918 it means infinity,
/// which no client without the header wants. Listings stream: the first entries are sent while the store still looks for the rest.
/// </summary>
internal sealed class PropFindHandler(LockTable locks, IDeadProperties? properties) : IMethodHandler
{
    public const string Name = "PROPFIND";

    public string Method => Name;

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        if (request.DepthOr(Depth.One) is not { } depth)
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "Depth must be 0, 1 or infinity.");
            return;
        }

        if (depth == Depth.Infinity && !request.Store.MayListDeep(request.Path))
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

        // "first response = the requested resource", under the requested name.
        var parent = request.Path.IsRoot ? href : href[..(href.LastIndexOf('/') + 1)];
        var dead = await DeadAsync(writer, request.Path, item, aborted);
        writer.Add(Encoding.ASCII.GetBytes(parent), request.Path.Name, item, _ => request.Path, dead);
        if (depth != Depth.Zero && item is IStoreCollection collection
            && !await ListAsync(request, writer, request.Path, collection, depth == Depth.Infinity))
            return;
        writer.End();
        await writer.FlushAsync(aborted);
    }

    /// <summary>Adds the children of a collection, and those of its collections if it is <paramref name="deep"/>.</summary>
    /// <returns>False if the client is gone.</returns>
    private async ValueTask<bool> ListAsync(
        WebDavRequest request, MultiStatusWriter writer, StorePath path, IStoreCollection collection, bool deep)
    {
        var aborted = request.Aborted;
        var directory = Encoding.ASCII.GetBytes(request.Root + path + "/");
        Func<string, StorePath> pathOf = path.Child;
        var someDead = properties is not null && writer.MayShowDead(collection) && await properties.HaveChildrenAnyAsync(path, aborted);
        await using var children = collection.GetChildrenAsync(aborted).GetAsyncEnumerator(aborted);
        while (await NextAsync(children, writer, aborted))
        {
            var child = children.Current;
            var dead = someDead ? await DeadAsync(writer, pathOf(child.Name), child, aborted) : [];
            writer.Add(directory, child.Name, child, pathOf, dead);
            if (writer.IsFull && !await writer.FlushAsync(aborted))
                return false;
            if (deep && child is IStoreCollection below && !await ListAsync(request, writer, pathOf(child.Name), below, deep))
                return false;
        }

        return true;
    }

    private ValueTask<IReadOnlyList<DeadProperty>> DeadAsync(
        MultiStatusWriter writer, StorePath path, IStoreItem item, CancellationToken aborted) =>
        properties is not null && writer.MayShowDead(item) ? properties.ReadAsync(path, aborted) : new([]);

    /// <summary>Moves to the next child. If the store delays the first children, the pending output is flushed meanwhile.</summary>
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
