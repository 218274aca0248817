using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace NzbDav.WebDav;

/// <summary>Short answers.</summary>
internal static class Reply
{
    // Reading this much to keep a connection costs less than a new one.
    private const long SmallBody = 64 << 10;

    /// <summary>A status with one line for people; no body for HEAD.</summary>
    public static Task TextAsync(HttpContext http, int status, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text + "\n");
        http.Response.StatusCode = status;
        http.Response.ContentType = "text/plain; charset=utf-8";
        http.Response.Headers.XContentTypeOptions = "nosniff";
        http.Response.ContentLength = bytes.Length;
        return HttpMethods.IsHead(http.Request.Method) ? Task.CompletedTask : http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted).AsTask();
    }

    /// <summary>A bare status.</summary>
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
    /// Says that the request's body is not wanted: <c>Connection: close</c> stops a client that is still sending, and the server may
    /// throw away what arrives meanwhile however large it is (closing at once would take the answer from the client's hands).
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
