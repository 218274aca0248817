using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Methods;

/// <summary>LOCK: adds a lock, creates an empty file where there is none, or refreshes a lock.</summary>
internal sealed class LockHandler(
    LockDesk desk, LockTable locks, WriteGuard guard, IOptions<WebDavOptions> options, IDeadProperties? properties) : IMethodHandler
{
    public string Method => "LOCK";

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        if (await XmlBody.ReadAsync(http.Request, request.Aborted) is not { } xml)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status413PayloadTooLarge, "The body is larger than 1 MiB.");
            return;
        }

        var timeout = LockTimeout.Parse(http.Request.Headers["Timeout"].ToString());
        if (xml.Length == 0)
        {
            await RefreshAsync(request, timeout);
            return;
        }

        var depth = request.DepthOr(Depth.Infinity);
        if (depth is null or Depth.One || LockRequest.TryParse(xml) is not { } wanted)
        {
            await Reply.TextAsync(
                http, StatusCodes.Status400BadRequest, "LOCK wants Depth 0 or infinity and a lockinfo element for a write lock.");
            return;
        }

        await LockAsync(request, wanted, depth == Depth.Infinity, timeout);
    }

    // RFC 4918 §9.10.2: "A lock is refreshed by sending a LOCK request without a request body […] MUST specify which lock to refresh by
    // using the 'If' header"
    private async Task RefreshAsync(WebDavRequest request, TimeSpan timeout)
    {
        var http = request.Http;
        if (IfHeader.TryParse(string.Join(' ', http.Request.Headers["If"]!)) is not { } header)
        {
            await Reply.TextAsync(
                http, StatusCodes.Status400BadRequest, "A LOCK without a body refreshes a lock and names it in the If header.");
            return;
        }

        if (await desk.TryRefreshAsync(request.Path, header.Submits, timeout, request.Aborted) is not { } held)
        {
            await Reply.ErrorAsync(http, StatusCodes.Status412PreconditionFailed, "<D:lock-token-matches-request-uri/>");
            return;
        }

        await AnswerAsync(request, held, StatusCodes.Status200OK);
    }

    private async Task LockAsync(WebDavRequest request, LockRequest requested, bool isDeep, TimeSpan timeout)
    {
        var http = request.Http;
        var item = await request.FindAsync();
        IStoreCollection? parent = null;
        if (item is null)
        {
            parent = await request.Store.GetParentForWriteAsync(request.Path.Parent, request.Aborted) as IStoreCollection;
            if (parent is null || request.Path.HasTrailingSlash)
            {
                await Reply.TextAsync(http, StatusCodes.Status409Conflict, "There is nothing here, and no folder to make a file in.");
                return;
            }
        }

        if ((item ?? parent)!.Keeping == StoreKeeping.Nothing)
        {
            await Reply.TextAsync(http, StatusCodes.Status403Forbidden, "This folder is read-only.");
            return;
        }

        // A conflict with the new lock is reported below, with its own error.
        if (!await guard.AdmitAsync(request, item is null ? [new WriteTarget(request.Path.Parent)] : []))
            return;
        var held = new DavLock
        {
            Token = "opaquelocktoken:" + Guid.NewGuid().ToString("D"),
            Root = request.Path,
            IsCollection = item is { IsCollection: true },
            Scope = requested.Scope,
            IsDeep = isDeep,
            Owner = requested.Owner,
        };
        if (await desk.TryAddAsync(held, timeout, request.Aborted) is { } others)
        {
            await (others.Count > 0 ? WriteGuard.RefuseAsync(request, "no-conflicting-lock", others)
                : WriteReply.SendAsync(http, StoreWriteResult.Unavailable("There are too many locks."), options.Value.RetryAfter));
            return;
        }

        if (parent is not null && !await CreateAsync(request, parent, held))
            return;
        http.Response.Headers["Lock-Token"] = $"<{held.Token}>";
        await AnswerAsync(request, held, item is null ? StatusCodes.Status201Created : StatusCodes.Status200OK);
    }

    // §7.3: "a successful lock request to an unmapped URL MUST result in the creation of a locked (non-collection) resource with empty
    // content."
    private async ValueTask<bool> CreateAsync(WebDavRequest request, IStoreCollection parent, DavLock held)
    {
        var created = false;
        try
        {
            var body = PipeReader.Create(Stream.Null);
            var result = await parent.PutAsync(request.Path.Name, body, 0, request.Aborted);
            created = result.Status is StoreWriteStatus.Created or StoreWriteStatus.Replaced;
            if (!created)
                await WriteReply.SendAsync(request.Http, result, options.Value.RetryAfter);
            else if (properties is not null && parent.Keeping == StoreKeeping.Everything)
                await properties.RemoveAsync(request.Path, CancellationToken.None);
        }
        finally
        {
            if (!created)
                await desk.TryRemoveAsync(held.Root, held.Token, CancellationToken.None);
        }

        return created;
    }

    private Task AnswerAsync(WebDavRequest request, DavLock held, int status) => Reply.XmlAsync(
        request.Http, status,
        $"<D:prop xmlns:D=\"DAV:\"><D:lockdiscovery>{LockXml.Of(request, held, locks.Left(held))}</D:lockdiscovery></D:prop>");
}

/// <summary>UNLOCK.</summary>
internal sealed class UnlockHandler(LockDesk desk) : IMethodHandler
{
    public string Method => "UNLOCK";

    public async Task HandleAsync(WebDavRequest request)
    {
        // Lock-Token = "Lock-Token" ":" Coded-URL
        var header = request.Http.Request.Headers["Lock-Token"].ToString().Trim();
        if (header.Length < 3 || header[0] != '<' || header[^1] != '>')
        {
            await Reply.TextAsync(request.Http, StatusCodes.Status400BadRequest, "UNLOCK names the lock in the Lock-Token header.");
            return;
        }

        // §9.11.1: "409 (Conflict), with 'lock-token-matches-request-uri' precondition"
        await (await desk.TryRemoveAsync(request.Path, header[1..^1], request.Aborted)
            ? Reply.Status(request.Http, StatusCodes.Status204NoContent)
            : Reply.ErrorAsync(request.Http, StatusCodes.Status409Conflict, "<D:lock-token-matches-request-uri/>"));
    }
}
