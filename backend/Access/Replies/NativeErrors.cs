using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Callers;
using NzbDav.Catalog.Database;

namespace NzbDav.Access.Replies;

/// <summary>
/// Gives every failed call below <c>/api/v1</c> an <see cref="ErrorBody"/>, also if the framework refuses it or an exception ends it. Must
/// come before routing.
/// </summary>
internal sealed partial class NativeErrors(ILogger<NativeErrors> logger)
{
    /// <summary>Routing refuses media types that a route does not declare, before the route runs.</summary>
    private const string WrongType =
        "The media type is not the one that belongs here. Send JSON in UTF-8, with Content-Type: application/json; files as " +
        "multipart/form-data.";

    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!http.Request.Path.StartsWithSegments(AccessRules.Native, StringComparison.OrdinalIgnoreCase))
        {
            await next(http);
            return;
        }

        // By default no response is cached. "no-cache" adds nothing for caches, but without it ASP.NET Core's antiforgery warns with each
        // token that it overrides the header.
        http.Response.Headers.CacheControl = "no-cache, no-store";
        try
        {
            await next(http);
        }
        catch (CatalogException e) when (!http.Response.HasStarted)
        {
            var status = e.Fault == CatalogFault.RowDamaged ? StatusCodes.Status404NotFound : StatusCodes.Status503ServiceUnavailable;
            await JsonReply.RefuseAsync(http, status, e.Message);
        }
        catch (BadHttpRequestException e) when (!http.Response.HasStarted)
        {
            await JsonReply.RefuseAsync(http, e.StatusCode, e.Message);
        }
        catch (Exception e) when (!http.Response.HasStarted && !http.RequestAborted.IsCancellationRequested)
        {
            LogFault(logger, e, http.Request.Method, http.Request.Path);
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status500InternalServerError, "An internal error occurred: see the log for details.");
        }

        var response = http.Response;
        if (response is { HasStarted: false, StatusCode: >= StatusCodes.Status400BadRequest, ContentType: null })
            await JsonReply.RefuseAsync(
                http, response.StatusCode, response.StatusCode == StatusCodes.Status415UnsupportedMediaType
                ? WrongType
                : $"{ReasonPhrases.GetReasonPhrase(response.StatusCode)}: {http.Request.Method} " +
                $"{http.Request.PathBase}{http.Request.Path}");
    }

    [LoggerMessage(502, LogLevel.Error, "{Method} {Path} failed")]
    private static partial void LogFault(ILogger logger, Exception fault, string method, string path);
}
