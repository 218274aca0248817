using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// Says what the server can do, to anybody, everywhere: Windows asks <c>/</c> first and remembers a refusal until it restarts.
/// </summary>
internal static class OptionsHandler
{
    /// <summary>
    /// Class 1: the basics. Class 2: LOCK and UNLOCK, without which Finder mounts read-only; said of the root, and where locks are given.
    /// </summary>
    private const string WithLocks = "1, 2";

    private const string WithoutLocks = "1";

    /// <param name="http">The request.</param>
    /// <param name="allow">The methods that there are.</param>
    /// <param name="locks">False in the part of the tree that is read-only for locks.</param>
    public static Task AnswerAsync(HttpContext http, IReadOnlyList<string> allow, bool locks)
    {
        var headers = http.Response.Headers;
        var methods = string.Join(", ", locks ? allow : allow.Where(static method => method is not ("LOCK" or "UNLOCK")));
        headers["DAV"] = locks ? WithLocks : WithoutLocks;
        headers["MS-Author-Via"] = "DAV";
        headers.Allow = methods;
        headers["Public"] = methods;
        headers.AcceptRanges = "bytes";
        return Reply.Status(http, StatusCodes.Status200OK);
    }
}
