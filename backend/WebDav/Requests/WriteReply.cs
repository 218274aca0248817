using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>Turns the outcome of a write into an answer.</summary>
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
