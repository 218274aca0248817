using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Net.Http.Headers;

namespace NzbDav.Access.Replies;

/// <summary>Reads what is sent to calls below <c>/api/v1</c>, in bounds.</summary>
public static class JsonBody
{
    /// <summary>What is taken unless a call says otherwise: names and passwords, never much.</summary>
    public const int Usual = 16 << 10;

    /// <summary>The body as JSON; null, and answered, if it is none: 415 for another media type, 413 for one that is too large, 400 for
    /// what is not the JSON that belongs there, <c>null</c> included.</summary>
    /// <param name="http">The call.</param>
    /// <param name="type">What belongs there.</param>
    /// <param name="most">The most bytes that are kept.</param>
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

        // The bound is ours: the server's would end the connection while the client still sends, and the client would not hear why.
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
            // Answered below, without what was sent: it may hold a password.
        }

        await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "The body is not the JSON that belongs here.");
        return null;
    }

    /// <summary>Lets the server bound what is read of a body of any kind.</summary>
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

    /// <returns>Null for more than that.</returns>
    private static async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(HttpContext http, int most)
    {
        var bytes = new byte[Math.Min(most, http.Request.ContentLength ?? 4_096)];
        var filled = 0;
        while (true)
        {
            if (filled == bytes.Length && filled < most)
                Array.Resize(ref bytes, Math.Min(most, Math.Max(4_096, bytes.Length * 2)));

            // Where it is full, one byte more would be too many.
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

/// <summary>What routes below <c>/api/v1</c> say of themselves for the API's document.</summary>
public static class JsonRoutes
{
    /// <summary>The route reads its body by <see cref="JsonBody"/>, with the refusals that come of it.</summary>
    public static RouteHandlerBuilder AcceptsJson<T>(this RouteHandlerBuilder route)
        where T : notnull => route.Accepts<T>("application/json")
            .Refuses(StatusCodes.Status400BadRequest, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType);

    /// <summary>The route may answer with an <see cref="ErrorBody"/> and one of these statuses. 401 and 403 follow from its rule.</summary>
    public static RouteHandlerBuilder Refuses(this RouteHandlerBuilder route, params ReadOnlySpan<int> statuses)
    {
        foreach (var status in statuses)
            route.Produces<ErrorBody>(status);
        return route;
    }
}
