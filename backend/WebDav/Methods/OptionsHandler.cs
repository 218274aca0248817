using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// Says what the server can do, to anybody, everywhere: Windows asks <c>/</c> first and remembers a refusal until it restarts.
/// </summary>
internal static class OptionsHandler
{
    /// <summary>Class 1: the basics. Class 2: LOCK and UNLOCK, without which Finder mounts read-only.</summary>
    public const string ComplianceClasses = "1, 2";

    public static Task AnswerAsync(HttpContext http, string allow)
    {
        var headers = http.Response.Headers;
        headers["DAV"] = ComplianceClasses;
        headers["MS-Author-Via"] = "DAV";
        headers.Allow = allow;
        headers["Public"] = allow;
        headers.AcceptRanges = "bytes";
        return Reply.Status(http, StatusCodes.Status200OK);
    }
}
