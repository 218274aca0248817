using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Net.Http.Headers;

namespace NzbDav.Access.Replies;

/// <summary>Reads the bodies of calls below <c>/api/v1</c>, with limits.</summary>
public static class JsonBody
{
    /// <summary>Default limit in bytes: names and passwords are short.</summary>
    public const int Usual = 16 << 10;

    /// <summary>
    /// The body as JSON. Null if it is invalid, after a response: 415 for another media type, 413 for a body that is too large, 400 for any
    /// other JSON than the expected, including <c>null</c>.
    /// </summary>
    /// <param name="http">The call.</param>
    /// <param name="type">The expected type.</param>
    /// <param name="most">Most bytes.</param>
    public static async ValueTask<T?> ReadAsync<T>(HttpContext http, JsonTypeInfo<T> type, int most = Usual)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(http);
        if (!http.Request.HasJsonContentType() || !IsUnicode(http.Request.ContentType))
        {
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status415UnsupportedMediaType, "Send JSON in UTF-8, with Content-Type: application/json.");
            return null;
        }

        // Check the limit here: the server's own check would close the connection while the client still sends, and the client would not
        // get the reason.
        Limit(http, null);
        if (http.Request.ContentLength > most || await ReadAsync(http, most) is not { } bytes)
        {
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status413PayloadTooLarge, FormattableString.Invariant($"The body is larger than {most >> 10} KiB."));
            return null;
        }

        try
        {
            var span = bytes.Span.StartsWith(Encoding.UTF8.Preamble) ? bytes.Span[Encoding.UTF8.Preamble.Length..] : bytes.Span;
            if (JsonSerializer.Deserialize(span, type) is { } body)
                return body;
        }
        catch (JsonException)
        {
            // The response below does not quote the body: it may contain a password.
        }

        await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "The body is not the JSON that belongs here.");
        return null;
    }

    /// <summary>Sets the server's limit for a body of any kind.</summary>
    /// <param name="http">The call.</param>
    /// <param name="most">Bytes; null: no bound.</param>
    internal static void Limit(HttpContext http, long? most = Usual)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = most;
    }

    private static bool IsUnicode(string? contentType) =>
        MediaTypeHeaderValue.TryParse(contentType, out var type)
            && (!type.Charset.HasValue || HeaderUtilities.RemoveQuotes(type.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase));

    /// <returns>Null if the body is longer.</returns>
    private static async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(HttpContext http, int most)
    {
        var bytes = new byte[Math.Min(most, http.Request.ContentLength ?? 4_096)];
        var filled = 0;
        while (true)
        {
            if (filled == bytes.Length && filled < most)
                Array.Resize(ref bytes, Math.Min(most, Math.Max(4_096, bytes.Length * 2)));

            // When the buffer is full, check for one more byte, which would be too many.
            var space = filled < bytes.Length ? bytes.AsMemory(filled) : new byte[1];
            var read = await http.Request.Body.ReadAsync(space, http.RequestAborted);
            if (read == 0)
                return bytes.AsMemory(0, filled);
            if (filled == bytes.Length)
                return null;
            filled += read;
        }
    }
}

/// <summary>Declarations of routes below <c>/api/v1</c> for the API's document.</summary>
public static class JsonRoutes
{
    /// <summary>The route reads its body with <see cref="JsonBody"/> and may respond with its refusals.</summary>
    public static RouteHandlerBuilder AcceptsJson<T>(this RouteHandlerBuilder route)
        where T : notnull => route.Accepts<T>("application/json")
            .Refuses(StatusCodes.Status400BadRequest, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType);

    /// <summary>
    /// The route may respond with an <see cref="ErrorBody"/> and one of these statuses. 401 and 403 follow from its rule.
    /// </summary>
    public static RouteHandlerBuilder Refuses(this RouteHandlerBuilder route, params ReadOnlySpan<int> statuses)
    {
        foreach (var status in statuses)
            route.Produces<ErrorBody>(status);
        return route;
    }
}
