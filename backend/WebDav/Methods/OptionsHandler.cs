using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// Lists the server's capabilities, to anybody, for any path: Windows asks <c>/</c> first and remembers a refusal until it restarts.
/// </summary>
internal static class OptionsHandler
{
    /// <summary>
    /// Class 1: the basics. Class 2: LOCK and UNLOCK, without which Finder mounts read-only. Reported for the root, and where locks are
    /// granted.
    /// </summary>
    private const string WithLocks = "1, 2";

    private const string WithoutLocks = "1";

    /// <param name="http">The request.</param>
    /// <param name="allow">The supported methods.</param>
    /// <param name="locks">False in the part of the tree that grants no locks.</param>
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
