using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Replies;

/// <summary>Responses of calls below <c>/api/v1</c>: never cached.</summary>
public static class JsonReply
{
    /// <summary>Answers with JSON.</summary>
    public static Task WriteAsync<T>(HttpContext http, int status, T answer, JsonTypeInfo<T> type)
    {
        ArgumentNullException.ThrowIfNull(http);
        http.Response.StatusCode = status;
        http.Response.Headers.CacheControl = "no-store";

        // Middleware that refused the request before may have set a length of 0.
        http.Response.ContentLength = null;
        return http.Response.WriteAsJsonAsync(answer, type, contentType: null, http.RequestAborted);
    }

    /// <summary>Responds with a reason for people.</summary>
    /// <returns>Always false: the request ends here.</returns>
    public static async ValueTask<bool> RefuseAsync(HttpContext http, int status, string error)
    {
        await WriteAsync(http, status, new ErrorBody(error), ReplyJson.Default.ErrorBody);
        return false;
    }

    /// <summary>The same, as the result of a call.</summary>
    public static IResult Error(int status, string error) => new Refusal(status, error);

    /// <summary>An answer as the result of a call.</summary>
    public static IResult Answer<T>(int status, T answer, JsonTypeInfo<T> type) => new Reply<T>(status, answer, type);

    private sealed class Reply<T>(int status, T answer, JsonTypeInfo<T> type) : IResult
    {
        public Task ExecuteAsync(HttpContext httpContext) => WriteAsync(httpContext, status, answer, type);
    }

    private sealed class Refusal(int status, string error) : IResult
    {
        public Task ExecuteAsync(HttpContext httpContext) =>
            WriteAsync(httpContext, status, new ErrorBody(error), ReplyJson.Default.ErrorBody);
    }
}

/// <summary>Why something was refused or failed: the body of every unsuccessful response below <c>/api/v1</c>.</summary>
/// <param name="Error">In words, for people.</param>
public sealed record ErrorBody(string Error);

/// <summary>JSON settings of refusals.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ErrorBody))]
internal sealed partial class ReplyJson : JsonSerializerContext;

/// <summary>Writes an enum as its member's name in camelCase and reads it back; numbers are refused.</summary>
public sealed class CamelCaseEnum<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
