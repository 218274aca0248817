using System.Collections.Frozen;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Methods;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav;

/// <summary>Everything under the mount: finds the handler for the method. In front of routing, which would decode paths its own way.</summary>
internal sealed class WebDavMiddleware
{
    private readonly PathString _mount;
    private readonly string _encodedMount;
    private readonly IStore _store;
    private readonly WebDavAuthentication _authentication;
    private readonly FrozenDictionary<string, IMethodHandler> _handlers;
    private readonly string _allow;

    public WebDavMiddleware(string mount, IStore store, IEnumerable<IMethodHandler> handlers, WebDavAuthentication authentication)
    {
        var path = StorePath.TryParse(mount) ?? throw new ArgumentException("The mount must be a path.", nameof(mount));
        _mount = new PathString(path.IsRoot ? null : "/" + string.Join('/', path.Segments));
        _encodedMount = path.ToString();
        _store = store;
        _authentication = authentication;
        IMethodHandler[] table = [.. handlers];
        _handlers = table.ToFrozenDictionary(handler => handler.Method, StringComparer.Ordinal);
        _allow = string.Join(", ", table.Select(handler => handler.Method).Prepend(HttpMethods.Options));
    }

    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var isOptions = HttpMethods.IsOptions(http.Request.Method);
        if (!http.Request.Path.StartsWithSegments(_mount, StringComparison.Ordinal, out var rest))
        {
            // "OPTIONS *", and the root and whatever else is above the mount: clients look there first.
            await (isOptions && _mount.StartsWithSegments(http.Request.Path.Value?.TrimEnd('/') ?? "", StringComparison.Ordinal)
                ? OptionsHandler.AnswerAsync(http, _allow)
                : next(http));
            return;
        }

        if (isOptions)
        {
            await OptionsHandler.AnswerAsync(http, _allow);
            return;
        }

        if (!await _authentication.AdmitAsync(http))
            return;
        if (RequestTarget.TryGetPath(RawTarget(http), rest.Value) is not { } path)
        {
            Reply.RefuseBody(http);
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "The path cannot be understood.");
            return;
        }

        await HandleAsync(new WebDavRequest(http, _store, path, Root(http), _allow));
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
            // Nobody is left to answer.
        }
        catch (BadHttpRequestException e) when (!http.Response.HasStarted)
        {
            // A body over the server's limit, a broken chunk: the transport knows the status.
            http.Response.Headers.Connection = "close";
            await Reply.TextAsync(http, e.StatusCode, e.Message);
        }
    }

    private string Root(HttpContext http)
    {
        if (!http.Request.PathBase.HasValue)
            return _encodedMount;
        var segments = http.Request.PathBase.Value!.Split('/', StringSplitOptions.RemoveEmptyEntries);
        var root = new StringBuilder();
        foreach (var segment in segments)
            PercentEncoding.Append(root.Append('/'), segment);
        return root.Append(_encodedMount).ToString();
    }

    private static string RawTarget(HttpContext http) =>
        http.Features.Get<IHttpRequestFeature>()?.RawTarget is { Length: > 0 } raw ? raw : (http.Request.PathBase + http.Request.Path).ToUriComponent();
}
