using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>Short responses.</summary>
internal static class Reply
{
    // Reading this much to keep a connection costs less than opening a new one.
    private const long SmallBody = 64 << 10;

    /// <summary>A status with one line for people; no body for HEAD.</summary>
    public static Task TextAsync(HttpContext http, int status, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text + "\n");
        http.Response.StatusCode = status;
        http.Response.ContentType = "text/plain; charset=utf-8";
        http.Response.Headers.XContentTypeOptions = "nosniff";

        // Not cached: an item may appear at any moment, and shared caches keep a 404 for minutes.
        if (http.Response.Headers.CacheControl.Count == 0)
            http.Response.Headers.CacheControl = "no-store";
        http.Response.ContentLength = bytes.Length;
        return HttpMethods.IsHead(http.Request.Method)
            ? Task.CompletedTask : http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted).AsTask();
    }

    /// <summary>A status with a DAV:error element (RFC 4918 §16).</summary>
    /// <param name="http">The request.</param>
    /// <param name="status">The status.</param>
    /// <param name="condition">The precondition element, as XML with the prefix <c>D</c>.</param>
    public static Task ErrorAsync(HttpContext http, int status, string condition) =>
        XmlAsync(http, status, $"<D:error xmlns:D=\"DAV:\">{condition}</D:error>");

    /// <summary>A status with an XML document.</summary>
    public static Task XmlAsync(HttpContext http, int status, string root)
    {
        var bytes = Encoding.UTF8.GetBytes($"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{root}\n");
        http.Response.StatusCode = status;
        http.Response.ContentType = "application/xml; charset=\"utf-8\"";
        http.Response.ContentLength = bytes.Length;
        return http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted).AsTask();
    }

    /// <summary>A status without a body.</summary>
    public static Task Status(HttpContext http, int status)
    {
        http.Response.StatusCode = status;
        if (status != StatusCodes.Status204NoContent)
            http.Response.ContentLength = 0;
        return Task.CompletedTask;
    }

    public static void SetRetryAfter(HttpResponse response, TimeSpan delay) =>
        response.Headers.RetryAfter = ((long)Math.Ceiling(delay.TotalSeconds)).ToString(CultureInfo.InvariantCulture);

    /// <summary>
    /// Declines the request's body: <c>Connection: close</c> stops a client that is still sending, and the server may discard the data that
    /// arrive meanwhile, whatever their size (closing at once could lose the response).
    /// </summary>
    public static void RefuseBody(HttpContext http)
    {
        if (http.Features.Get<IHttpRequestBodyDetectionFeature>() is { CanHaveBody: false } || http.Request.ContentLength is <= SmallBody)
            return;
        http.Response.Headers.Connection = "close";
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
    }
}

/// <summary>Converts the result of a write to a response.</summary>
internal static class WriteReply
{
    public static Task SendAsync(HttpContext http, StoreWriteResult result, TimeSpan retryAfter)
    {
        var status = result.Status switch
        {
            StoreWriteStatus.Created => StatusCodes.Status201Created,
            StoreWriteStatus.Replaced or StoreWriteStatus.Deleted => StatusCodes.Status204NoContent,
            StoreWriteStatus.Forbidden => StatusCodes.Status403Forbidden,
            StoreWriteStatus.NotFound => StatusCodes.Status404NotFound,
            StoreWriteStatus.Conflict => StatusCodes.Status409Conflict,
            StoreWriteStatus.Invalid => StatusCodes.Status422UnprocessableEntity,
            StoreWriteStatus.TooLarge => StatusCodes.Status413PayloadTooLarge,
            StoreWriteStatus.InsufficientStorage => StatusCodes.Status507InsufficientStorage,
            StoreWriteStatus.Unavailable => StatusCodes.Status503ServiceUnavailable,
            _ => StatusCodes.Status500InternalServerError,
        };
        if (status < 300)
            return Reply.Status(http, status);
        if (status == StatusCodes.Status503ServiceUnavailable)
            Reply.SetRetryAfter(http.Response, retryAfter);
        return RefuseAsync(http, status, result.Reason ?? "The write was refused.");
    }

    /// <summary>Refuses a write whose body may not have been read.</summary>
    public static Task RefuseAsync(HttpContext http, int status, string reason)
    {
        Reply.RefuseBody(http);
        return Reply.TextAsync(http, status, reason);
    }
}
