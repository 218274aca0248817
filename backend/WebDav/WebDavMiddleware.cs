using System.Collections.Frozen;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Methods;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav;

/// <summary>
/// Handles all requests under the mount: finds the handler for the method. Runs before routing, which would decode paths differently.
/// </summary>
internal sealed class WebDavMiddleware
{
    private readonly DavMounts _mounts;
    private readonly IStore _store;
    private readonly WebDavAuthentication _authentication;
    private readonly FrozenDictionary<string, IMethodHandler> _handlers;
    private readonly string[] _methods;
    private readonly string _allow;

    public WebDavMiddleware(DavMounts mounts, IStore store, IEnumerable<IMethodHandler> handlers, WebDavAuthentication authentication)
    {
        _mounts = mounts;
        _store = store;
        _authentication = authentication;
        IMethodHandler[] table = [.. handlers];
        _handlers = table.ToFrozenDictionary(handler => handler.Method, StringComparer.Ordinal);
        _methods = [HttpMethods.Options, .. table.Select(handler => handler.Method)];
        _allow = string.Join(", ", _methods);
    }

    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var isOptions = HttpMethods.IsOptions(http.Request.Method);
        var isAbove = false;
        if (_mounts.Match(http.Request.Path, out var rest) is not { } mount)
        {
            // "OPTIONS *", and the root and other paths above the mount: clients look there first, and Windows lists them too.
            isAbove = _mounts.IsAbove(http.Request.Path);
            if (!isAbove || (!isOptions && http.Request.Method != PropFindHandler.Name))
            {
                await next(http);
                return;
            }

            (mount, rest) = ("", http.Request.Path);
        }

        if (isOptions)
        {
            // Decided by the path alone: clients send OPTIONS without a password.
            var asked = isAbove ? null : RequestTarget.TryGetPath(RequestTarget.Of(http), rest.Value);
            await OptionsHandler.AnswerAsync(http, _methods, locks: asked is null or { IsRoot: true } || _store.MayHoldJunk(asked));
            return;
        }

        if (!await _authentication.AdmitAsync(http))
            return;
        if (RequestTarget.TryGetPath(RequestTarget.Of(http), rest.Value) is not { } path)
        {
            Reply.RefuseBody(http);
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "The path cannot be understood.");
            return;
        }

        var above = isAbove ? await _mounts.AboveAsync(path, _store, http.RequestAborted) : _store;
        path = await path.ComposedAsync(above, http.RequestAborted);
        await HandleAsync(new WebDavRequest(http, above, path, WebDavRequest.BaseOf(http) + mount, _allow, _mounts));
    }

    private async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        try
        {
            await (_handlers.TryGetValue(http.Request.Method, out var handler) ? handler.HandleAsync(request) : request.NotAllowedAsync());
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // The client is gone.
        }
        catch (BadHttpRequestException e) when (!http.Response.HasStarted)
        {
            // The body exceeds the server's limit, or a chunk is broken: the exception has the status.
            http.Response.Headers.Connection = "close";
            await Reply.TextAsync(http, e.StatusCode, e.Message);
        }
    }
}
