using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;

namespace NzbDav.Access.Replies;

/// <summary>Refusals that concern users and attempts, and short pages.</summary>
internal static class AccessReply
{
    /// <summary>Responds with the reason why a change to the users was refused.</summary>
    public static async Task RefuseAsync(HttpContext http, AccountResult result) =>
        await JsonReply.RefuseAsync(http, StatusOf(result.Outcome), result.Reason ?? "");

    /// <summary>True if a change to the users was made; otherwise responds with the reason.</summary>
    public static async ValueTask<bool> IsDoneAsync(HttpContext http, AccountResult result) =>
        result.Outcome == AccountOutcome.Done || await JsonReply.RefuseAsync(http, StatusOf(result.Outcome), result.Reason ?? "");

    /// <summary>Responds with 429 and the time to wait.</summary>
    /// <returns>False always.</returns>
    public static ValueTask<bool> SlowDownAsync(HttpContext http)
    {
        SetRetryAfter(http);
        return JsonReply.RefuseAsync(http, StatusCodes.Status429TooManyRequests, AttemptGate.TooMany);
    }

    public static void SetRetryAfter(HttpContext http) => AttemptGate.SetRetryAfter(http.Response);

    public static int StatusOf(AccountOutcome outcome) => outcome switch
    {
        AccountOutcome.Done => StatusCodes.Status200OK,
        AccountOutcome.Unacceptable => StatusCodes.Status400BadRequest,
        AccountOutcome.NotFound => StatusCodes.Status404NotFound,
        _ => StatusCodes.Status409Conflict,
    };

    /// <summary>A page without style and script.</summary>
    /// <param name="http">The request.</param>
    /// <param name="status">The status.</param>
    /// <param name="title">Its heading.</param>
    /// <param name="body">HTML.</param>
    public static Task PageAsync(HttpContext http, int status, string title, string body)
    {
        http.Response.StatusCode = status;
        http.Response.ContentType = "text/html; charset=utf-8";
        http.Response.Headers.CacheControl = "no-store";
        var heading = WebUtility.HtmlEncode(title);
        return http.Response.WriteAsync(
            $"<!doctype html>\n<html lang=\"en\">\n<title>NzbDav: {heading}</title>\n<h1>{heading}</h1>\n{body}\n", http.RequestAborted);
    }
}
