using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace NzbDav.Access;

/// <summary>Reads what is sent, of which there is never much.</summary>
internal static class AccessBodies
{
    private const long Longest = 16 << 10;

    /// <summary>The body as JSON; null, and answered, if it is none.</summary>
    public static async ValueTask<T?> ReadAsync<T>(HttpContext http, JsonTypeInfo<T> type)
        where T : class
    {
        Limit(http);
        if (!http.Request.HasJsonContentType())
        {
            await AccessReply.RefuseAsync(http, StatusCodes.Status415UnsupportedMediaType, "Send JSON.");
            return null;
        }

        try
        {
            if (await http.Request.ReadFromJsonAsync(type, http.RequestAborted) is { } body)
                return body;
        }
        catch (JsonException)
        {
            // Answered below, without what was sent: it may hold a password.
        }
        catch (BadHttpRequestException e)
        {
            await AccessReply.RefuseAsync(http, e.StatusCode, "The body cannot be read.");
            return null;
        }

        await AccessReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "The body is not the JSON that belongs here.");
        return null;
    }

    /// <summary>Bounds what is read.</summary>
    public static void Limit(HttpContext http)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = Longest;
    }
}
