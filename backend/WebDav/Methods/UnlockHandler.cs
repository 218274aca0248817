using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Methods;

/// <summary>UNLOCK.</summary>
internal sealed class UnlockHandler(LockDesk desk) : IMethodHandler
{
    public string Method => "UNLOCK";

    public async Task HandleAsync(WebDavRequest request)
    {
        // Lock-Token = "Lock-Token" ":" Coded-URL
        var header = request.Http.Request.Headers["Lock-Token"].ToString().Trim();
        if (header.Length < 3 || header[0] != '<' || header[^1] != '>')
        {
            await Reply.TextAsync(request.Http, StatusCodes.Status400BadRequest, "UNLOCK names the lock in the Lock-Token header.");
            return;
        }

        // §9.11.1: "409 (Conflict), with 'lock-token-matches-request-uri' precondition"
        await (await desk.TryRemoveAsync(request.Path, header[1..^1], request.Aborted)
            ? Reply.Status(request.Http, StatusCodes.Status204NoContent)
            : Reply.ErrorAsync(request.Http, StatusCodes.Status409Conflict, "<D:lock-token-matches-request-uri/>"));
    }
}
