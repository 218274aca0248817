using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.Files;

/// <summary>Answers a request with a status and a reason for people, in the format of whoever asked.</summary>
/// <param name="http">The request; its response has not started.</param>
/// <param name="status">The status, 4xx or 5xx.</param>
/// <param name="reason">Why, as a sentence.</param>
public delegate Task RefusalWriter(HttpContext http, int status, string reason);
